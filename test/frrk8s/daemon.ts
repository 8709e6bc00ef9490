/**
 * A double of frr-k8s and FRR on every node: pods, and a BGPSessionState for each session of the
 * nodes that FRRConfigurations select (`spec/frr-ovn-aws-facts.md` 2.5).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Seen, Watched } from '../cluster/watched.ts';
import type { ControlPlane } from '../controlplane/controlplane.ts';
import {
  FRR_NAMESPACE,
  type FrrConfiguration,
  frrConfigurations,
  frrNamespace,
  frrPods,
  type Labels,
  sessionStates,
} from './objects.ts';
import { daemonPod, podNameOf, podStatus, type PodState, webhookPod } from './pods.ts';
import { keyOf, peerLabel, type Session, sessionsOf } from './sessions.ts';

/** All in milliseconds; the defaults are short, for tests. What frr-k8s takes is in brackets. */
export interface FrrOptions {
  /** From a change of objects or labels to FRR's new configuration; default 50 (3,500). */
  readonly reloadMs?: number;
  /** From then, or from the neighbor's coming up, to Established; default 100 (5,000 to 8,000). */
  readonly connectMs?: number;
  /** How long a new BGPSessionState has no status; default 50 (60 to 130). */
  readonly bornMs?: number;
  /** How often FRR is asked for its sessions; default 20 (1,000 to 120,000). */
  readonly pollMs?: number;
  /**
   * Makes each new object twice, and deletes one at the next look, as frr-k8s often does; default
   * no.
   */
  readonly duplicates?: boolean;
}

export interface FrrDouble {
  /** Puts a pod on the node, or changes the one that is there; FRR runs on it from then on. */
  pod(node: string, state?: PodState): Promise<void>;
  /** The pod of frr-k8s' webhook, which is none of a node, on some node. */
  webhookPod(node: string, state: PodState): Promise<void>;
  /** The pod goes, and with it, by garbage collection, what it told of the node's sessions. */
  removePod(node: string): Promise<void>;
  /** FRR on the node dies: what is told of its sessions stays as it is. The pod is NotReady. */
  die(node: string, pod?: PodState): Promise<void>;
  /** FRR on the node runs again, and its sessions come back. */
  revive(node: string): Promise<void>;
  /** Whether the neighbor at this address answers; each does until it is told otherwise. */
  peer(address: string, isUp: boolean): void;
  /** The neighbor comes and goes, so long each, until `peer` ends that. */
  flap(address: string, everyMs: number): void;
  /** Ends; pods and objects stay. */
  stop(): Promise<void>;
}

/** Makes the namespace of frr-k8s, and plays from then on; kinds may be served later. */
export async function openFrr(plane: ControlPlane, options: FrrOptions = {}): Promise<FrrDouble> {
  await plane.api.apply(frrNamespace);
  const frr = new Frr(plane, options);
  frr.start();
  return frr;
}

interface Labelled extends Seen {
  readonly metadata: Seen['metadata'] & { readonly labels?: Labels };
}

/** What FRR runs on a node, and what it is about to run. */
interface Daemon {
  alive: boolean;
  podUid: string;
  sessions: readonly Session[];
  coming: { readonly sessions: readonly Session[]; readonly atMs: number } | undefined;
}

interface SessionStatus {
  readonly node: string;
  readonly peer: string;
  readonly vrf?: string;
  readonly bgpStatus: 'Idle' | 'Active' | 'Established';
  readonly bfdStatus: 'Up' | 'Down' | 'N/A';
}

/** A session and the object that tells of it. */
interface Told {
  readonly session: Session;
  /** '' = not made yet. */
  name: string;
  bornMs: number;
  written: SessionStatus | undefined;
  /** Since when both sides could have talked; Infinity = the neighbor is down. */
  reachableSinceMs: number;
}

class Frr implements FrrDouble {
  readonly #plane: ControlPlane;
  readonly #options: Required<FrrOptions>;
  readonly #configs: Watched<FrrConfiguration & Seen>;
  readonly #nodes: Watched<Labelled>;
  readonly #states: Watched<Labelled>;
  readonly #daemons = new Map<string, Daemon>();
  readonly #told = new Map<string, Told>();
  readonly #peers = new Map<string, (nowMs: number) => boolean>();
  readonly #stop = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(plane: ControlPlane, options: FrrOptions) {
    this.#plane = plane;
    const defaults = { reloadMs: 50, connectMs: 100, bornMs: 50, pollMs: 20, duplicates: false };
    this.#options = { ...defaults, ...options };
    this.#configs = new Watched(plane, frrConfigurations);
    this.#nodes = new Watched(plane, '/api/v1/nodes');
    this.#states = new Watched(plane, sessionStates);
  }

  start(): void {
    void this.#configs.start();
    void this.#nodes.start();
    void this.#states.start();
    this.#ended = this.#play();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#configs.stop();
    this.#nodes.stop();
    this.#states.stop();
    await this.#ended;
  }

  async pod(node: string, state: PodState = 'Ready'): Promise<void> {
    const made = await this.#plane.api.apply(daemonPod(node));
    await this.#podState(podNameOf(node), state);
    const daemon = this.#daemons.get(node);
    if (daemon !== undefined) daemon.podUid = made.metadata.uid;
    else {
      const fresh = { alive: true, podUid: made.metadata.uid, sessions: [], coming: undefined };
      this.#daemons.set(node, fresh);
    }
  }

  async webhookPod(node: string, state: PodState): Promise<void> {
    const made = await this.#plane.api.apply(webhookPod(node));
    await this.#podState(made.metadata.name, state);
  }

  async removePod(node: string): Promise<void> {
    this.#daemons.delete(node);
    // There is no kubelet that would confirm the end.
    await this.#plane.api.delete(`${frrPods}/${podNameOf(node)}?gracePeriodSeconds=0`);
  }

  async die(node: string, pod: PodState = 'NotReady'): Promise<void> {
    this.#daemon(node).alive = false;
    await this.#podState(podNameOf(node), pod);
  }

  async revive(node: string): Promise<void> {
    const daemon = this.#daemon(node);
    daemon.alive = true;
    const now = Date.now();
    for (const told of this.#told.values())
      if (told.session.node === node) told.reachableSinceMs = now;
    await this.#podState(podNameOf(node), 'Ready');
  }

  peer(address: string, isUp: boolean): void {
    this.#peers.set(address, () => isUp);
  }

  flap(address: string, everyMs: number): void {
    this.#peers.set(address, (nowMs) => Math.floor(nowMs / everyMs) % 2 === 0);
  }

  #daemon(node: string): Daemon {
    const daemon = this.#daemons.get(node);
    if (daemon === undefined) throw new Error(`there is no pod of frr-k8s on ${node}`);
    return daemon;
  }

  async #podState(pod: string, state: PodState): Promise<void> {
    await this.#plane.api.patch(`${frrPods}/${pod}/status`, { status: podStatus(state) });
  }

  async #play(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        this.#reload(Date.now());
        await this.#tell();
      } catch {
        // The API server is down or says no: the next look tries again, as frr-k8s does.
      }
      await sleep(this.#options.pollMs, undefined, { signal }).catch(() => {});
    }
  }

  /** New configurations come to FRR after a while; one that cannot be made never comes. */
  #reload(nowMs: number): void {
    const configs = [...this.#configs.objects.values()];
    for (const [node, daemon] of this.#daemons) {
      const object = this.#nodes.objects.get(node);
      if (!daemon.alive || object === undefined) continue;
      const wanted = sessionsOf(node, object.metadata.labels ?? {}, configs);
      if (wanted === undefined || same(wanted, daemon.sessions)) daemon.coming = undefined;
      else if (daemon.coming === undefined || !same(wanted, daemon.coming.sessions))
        daemon.coming = { sessions: wanted, atMs: nowMs + this.#options.reloadMs };
      else if (daemon.coming.atMs <= nowMs) {
        daemon.sessions = wanted;
        daemon.coming = undefined;
      }
    }
  }

  async #tell(): Promise<void> {
    const running = [...this.#daemons.values()].flatMap(({ sessions }) => sessions);
    const wanted = new Map(running.map((session) => [keyOf(session), session]));
    for (const [key, told] of this.#told) {
      const session = wanted.get(key);
      if (session !== undefined && session.bfd === told.session.bfd) continue;
      if (session !== undefined) this.#told.set(key, { ...told, session });
      else if (await this.#forget(told)) this.#told.delete(key);
    }
    for (const [key, session] of wanted) {
      const told = this.#told.get(key) ?? newlyTold(session);
      this.#told.set(key, told);
      if (this.#daemons.get(session.node)?.alive === true) await this.#write(told);
    }
    await this.#prune();
  }

  /** Of what is told twice, or of nothing, nothing stays. */
  async #prune(): Promise<void> {
    const names = new Set([...this.#told.values()].map(({ name }) => name));
    for (const { metadata } of this.#states.objects.values()) {
      const node = metadata.labels?.['frrk8s.metallb.io/node'] ?? '';
      if (names.has(metadata.name) || this.#daemons.get(node)?.alive !== true) continue;
      await this.#plane.api.call('DELETE', `${sessionStates}/${metadata.name}`);
    }
  }

  async #forget({ name }: Told): Promise<boolean> {
    if (name === '') return true;
    const { status } = await this.#plane.api.call('DELETE', `${sessionStates}/${name}`);
    return status < 300 || status === 404;
  }

  async #write(told: Told): Promise<void> {
    const now = Date.now();
    if (told.name === '') {
      told.name = await this.#create(told.session);
      if (this.#options.duplicates) await this.#create(told.session);
      told.bornMs = now;
    }
    const isUp = (this.#peers.get(told.session.peer) ?? (() => true))(now);
    if (!isUp) told.reachableSinceMs = Number.POSITIVE_INFINITY;
    else if (told.reachableSinceMs > now) told.reachableSinceMs = now;
    if (now < told.bornMs + this.#options.bornMs) return;
    const status = this.#statusOf(told, now);
    if (JSON.stringify(status) === JSON.stringify(told.written)) return;
    const path = `${sessionStates}/${told.name}/status`;
    const { status: code } = await this.#plane.api.call('PATCH', path, { status }, mergePatch);
    // Somebody deleted it: it is made again.
    if (code === 404) Object.assign(told, { name: '', written: undefined });
    else if (code < 300) told.written = status;
  }

  #statusOf(told: Told, nowMs: number): SessionStatus {
    const { node, peer, vrf, bfd } = told.session;
    // However late it is looked at, the first that is seen of a session is that it is Idle.
    const isNew = told.written === undefined;
    const isUp = !isNew && told.reachableSinceMs + this.#options.connectMs <= nowMs;
    return {
      node,
      peer: peerLabel(peer),
      ...(vrf === '' ? {} : { vrf }),
      bgpStatus: isUp ? 'Established' : downAs(told),
      bfdStatus: bfd ? (isUp ? 'Up' : 'Down') : 'N/A',
    };
  }

  async #create({ node, peer, vrf }: Session): Promise<string> {
    const prefix = 'frrk8s.metallb.io/';
    const labels = { node, peer: peerLabel(peer), vrf };
    const uid = this.#daemons.get(node)?.podUid;
    const owner = { apiVersion: 'v1', kind: 'Pod', name: podNameOf(node), uid };
    const metadata = {
      generateName: `${node}-`,
      namespace: FRR_NAMESPACE,
      labels: Object.fromEntries(Object.entries(labels).map(([k, v]) => [`${prefix}${k}`, v])),
      ownerReferences: [owner],
    };
    const apiVersion = 'frrk8s.metallb.io/v1beta1';
    const object = { apiVersion, kind: 'BGPSessionState', metadata, spec: {} };
    const { status, body } = await this.#plane.api.call('POST', sessionStates, object);
    if (status !== 201) throw new Error(body.message);
    return body.metadata.name;
  }
}

const mergePatch = 'application/merge-patch+json';

const newlyTold = (session: Session): Told => ({
  session,
  name: '',
  bornMs: 0,
  written: undefined,
  reachableSinceMs: Number.POSITIVE_INFINITY,
});

/** A session that is new or was just lost is Idle; one whose neighbor stays away is tried again. */
function downAs({ written, reachableSinceMs }: Told): 'Idle' | 'Active' {
  if (written?.bgpStatus === 'Active') return 'Active';
  const isAway = reachableSinceMs === Number.POSITIVE_INFINITY;
  return written?.bgpStatus === 'Idle' && isAway ? 'Active' : 'Idle';
}

const same = (a: readonly Session[], b: readonly Session[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
