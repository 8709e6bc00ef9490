/**
 * A double of OVN-Kubernetes: it serves ClusterUserDefinedNetworks and RouteAdvertisements by real
 * API calls, and makes FRRConfigurations of those that it is to advertise on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Seen, Watched } from '../cluster/watched.ts';
import type { ControlPlane } from '../controlplane/controlplane.ts';
import { FRR_NAMESPACE, type FrrConfiguration, frrConfigurations } from '../frrk8s/objects.ts';
import { advertise, type Advertised, mistaken } from './advertise.ts';
import { notCreated, serve } from './network.ts';
import {
  ADVERTISED_BY,
  advertisements,
  type Condition,
  GENERATED,
  type Meta,
  type Namespace,
  namespaces,
  type Network,
  networks,
  type Node,
  PROTECTION,
  type RouteAdvertisements,
} from './objects.ts';

export interface OvnkOptions {
  /** From seeing something to writing what follows from it, in milliseconds; default 30. */
  readonly delayMs?: number;
  /** How often it looks at what it has heard, in milliseconds; default 20. */
  readonly pollMs?: number;
}

export interface OvnkDouble {
  /** Says this of a network, NetworkCreated False; undefined = what is so again. */
  fail(network: string, message: string | undefined, reason?: string): void;
  /** Keeps its finalizer on a network whatever happens, or lets it go again. */
  hold(network: string, isHeld: boolean): void;
  /** Says this of every RouteAdvertisements, Accepted False; undefined = what is so again. */
  reject(message: string | undefined, reason?: string): void;
  /** Writes no status any more, or does again; all else goes on. */
  mute(isMute: boolean): void;
  /** Ends; what it made stays. */
  stop(): Promise<void>;
}

/** Plays from now on; kinds may be served later. Nodes need the label `kubernetes.io/hostname`. */
export function openOvnk(plane: ControlPlane, options: OvnkOptions = {}): OvnkDouble {
  const ovnk = new Ovnk(plane, options);
  ovnk.start();
  return ovnk;
}

type Config = FrrConfiguration & Seen & { readonly metadata: Meta };

/** How long after a refused write it is tried again. */
const retryMs = 300;

class Ovnk implements OvnkDouble {
  readonly #plane: ControlPlane;
  readonly #options: Required<OvnkOptions>;
  readonly #namespaces: Watched<Namespace>;
  readonly #nodes: Watched<Node>;
  readonly #networks: Watched<Network>;
  readonly #advertisements: Watched<RouteAdvertisements>;
  readonly #configs: Watched<Config>;
  readonly #failures = new Map<string, Condition>();
  readonly #held = new Set<string>();
  readonly #refused = new Map<string, { readonly why: string; readonly againMs: number }>();
  readonly #noticed = new Map<string, { readonly what: string; readonly atMs: number }>();
  readonly #stop = new AbortController();
  #rejection: Advertised | undefined;
  #mute = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(plane: ControlPlane, options: OvnkOptions) {
    this.#plane = plane;
    this.#options = { delayMs: 30, pollMs: 20, ...options };
    this.#namespaces = new Watched(plane, namespaces);
    this.#nodes = new Watched(plane, '/api/v1/nodes');
    this.#networks = new Watched(plane, networks);
    this.#advertisements = new Watched(plane, advertisements);
    this.#configs = new Watched(plane, frrConfigurations);
  }

  get #watches(): readonly Watched<Seen>[] {
    const own = [this.#networks, this.#advertisements, this.#configs];
    return [this.#namespaces, this.#nodes, ...own];
  }

  start(): void {
    const listed = Promise.all([this.#namespaces.start(), this.#nodes.start()]);
    void this.#networks.start();
    void this.#advertisements.start();
    void this.#configs.start();
    this.#ended = this.#play(listed);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    for (const watched of this.#watches) watched.stop();
    await this.#ended;
  }

  fail(network: string, message: string | undefined, reason = 'SyncError'): void {
    if (message === undefined) this.#failures.delete(network);
    else this.#failures.set(network, notCreated(message, reason));
  }

  hold(network: string, isHeld: boolean): void {
    if (isHeld) this.#held.add(network);
    else this.#held.delete(network);
  }

  reject(message: string | undefined, reason = 'ConfigurationError'): void {
    this.#rejection = message === undefined ? undefined : mistaken(message, reason);
  }

  mute(isMute: boolean): void {
    this.#mute = isMute;
  }

  async #play(listed: Promise<unknown>): Promise<void> {
    const { signal } = this.#stop;
    // Without them every network would look as if it had no namespace.
    await Promise.race([listed, new Promise((end) => signal.addEventListener('abort', end))]);
    while (!signal.aborted) {
      try {
        await this.#turn();
      } catch {
        // The API server is down or somebody else wrote: the next look tries again.
      }
      await sleep(this.#options.pollMs, undefined, { signal }).catch(() => {});
    }
  }

  async #turn(): Promise<void> {
    for (const network of [...this.#networks.objects.values()]) await this.#serve(network);
    for (const ra of [...this.#advertisements.objects.values()]) await this.#advertise(ra);
    for (const config of this.#generated()) {
      const owner = config.metadata.labels?.[ADVERTISED_BY] ?? '';
      if (!this.#advertisements.objects.has(owner)) await this.#remove(config);
    }
  }

  async #serve(network: Network): Promise<void> {
    const { name, finalizers = [], deletionTimestamp, resourceVersion } = network.metadata;
    const path = `${networks}/${name}`;
    const write = async (kept: readonly string[]): Promise<void> => {
      if (!this.#isDue(path, kept.join())) return;
      await this.#plane.api.patch(path, { metadata: { resourceVersion, finalizers: kept } });
    };
    const isProtected = finalizers.includes(PROTECTION);
    if (deletionTimestamp === undefined) {
      if (!isProtected) return write([...finalizers, PROTECTION]);
      const { condition } = this.#served(network);
      return this.#report(path, network, this.#failures.get(name) ?? condition);
    }
    if (!isProtected) return undefined;
    const pods = await this.#podsOn(network);
    if (pods.length === 0 && !this.#held.has(name))
      return write(finalizers.filter((finalizer) => finalizer !== PROTECTION));
    const users = pods.length === 0 ? '' : ` by the following pods: [${pods.join(', ')}]`;
    return this.#report(path, network, notCreated(`network in use${users}`));
  }

  #served(network: Network): ReturnType<typeof serve> {
    const all = [...this.#networks.objects.values()];
    return serve(network, all, [...this.#namespaces.objects.values()]);
  }

  /** `namespace/pod` of those that have not ended. */
  async #podsOn(network: Network): Promise<string[]> {
    const found: string[] = [];
    for (const namespace of this.#served(network).namespaces) {
      const { items } = await this.#plane.api.get(`${namespaces}/${namespace}/pods`);
      for (const { metadata, status } of items as PodSeen[])
        if (status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
          found.push(`${namespace}/${metadata.name}`);
    }
    return found.sort();
  }

  async #advertise(ra: RouteAdvertisements): Promise<void> {
    const { name } = ra.metadata;
    const path = `${advertisements}/${name}`;
    const result = this.#rejection ?? advertise(ra, this.#world());
    const isDone = result.generated === undefined || (await this.#generate(name, result.generated));
    const refused = this.#refused.get(name);
    const { condition } =
      isDone || refused === undefined ? result : mistaken(refused.why, 'InternalError');
    const words = condition.status === 'True' ? 'Accepted' : `Not Accepted: ${condition.message}`;
    const { generation = 0 } = ra.metadata;
    const dated = { ...condition, observedGeneration: generation };
    await this.#report(path, ra, dated, { status: words });
  }

  #world(): Parameters<typeof advertise>[1] {
    const all = [...this.#networks.objects.values()];
    return {
      networks: all.filter((network) => this.#served(network).namespaces.length > 0),
      nodes: [...this.#nodes.objects.values()],
      configs: [...this.#configs.objects.values()],
    };
  }

  #generated(): Config[] {
    return [...this.#configs.objects.values()].filter(({ metadata }) => {
      return metadata.name.startsWith(GENERATED);
    });
  }

  /** Makes the generated objects what they should be; false when a write was refused. */
  async #generate(owner: string, wanted: ReadonlyMap<string, object>): Promise<boolean> {
    const refused = this.#refused.get(owner);
    if (refused !== undefined && Date.now() < refused.againMs) return false;
    const own = this.#generated().filter((one) => one.metadata.labels?.[ADVERTISED_BY] === owner);
    const byKey = new Map(own.map((one) => [one.metadata.annotations?.[ADVERTISED_BY] ?? '', one]));
    const differs = [...wanted].filter(([key, spec]) => {
      return !isDeepStrictEqual(byKey.get(key)?.spec, spec);
    });
    const extra = own.filter((one) => byKey.get(keyOf(one)) !== one || !wanted.has(keyOf(one)));
    const what = JSON.stringify([differs, extra.map((one) => one.metadata.name)]);
    if (differs.length + extra.length === 0 || !this.#isDue(`generated ${owner}`, what))
      return true;
    for (const config of extra) await this.#remove(config);
    for (const [key, spec] of differs) {
      const why = await this.#put(owner, key, spec, byKey.get(key));
      if (why === '') continue;
      this.#refused.set(owner, { why, againMs: Date.now() + retryMs });
      return false;
    }
    this.#refused.delete(owner);
    return true;
  }

  /** '' = done, or why not. */
  async #put(owner: string, key: string, spec: object, before?: Config): Promise<string> {
    const metadata = before?.metadata ?? {
      generateName: GENERATED,
      namespace: FRR_NAMESPACE,
      labels: { [ADVERTISED_BY]: owner },
      annotations: { [ADVERTISED_BY]: key },
    };
    const kind = { apiVersion: 'frrk8s.metallb.io/v1beta1', kind: 'FRRConfiguration' };
    const path = before ? `${frrConfigurations}/${before.metadata.name}` : frrConfigurations;
    const method = before ? 'PUT' : 'POST';
    const { status, body } = await this.#plane.api.call(method, path, { ...kind, metadata, spec });
    // Somebody else was faster: what there is now is looked at next.
    if (status === 409) return '';
    if (status >= 300) return String(body.message);
    // What was just written is known before the watch tells of it: it must not be made twice.
    this.#configs.objects.set(body.metadata.name, body);
    return '';
  }

  async #remove(config: Config): Promise<void> {
    await this.#plane.api.call('DELETE', `${frrConfigurations}/${config.metadata.name}`);
  }

  async #report(
    path: string,
    { status }: Network | RouteAdvertisements,
    wanted: Condition,
    more: object = {},
  ): Promise<void> {
    if (this.#mute) return;
    const before = status?.conditions?.find(({ type }) => type === wanted.type);
    const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    const since = before?.status === wanted.status ? before.lastTransitionTime : now;
    const lastTransitionTime = since ?? now;
    const condition = { ...wanted, lastTransitionTime };
    if (isDeepStrictEqual(before, condition) || !this.#isDue(`${path} status`, wanted.message))
      return;
    await this.#plane.api.patch(`${path}/status`, { status: { ...more, conditions: [condition] } });
  }

  /** Whether this has been waiting to be written for long enough. */
  #isDue(key: string, what: string): boolean {
    const now = Date.now();
    const noticed = this.#noticed.get(key);
    if (noticed?.what !== what) this.#noticed.set(key, { what, atMs: now });
    return now >= (noticed?.what === what ? noticed.atMs : now) + this.#options.delayMs;
  }
}

interface PodSeen {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly phase?: string };
}

const keyOf = (config: Config): string => config.metadata.annotations?.[ADVERTISED_BY] ?? '';
