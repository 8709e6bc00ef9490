/** The API server of the simulation: objects with versions, and their whole history. */
import type { Clock, Collection, KubeAnswer, KubeObject, KubeRequest } from '../../core/door.ts';
import { type JsonObject, property } from '../../core/json.ts';
import {
  CLOUD_CLAIMS,
  EGRESSIPS,
  EVENTS,
  INFRASTRUCTURES,
  NODES,
} from '../../edge/simulated/admission.ts';
import { failure } from '../../edge/simulated/answer.ts';
import { type Review, serve } from '../../edge/simulated/serve.ts';
import { Store } from '../../edge/simulated/store.ts';
import { MARK } from './objects.ts';

/** One version of the cluster: what became of which object, and by whom. */
export interface Change {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly collection: Collection;
  readonly object: KubeObject;
  readonly before: KubeObject | undefined;
  readonly atMs: number;
  /** A process, or `user`, `cloud`, … */
  readonly by: string;
}

/** What a list answers: the objects, and the version that they are of. */
export interface Snapshot {
  readonly objects: readonly KubeObject[];
  readonly version: number;
}

export class ApiServer {
  readonly history: Change[] = [];
  readonly #clock: Clock;
  readonly #store: Store;
  readonly #served = new Set<Collection>([NODES, EGRESSIPS, EVENTS]);
  readonly #seen = new Map<string, KubeObject>();
  statusSubresource: boolean;
  /** Versions up to here are forgotten: nobody can watch from them. */
  compacted = 0;
  /** Nobody is answered before. */
  awayUntilMs = 0;
  /** The watches and lists of the past show the cluster as it was at this version. */
  frozen: { readonly version: number; readonly untilMs: number } | undefined;
  #by = 'user';
  /** What a webhook says to what is written. */
  review: Review = () => undefined;
  /** Told of each change. */
  onChange: (change: Change) => void = () => undefined;

  constructor(clock: Clock, cloud: boolean, statusSubresource: boolean) {
    this.#clock = clock;
    this.statusSubresource = statusSubresource;
    if (cloud) for (const one of [CLOUD_CLAIMS, INFRASTRUCTURES]) this.#served.add(one);
    this.#store = new Store(clock, (sighting, version) => {
      if (sighting.kind === 'Put') this.#record(sighting.object, sighting.collection, version);
      else if (sighting.kind === 'Gone') this.#bury(sighting.collection, sighting.name, version);
    });
  }

  get version(): number {
    return this.history.at(-1)?.version ?? 0;
  }

  isServed(collection: Collection): boolean {
    return this.#served.has(collection);
  }

  setServed(collection: Collection, served: boolean): void {
    if (served) this.#served.add(collection);
    else this.#served.delete(collection);
  }

  get(collection: Collection, name: string): KubeObject | undefined {
    return this.#store.get(collection, name);
  }

  list(collection: Collection): readonly KubeObject[] {
    return this.#store.list(collection);
  }

  /** The collection as it was at a version. */
  listAt(collection: Collection, version: number): Snapshot {
    const objects = new Map<string, KubeObject>();
    for (const change of this.history) {
      if (change.version > version) break;
      if (change.collection !== collection) continue;
      if (change.type === 'DELETED') objects.delete(change.object.metadata.name);
      else objects.set(change.object.metadata.name, change.object);
    }
    const sorted = [...objects.values()].sort((a, b) =>
      a.metadata.name < b.metadata.name ? -1 : 1,
    );
    return { objects: sorted, version };
  }

  /** One request in whose name `by` asks. */
  serve(request: KubeRequest, by: string): KubeAnswer {
    const collection = [...this.#served].find((one) => request.path.startsWith(one));
    if (collection === undefined)
      return failure(404, 'the server could not find the requested resource');
    const denied = deniedMark(request, this.#store.get(EGRESSIPS, nameIn(request)));
    if (denied !== undefined) return denied;
    this.#by = by;
    return serve(this.#store, this.statusSubresource, request, this.review);
  }

  /** What whoever may write everything does: the object stands as given, its status included. */
  set(collection: Collection, name: string, object: JsonObject, by = 'user'): void {
    this.#by = by;
    const known = this.#store.get(collection, name);
    if (known === undefined) this.#store.create(collection, name, object);
    else this.#store.update(collection, known, object);
  }

  #record(object: KubeObject, collection: Collection, version: number): void {
    const key = `${collection}/${object.metadata.name}`;
    const before = this.#seen.get(key);
    this.#seen.set(key, object);
    const type = before === undefined ? 'ADDED' : 'MODIFIED';
    this.#tell({ version, type, collection, object, before });
  }

  #bury(collection: Collection, name: string, version: number): void {
    const key = `${collection}/${name}`;
    const before = this.#seen.get(key);
    this.#seen.delete(key);
    if (before === undefined) return;
    const metadata = { ...before.metadata, resourceVersion: String(version) };
    this.#tell({ version, type: 'DELETED', collection, object: { ...before, metadata }, before });
  }

  #tell(change: Omit<Change, 'atMs' | 'by'>): void {
    const told: Change = { ...change, atMs: this.#clock.nowMs(), by: this.#by };
    this.history.push(told);
    this.onChange(told);
  }
}

const nameIn = ({ path }: KubeRequest): string =>
  path
    .split('?')[0]
    ?.slice(EGRESSIPS.length + 1)
    .split('/')[0] ?? '';

/** The admission policy beside the CRD: a mark, once set, stays (`spec/egressip.md` 2.1). */
function deniedMark(request: KubeRequest, known: KubeObject | undefined): KubeAnswer | undefined {
  const had = property(property(known?.metadata, 'annotations'), MARK);
  const annotations = property(property(request.body, 'metadata'), 'annotations');
  const given = property(annotations, MARK);
  if (had === undefined || given === undefined || had === given) return undefined;
  const policy = "ValidatingAdmissionPolicy 'egressip-mark-annotation-validation'";
  return failure(422, `egressips is forbidden: ${policy} denied request: it is managed`);
}
