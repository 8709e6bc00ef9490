/**
 * A cluster that obeys bgp's decisions: a watcher that tells facts, a publisher that writes what
 * was decided, OVN-Kubernetes that makes copies and reports, and FRR that opens sessions.
 */
import assert from 'node:assert/strict';
import type { BgpConfig, BgpRouting } from '../../core/bgp-fact.ts';
import { canonicalJson } from '../../core/canonical.ts';
import type { Event, Heard, Speaker } from '../../core/event.ts';
import type { Fact, Node } from '../../core/fact.ts';
import type { ManagedKind, ManagedObject } from '../../core/managed.ts';
import { bgp } from '../../services/bgp/room.ts';
import type { ObjectDecided, World } from '../../services/bgp/world.ts';
import { givenNamespace, givenNode, NOW_MS } from './givens.ts';
import { copiesWanted, refusal, reportOf } from './ovnk.ts';

const allKinds = [
  ...['cudnbgpconfigs', 'cudnbgproutings', 'networks', 'frrconfigurations'],
  ...['clusteruserdefinednetworks', 'routeadvertisements', 'namespaces', 'frrpods'],
  'bgpsessionstates',
];

export class Field {
  readonly room = bgp();
  world: World = this.room.fresh();
  nowMs = NOW_MS;
  /** Everything that was ever heard, for a restart. */
  log: Heard[] = [];
  readonly objects = new Map<string, ManagedObject>();
  readonly configs = new Map<string, BgpConfig>();
  readonly routings = new Map<string, BgpRouting>();
  readonly nodes = new Map<string, Node>();
  readonly readyPods = new Set<string>();
  /** Neighbours that do not answer. */
  readonly deaf = new Set<string>();
  readonly sessions = new Map<string, string>();
  /** What was refused by frr-k8s' webhook: each a sin of ours. */
  readonly denied: string[] = [];
  /** The latest decision on each object: the publisher sees to all of them, always. */
  readonly todo = new Map<string, ObjectDecided>();
  readonly done: string[] = [];
  said = 0;
  /** Nothing that is decided is written. */
  publisherAsleep = false;
  /** OVN-Kubernetes does not come to it. */
  ovnAsleep = false;
  #uid = 0;
  #wakeMs = Number.POSITIVE_INFINITY;

  /** All kinds are served, the Network is there, and a node with FRR for each letter. */
  static withNodes(letters: string, unserved: readonly string[] = []): Field {
    const field = new Field();
    field.serve(unserved);
    for (const letter of letters) field.addNode(`worker-${letter}`, letter);
    return field;
  }

  serve(unserved: readonly string[] = []): void {
    for (const plural of allKinds)
      this.tell({ kind: 'KindSeen', plural, served: !unserved.includes(plural) });
    this.tell({ kind: 'Synced', kinds: ['nodes'], probing: 'off' });
    if (!unserved.includes('networks')) this.put('Network', 'cluster', { spec: '{}' });
  }

  addNode(name: string, letter: string, ready = true): void {
    const node = givenNode(name, letter);
    this.nodes.set(name, node);
    this.tell({ kind: 'NodeSeen', node });
    this.pod(name, ready);
  }

  pod(node: string, ready: boolean): void {
    if (ready) this.readyPods.add(node);
    else this.readyPods.delete(node);
    const name = `frr-k8s-${node}`;
    this.tell({ kind: 'FrrPodSeen', pod: { name, uid: `uid-${name}`, node, ready } });
  }

  namespace(name: string, network: string, more: { deleting?: boolean } = {}): void {
    this.tell({ kind: 'NamespaceSeen', namespace: { ...givenNamespace(name, network), ...more } });
  }

  config(config: BgpConfig): void {
    this.configs.set(config.name, config);
    this.tell({ kind: 'BgpConfigSeen', config });
  }

  routing(routing: BgpRouting): void {
    this.routings.set(routing.name, routing);
    this.tell({ kind: 'BgpRoutingSeen', routing });
  }

  /** As `kubectl delete` does: without a finalizer it is gone at once. */
  deleteRouting(name: string): void {
    const routing = this.routings.get(name);
    assert.ok(routing);
    if (routing.finalizers.length > 0) this.routing({ ...routing, deleting: true });
    else this.dropRouting(name);
  }

  dropRouting(name: string): void {
    const uid = this.routings.get(name)?.uid ?? '';
    this.routings.delete(name);
    this.tell({ kind: 'BgpRoutingGone', name, uid });
  }

  deleteConfig(): void {
    const config = this.configs.get('cluster');
    assert.ok(config);
    this.config({ ...config, deleting: true });
  }

  put(object: ManagedKind, name: string, more: Partial<ManagedObject>): ManagedObject {
    const known = this.objects.get(`${object}/${name}`);
    const seen: ManagedObject = {
      ...{ object, name, uid: known?.uid ?? `uid-${++this.#uid}`, generation: 1, labels: {} },
      ...{ annotations: {}, finalizers: [], deleting: false, spec: '{}', conditions: [] },
      ...known,
      ...more,
    };
    this.objects.set(`${object}/${name}`, seen);
    this.tell({ kind: 'ObjectSeen', seen });
    return seen;
  }

  remove(object: ManagedKind, name: string): void {
    const known = this.objects.get(`${object}/${name}`);
    if (known === undefined) return;
    this.objects.delete(`${object}/${name}`);
    this.tell({ kind: 'ObjectGone', object, name, uid: known.uid });
  }

  object(object: ManagedKind, name: string): ManagedObject | undefined {
    return this.objects.get(`${object}/${name}`);
  }

  spec(object: ManagedKind, name: string): unknown {
    return JSON.parse(this.object(object, name)?.spec ?? 'null');
  }

  names(object: ManagedKind): string[] {
    const all = [...this.objects.values()].filter((one) => one.object === object);
    const own = all.filter(({ name }) => !name.startsWith('ovnk-generated-'));
    return own.map(({ name }) => name).toSorted();
  }

  tell(fact: Fact): void {
    this.#hear('watcher', fact);
  }

  /** An event of another log, as the watcher's. */
  tellAgain(event: Event): void {
    this.#hear('watcher', event);
  }

  /** aws-sync speaks. */
  tellAws(event: Event): void {
    this.#hear('aws-sync', event);
  }

  #hear(stream: Speaker, event: Event, said = ''): void {
    const sequence = this.log.length + 1;
    const heard: Heard = { stream, sequence, atMs: this.nowMs, causes: [], said, event };
    this.log.push(heard);
    this.room.fold(this.world, heard);
  }

  /**
   * Lets the room decide until it rests; returns how much it said. Thinking it all over once more
   * brings nothing new (law 4).
   */
  think(): number {
    const said = this.#decide();
    this.world.dirty = true;
    assert.equal(this.#decide(), 0, 'after hearing itself the room has nothing to say');
    this.said += said;
    return said;
  }

  #decide(): number {
    let said = 0;
    for (let turns = 0; ; turns++) {
      assert.ok(turns < 1_000, 'the room comes to rest');
      const { says, does, more } = this.room.decide(this.world);
      for (const { event, said: words } of says) {
        this.#hear('bgp', event, words);
        if (event.kind === 'ObjectDecided') this.todo.set(`${event.object}/${event.name}`, event);
      }
      said += says.length;
      for (const { atMs } of does) this.#wakeMs = Math.min(this.#wakeMs, atMs);
      if (!more && says.length === 0) return said;
    }
  }

  /** Decides and obeys until nothing happens any more; returns how many decisions there were. */
  rest(): number {
    let all = 0;
    for (let round = 0; ; round++) {
      assert.ok(round < 100, 'the cluster comes to rest');
      const said = this.think();
      all += said;
      const did = this.obey();
      if (said === 0 && !did) return all;
    }
  }

  /** Time goes by; the room is woken when it asked to be. */
  pass(ms: number): void {
    const endMs = this.nowMs + ms;
    while (this.#wakeMs <= endMs) {
      this.nowMs = Math.max(this.nowMs, this.#wakeMs);
      this.#wakeMs = Number.POSITIVE_INFINITY;
      this.room.sense(this.world, { kind: 'Now', nowMs: this.nowMs });
      this.rest();
    }
    this.nowMs = endMs;
  }

  /** One round of everybody else; returns whether anything changed. */
  obey(): boolean {
    const before = this.log.length;
    if (!this.publisherAsleep) for (const decided of this.todo.values()) this.carryOut(decided);
    this.#carryFinalizers();
    if (!this.ovnAsleep) this.#ovn();
    this.#frr();
    return this.log.length > before;
  }

  /** The publisher: it touches no object that the decision does not know. */
  carryOut({ object, name, uid, want, labels, dropped, spec }: ObjectDecided): void {
    const seen = this.object(object, name);
    if (want === 'untouched' || (seen !== undefined && seen.uid !== uid)) return;
    if (want === 'absent') {
      if (seen === undefined) return;
      if (seen.finalizers.length === 0) this.remove(object, name);
      else if (!seen.deleting) this.put(object, name, { deleting: true });
      return;
    }
    if (seen?.deleting === true) return;
    const kept = Object.entries(seen?.labels ?? {}).filter(([key]) => !dropped.includes(key));
    const next = { ...Object.fromEntries(kept), ...labels };
    if (seen?.spec === spec && canonicalJson(seen.labels) === canonicalJson(next)) return;
    const denial = object === 'FRRConfiguration' ? refusal(this, name, spec) : undefined;
    if (denial !== undefined) {
      this.denied.push(`${name}: ${denial}`);
      return;
    }
    this.done.push(`${seen === undefined ? 'create' : 'update'} ${name}`);
    const edited = seen !== undefined && seen.spec !== spec;
    const generation = (seen?.generation ?? 1) + Number(edited);
    this.put(object, name, { labels: next, spec, generation });
  }

  #carryFinalizers(): void {
    for (const decided of this.world.routingsDecided.values()) {
      const routing = this.routings.get(decided.name);
      if (routing?.uid !== decided.uid) continue;
      const has = routing.finalizers.length > 0;
      if (routing.deleting && !decided.finalizer) this.dropRouting(routing.name);
      else if (has !== decided.finalizer && !routing.deleting)
        this.routing({ ...routing, finalizers: decided.finalizer ? [ROUTING_FINALIZER] : [] });
    }
    const config = this.configs.get('cluster');
    const decided = this.world.configsDecided.get('cluster');
    if (config === undefined || decided?.uid !== config.uid) return;
    if (!config.deleting && config.finalizers.length === 0 && decided.finalizer)
      this.config({ ...config, finalizers: [CONFIG_FINALIZER] });
    if (!config.deleting || decided.finalizer) return;
    this.configs.delete('cluster');
    this.tell({ kind: 'BgpConfigGone', name: 'cluster', uid: config.uid });
  }

  #ovn(): void {
    for (const seen of [...this.objects.values()]) {
      const conditions = reportOf(this, seen);
      if (JSON.stringify(conditions) !== JSON.stringify(seen.conditions))
        this.put(seen.object, seen.name, { conditions });
    }
    const wanted = copiesWanted(this);
    for (const [key, { object, name }] of [...this.objects])
      if (name.startsWith('ovnk-generated-') && !wanted.has(key)) this.remove(object, name);
    for (const [key, { name, ...copy }] of wanted)
      if (!this.objects.has(key)) this.put('FRRConfiguration', name, { ...copy, spec: '' });
  }

  #frr(): void {
    const wanted = new Map<string, string>();
    for (const { node, peer } of this.pairs())
      wanted.set(`${node}-${peer}`, this.deaf.has(peer) ? 'Active' : 'Established');
    for (const [name, bgpStatus] of wanted) {
      const node = name.slice(0, name.lastIndexOf('-'));
      // A dead FRR tells nothing any more.
      if (this.sessions.get(name) === bgpStatus || !this.readyPods.has(node)) continue;
      this.sessions.set(name, bgpStatus);
      const peer = name.slice(node.length + 1);
      const session = { name: `${node}-${peer.replaceAll('.', '-')}`, uid: `uid-${name}`, node };
      this.tell({
        kind: 'SessionSeen',
        session: { ...session, peer, vrf: '', bgpStatus, bfdStatus: '' },
      });
    }
    for (const name of [...this.sessions.keys()].filter((one) => !wanted.has(one))) {
      this.sessions.delete(name);
      this.tell({ kind: 'SessionGone', name: name.replaceAll('.', '-'), uid: `uid-${name}` });
    }
  }

  /** Node × neighbour of all FRRConfigurations. */
  pairs(): { node: string; peer: string }[] {
    return this.names('FRRConfiguration').flatMap((name) => {
      const spec = this.spec('FRRConfiguration', name) as FrrSpec;
      const wanted = Object.entries(spec.nodeSelector.matchLabels ?? {});
      const nodes = [...this.nodes.values()].filter(({ labels }) =>
        wanted.every(([key, value]) => labels[key] === value),
      );
      const peers = spec.bgp.routers.flatMap((router) => router.neighbors);
      return nodes.flatMap((node) => peers.map((one) => ({ node: node.name, peer: one.address })));
    });
  }

  /** The process starts anew: it hears the last word on each subject again. */
  restart(): void {
    this.world = this.room.fresh();
    for (const heard of this.log) this.room.fold(this.world, heard);
  }

  configState() {
    const decided = this.world.configsDecided.get('cluster');
    assert.ok(decided, 'the config is decided on');
    return decided;
  }

  routingState(name = 'prod') {
    const decided = this.world.routingsDecided.get(name);
    assert.ok(decided, `${name} is decided on`);
    return decided;
  }

  /** `True Applied`: status and reason of a condition of the config, or of a routing. */
  condition(type: string, routing?: string): string {
    const { conditions } = routing === undefined ? this.configState() : this.routingState(routing);
    const found = conditions.find((one) => one.type === type);
    return found === undefined ? '' : `${found.status} ${found.reason}`;
  }

  message(type: string, routing?: string): string {
    const { conditions } = routing === undefined ? this.configState() : this.routingState(routing);
    return conditions.find((one) => one.type === type)?.message ?? '';
  }
}

export interface FrrSpec {
  readonly nodeSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly bgp: {
    readonly routers: readonly {
      readonly asn: number;
      readonly neighbors: readonly {
        readonly address: string;
        readonly asn: number;
        readonly connectTime?: string;
        readonly bfdProfile?: string;
      }[];
    }[];
    readonly bfdProfiles?: readonly { readonly name: string }[];
  };
}

export const CONFIG_FINALIZER = 'networking.openshift.io/cudnbgpconfig';
export const ROUTING_FINALIZER = 'networking.openshift.io/cudnbgprouting';
