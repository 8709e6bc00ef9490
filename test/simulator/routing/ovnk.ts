/** OVN-Kubernetes in the simulation: one look at the cluster, and the writes that follow. */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../core/door.ts';
import type { JsonObject } from '../../../core/json.ts';
import { NODES } from '../../../edge/simulated/admission.ts';
import {
  ADVERTISEMENTS,
  FRR_CONFIGURATIONS,
  NAMESPACES,
  NETWORKS,
} from '../../../edge/simulated/kinds.ts';
import type { FrrConfiguration } from '../../frrk8s/objects.ts';
import { advertise } from '../../ovnk/advertise.ts';
import { serve } from '../../ovnk/network.ts';
import {
  ADVERTISED_BY,
  type Condition,
  GENERATED,
  type Namespace,
  type Network,
  type Node,
  PROTECTION,
  type RouteAdvertisements,
} from '../../ovnk/objects.ts';
import type { ApiServer } from '../api-server.ts';

const BY = 'ovnk';

export class Ovnk {
  readonly #server: ApiServer;
  readonly #now: () => number;
  /** Networks that pods use: they do not go. */
  readonly held = new Set<string>();
  #serial = 0;

  constructor(server: ApiServer, now: () => number) {
    this.#server = server;
    this.#now = now;
  }

  #all<T>(collection: string): readonly T[] {
    return this.#server.list(collection) as unknown as readonly T[];
  }

  /** Does all that is to be done now. */
  turn(): void {
    for (const network of this.#all<Network>(NETWORKS)) this.#serve(network);
    for (const one of this.#all<RouteAdvertisements>(ADVERTISEMENTS)) this.#advertise(one);
    const owners = new Set(this.#server.list(ADVERTISEMENTS).map(({ metadata }) => metadata.name));
    for (const copy of this.#copies())
      if (!owners.has(copy.metadata.labels?.[ADVERTISED_BY] ?? '')) this.#remove(copy);
  }

  #serve(network: Network): void {
    const { name, finalizers = [], deletionTimestamp } = network.metadata;
    const has = finalizers.includes(PROTECTION);
    const rest = finalizers.filter((one) => one !== PROTECTION);
    if (deletionTimestamp !== undefined) {
      if (has && !this.held.has(name)) this.#finalizers(network, rest);
    } else if (has) this.#report(NETWORKS, network, this.#served(network).condition);
    else this.#finalizers(network, [...rest, PROTECTION]);
  }

  #finalizers(network: Network, finalizers: readonly string[]): void {
    const metadata = { ...network.metadata, finalizers };
    this.#server.set(NETWORKS, network.metadata.name, { ...network, metadata }, BY);
  }

  #served(network: Network): ReturnType<typeof serve> {
    return serve(network, this.#all<Network>(NETWORKS), this.#all<Namespace>(NAMESPACES));
  }

  #advertise(ra: RouteAdvertisements): void {
    const networks = this.#all<Network>(NETWORKS).filter(
      (network) => this.#served(network).namespaces.length > 0,
    );
    const configs = this.#all<FrrConfiguration>(FRR_CONFIGURATIONS);
    const result = advertise(ra, { networks, nodes: this.#all<Node>(NODES), configs });
    const why = result.generated === undefined ? '' : this.#generate(ra, result.generated);
    const refused = { status: 'False', reason: 'InternalError', message: why } as const;
    const condition = why === '' ? result.condition : { ...result.condition, ...refused };
    this.#report(ADVERTISEMENTS, ra, condition);
  }

  #copies(): readonly FrrConfiguration[] {
    const all = this.#all<FrrConfiguration>(FRR_CONFIGURATIONS);
    return all.filter(({ metadata }) => metadata.name.startsWith(GENERATED));
  }

  /** Makes the copies as they are to be; says why one was refused, or ''. */
  #generate(ra: RouteAdvertisements, wanted: ReadonlyMap<string, object>): string {
    const own = this.#copies().filter(
      ({ metadata }) => metadata.labels?.[ADVERTISED_BY] === ra.metadata.name,
    );
    const keyOf = ({ metadata }: FrrConfiguration): string =>
      metadata.annotations?.[ADVERTISED_BY] ?? '';
    for (const copy of own) if (!wanted.has(keyOf(copy))) this.#remove(copy);
    for (const [key, spec] of wanted) {
      const before = own.find((copy) => keyOf(copy) === key);
      if (before !== undefined && isDeepStrictEqual(before.spec, spec)) continue;
      const why = this.#put(ra.metadata.name, key, spec, before);
      if (why !== '') return why;
    }
    return '';
  }

  #put(owner: string, key: string, spec: object, before: FrrConfiguration | undefined): string {
    const metadata = {
      name: before?.metadata.name ?? `${GENERATED}${++this.#serial}`,
      labels: { [ADVERTISED_BY]: owner },
      annotations: { [ADVERTISED_BY]: key },
    };
    const change = before === undefined;
    const { status, message } = this.#server.serve(
      {
        method: change ? 'POST' : 'PATCH',
        path: change ? FRR_CONFIGURATIONS : `${FRR_CONFIGURATIONS}/${metadata.name}`,
        contentType: change ? 'application/json' : 'application/json-patch+json',
        body: change ? { metadata, spec } : [{ op: 'replace', path: '/spec', value: spec }],
      },
      BY,
    );
    return status < 300 ? '' : message;
  }

  #remove({ metadata: { name } }: FrrConfiguration): void {
    const path = `${FRR_CONFIGURATIONS}/${name}`;
    this.#server.serve({ method: 'DELETE', path, contentType: '', body: undefined }, BY);
  }

  #report(collection: string, object: Network | RouteAdvertisements, said: Condition): void {
    const { generation = 0, name } = object.metadata;
    const before = object.status?.conditions?.find(({ type }) => type === said.type);
    const now = new Date(this.#now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const since = before?.status === said.status ? before.lastTransitionTime : now;
    const dated = collection === ADVERTISEMENTS ? { observedGeneration: generation } : {};
    const condition = { ...said, ...dated, lastTransitionTime: since ?? now };
    if (isDeepStrictEqual(before, condition)) return;
    const status = { ...object.status, conditions: [condition] };
    const known = this.#server.get(collection, name) as KubeObject & JsonObject;
    this.#server.set(collection, name, { ...known, status }, BY);
  }
}
