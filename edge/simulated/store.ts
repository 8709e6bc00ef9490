/** The objects of a simulated cluster, with versions, and who is to be told of a change. */
import type { Clock, Collection, KubeObject, Sighting } from '../../core/door.ts';
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, property, textOf } from '../../core/json.ts';
import { isSame, withDefaults } from './admission.ts';
import { countsGenerations } from './kinds.ts';

/** `version` = what the collection stands at with it. */
type Telling = (sighting: Sighting, version: number) => void;

export class Store {
  readonly #clock: Clock;
  readonly #tell: Telling;
  readonly #objects = new Map<Collection, Map<string, KubeObject>>();
  #version = 0;
  #uids = 0;

  constructor(clock: Clock, tell: Telling) {
    this.#clock = clock;
    this.#tell = tell;
  }

  get(collection: Collection, name: string): KubeObject | undefined {
    return this.#objects.get(collection)?.get(name);
  }

  /** Sorted by name, as etcd keeps them. */
  list(collection: Collection): readonly KubeObject[] {
    const objects = [...(this.#objects.get(collection)?.values() ?? [])];
    return objects.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  create(collection: Collection, name: string, given: JsonObject): KubeObject {
    const created = {
      creationTimestamp: new Date(this.#clock.nowMs()).toISOString().replace(/\.\d+Z$/, 'Z'),
      ...metadataOf(given),
      ...(countsGenerations(collection) && { generation: 1 }),
      name,
      uid: `00000000-0000-4000-8000-${String(++this.#uids).padStart(12, '0')}`,
    };
    return this.#put(collection, { ...given, metadata: created });
  }

  /** Puts the next version of an object; nothing at all when it is as it was. */
  update(collection: Collection, before: KubeObject, after: JsonObject): KubeObject {
    const { uid, name } = before.metadata;
    const metadata = {
      ...metadataOf(after),
      ...generationOf(collection, before, after),
      uid,
      name,
    };
    const next = withDefaults(collection, { ...after, metadata });
    if (isSame(before, next)) return before;
    if (isDying(next) && finalizersOf(next).length === 0) return this.#remove(collection, before);
    return this.#put(collection, next);
  }

  /** Removes it, or marks it as dying while somebody's finalizer holds it. */
  delete(collection: Collection, object: KubeObject): KubeObject {
    if (finalizersOf(object).length === 0) return this.#remove(collection, object);
    const deletionTimestamp = new Date(this.#clock.nowMs()).toISOString();
    const metadata = { deletionTimestamp, ...object.metadata };
    return this.update(collection, object, { ...object, metadata });
  }

  #put(collection: Collection, given: JsonObject): KubeObject {
    const resourceVersion = String(++this.#version);
    const filled = withDefaults(collection, given);
    const { finalizers, ...known } = metadataOf(filled);
    // An empty list is not stored: whoever adds the next one finds none.
    const held = finalizersOf(filled).length === 0 ? {} : { finalizers };
    const metadata = { ...known, ...held, resourceVersion };
    const object = freeze({ ...filled, metadata } as unknown as KubeObject);
    const all = this.#objects.get(collection) ?? new Map<string, KubeObject>();
    this.#objects.set(collection, all.set(object.metadata.name, object));
    this.#tell({ kind: 'Put', collection, object }, this.#version);
    return object;
  }

  #remove(collection: Collection, object: KubeObject): KubeObject {
    const { name, uid } = object.metadata;
    this.#version++;
    this.#objects.get(collection)?.delete(name);
    this.#tell({ kind: 'Gone', collection, name, uid }, this.#version);
    return object;
  }
}

function metadataOf(object: JsonObject): JsonObject {
  const metadata = property(object, 'metadata');
  return isObject(metadata) ? metadata : {};
}

/** As the API server counts: each change of the spec, and the mark of being deleted. */
function generationOf(collection: Collection, before: KubeObject, after: JsonObject): object {
  if (!countsGenerations(collection)) return {};
  const is = Number(property(before.metadata, 'generation') ?? 1);
  const dies = isDying(after) && !isDying(before);
  const same = !dies && isDeepStrictEqual(before['spec'], after['spec']);
  return { generation: same ? is : is + 1 };
}

const isDying = (object: JsonObject): boolean =>
  textOf(metadataOf(object)['deletionTimestamp']) !== '';

function finalizersOf(object: JsonObject): readonly unknown[] {
  const finalizers = metadataOf(object)['finalizers'];
  return Array.isArray(finalizers) ? (finalizers as readonly unknown[]) : [];
}

/** Rooms share what they are shown: nobody may write into it. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
