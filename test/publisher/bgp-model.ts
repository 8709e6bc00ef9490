/** A little API server for BGP routing, written only for judging the publisher. */
import type { KubeAnswer, KubeObject, KubeRequest } from '../../core/door.ts';
import type { Fact } from '../../core/fact.ts';
import { managedOf } from '../../core/managed-object.ts';
import type { ManagedKind } from '../../core/managed.ts';
import { configOf, routingOf } from '../../services/watcher/project-bgp.ts';
import { type Operation, patched } from './bgp-patch.ts';

// oxlint-disable-next-line no-explicit-any -- objects of any kind are changed here, by tests
export type Json = any;

const kinds: Readonly<Record<string, ManagedKind>> = {
  networks: 'Network',
  frrconfigurations: 'FRRConfiguration',
  clusteruserdefinednetworks: 'ClusterUserDefinedNetwork',
  routeadvertisements: 'RouteAdvertisements',
};

export const answer = (status: number, body: unknown, message = ''): KubeAnswer => ({
  ...{ status, body, message, retryAfterMs: 0 },
});

/** All that the real one says of a patch that cannot be applied. */
const MISSED = 'the server rejected our request due to an error in our request';

export class RoutingModel {
  /** `frrconfigurations/az-a` → the object. */
  readonly objects = new Map<string, Json>();
  /** Facts on their way to the publisher, in order. */
  readonly facts: Fact[] = [];
  /** `POST frrconfigurations/az-a` for each request that was served and meant a change. */
  writes: string[] = [];
  requests: KubeRequest[] = [];
  /** Kubernetes Events as they were sent. */
  readonly events: Json[] = [];
  /** Answers instead of serving, where it wants to. */
  fault: (request: KubeRequest) => KubeAnswer | undefined = () => undefined;
  /** What the server adds to a spec by itself. */
  defaults: (plural: string, spec: Json) => Json = (_plural, spec) => spec;
  managedFields: unknown = undefined;
  #numbers = 0;

  /** Somebody puts an object there. */
  put(plural: string, object: Json): Json {
    const number = String(++this.#numbers);
    const { name } = object.metadata;
    const known = this.objects.get(`${plural}/${name}`);
    const sameSpec = JSON.stringify(known?.spec) === JSON.stringify(object.spec);
    const stored = {
      ...object,
      metadata: {
        creationTimestamp: '2026-01-05T10:00:00Z',
        ...object.metadata,
        uid: known?.metadata.uid ?? `uid-${number}`,
        resourceVersion: number,
        generation: (known?.metadata.generation ?? 0) + (sameSpec ? 0 : 1),
      },
    };
    this.objects.set(`${plural}/${name}`, stored);
    this.tell(plural, name);
    return stored;
  }

  /** Somebody changes an object; one that is dying goes with its last finalizer. */
  edit(plural: string, name: string, change: (object: Json) => void): void {
    const copy = structuredClone(this.get(plural, name));
    change(copy);
    this.put(plural, copy);
    const { deletionTimestamp, finalizers = [] } = copy.metadata;
    if (deletionTimestamp !== undefined && finalizers.length === 0) this.remove(plural, name);
  }

  get(plural: string, name: string): Json {
    return this.objects.get(`${plural}/${name}`);
  }

  /** Deletes it, or marks it as dying while a finalizer holds it. */
  remove(plural: string, name: string): void {
    const known = this.get(plural, name);
    if (known === undefined) return;
    if ((known.metadata.finalizers ?? []).length > 0) {
      if (known.metadata.deletionTimestamp !== undefined) return;
      const deletionTimestamp = '2026-01-05T11:00:00Z';
      this.put(plural, { ...known, metadata: { ...known.metadata, deletionTimestamp } });
      return;
    }
    this.objects.delete(`${plural}/${name}`);
    const { uid } = known.metadata;
    const object = kinds[plural];
    if (object !== undefined) this.facts.push({ kind: 'ObjectGone', object, name, uid });
    else if (plural === 'cudnbgpconfigs') this.facts.push({ kind: 'BgpConfigGone', name, uid });
    else this.facts.push({ kind: 'BgpRoutingGone', name, uid });
  }

  tell(plural: string, name: string): void {
    const object = structuredClone(this.get(plural, name)) as KubeObject;
    const kind = kinds[plural];
    if (kind !== undefined) this.facts.push({ kind: 'ObjectSeen', seen: managedOf(kind, object) });
    else if (plural === 'cudnbgpconfigs')
      this.facts.push({ kind: 'BgpConfigSeen', config: configOf(object) });
    else this.facts.push({ kind: 'BgpRoutingSeen', routing: routingOf(object) });
  }

  request(request: KubeRequest): KubeAnswer {
    const path = request.path.split('?')[0] ?? '';
    if (path.includes('/events')) {
      this.events.push(request.body);
      return answer(201, request.body);
    }
    const parts = path.split('/');
    const status = parts.at(-1) === 'status' && parts.length > 6;
    if (status) parts.pop();
    const plural = request.method === 'POST' ? (parts.at(-1) ?? '') : (parts.at(-2) ?? '');
    const body = request.body as Json;
    const name = request.method === 'POST' ? body.metadata.name : (parts.at(-1) ?? '');
    if (request.method === 'GET') return this.#read(plural, name);
    this.requests.push(request);
    this.writes.push(`${request.method} ${plural}/${name}${status ? '/status' : ''}`);
    return this.fault(request) ?? this.#serve(request, plural, name, status);
  }

  #read(plural: string, name: string): KubeAnswer {
    const known = this.get(plural, name);
    if (known === undefined) return answer(404, {}, 'not found');
    const metadata = { ...known.metadata, managedFields: this.managedFields };
    return answer(200, { ...known, metadata });
  }

  #serve(request: KubeRequest, plural: string, name: string, status: boolean): KubeAnswer {
    const known = this.get(plural, name);
    const body = request.body as Json;
    if (request.method === 'POST') {
      if (known !== undefined) return answer(409, {}, `${plural} "${name}" already exists`);
      return answer(201, this.put(plural, { ...body, spec: this.defaults(plural, body.spec) }));
    }
    if (known === undefined) return answer(404, {}, `${plural} "${name}" not found`);
    if (request.method === 'DELETE') {
      if (body.preconditions.uid !== known.metadata.uid) return answer(409, {}, 'another uid');
      this.remove(plural, name);
      return answer(200, { kind: 'Status', status: 'Success' });
    }
    const changed = request.contentType.includes('json-patch')
      ? patched(known, body as readonly Operation[])
      : merged(known, body);
    if (changed === undefined) return answer(422, {}, MISSED);
    return this.#update(plural, known, changed, status);
  }

  #update(plural: string, known: Json, changed: Json, status: boolean): KubeAnswer {
    const isStatused = plural.startsWith('cudnbgp');
    const next = status
      ? { ...known, status: changed.status }
      : { ...changed, status: isStatused ? known.status : changed.status };
    next.spec = this.defaults(plural, next.spec);
    if (JSON.stringify(next) === JSON.stringify(known)) return answer(200, known);
    const { deletionTimestamp, finalizers = [], name } = next.metadata;
    if (deletionTimestamp !== undefined && finalizers.length === 0) {
      this.objects.get(`${plural}/${name}`).metadata.finalizers = [];
      this.remove(plural, name);
      return answer(200, next);
    }
    return answer(200, this.put(plural, next));
  }
}

/** RFC 7386, without the removal of keys. */
function merged(known: Json, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result = { ...known };
  for (const [key, value] of Object.entries(patch)) result[key] = merged(known?.[key], value);
  return result;
}
