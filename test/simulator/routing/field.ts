/** What surrounds rooms that route by BGP: OVN-Kubernetes, FRR, AWS, and their troubles. */
import type { JsonObject } from '../../../core/json.ts';
import { INFRASTRUCTURES, NODES } from '../../../edge/simulated/admission.ts';
import {
  FRR_CONFIGURATIONS,
  FRR_PODS,
  NAMESPACES,
  NETWORKS,
  ADVERTISEMENTS,
  OPERATOR_NETWORKS,
  routingCollections,
} from '../../../edge/simulated/kinds.ts';
import { AwsWorld } from '../../aws/control.ts';
import type { Machine } from '../../aws/machine.ts';
import type { RegionControl } from '../../aws/region.ts';
import type { Key } from '../../aws/state.ts';
import { topology, type Topology } from '../../aws/topology.ts';
import { newWorld } from '../../aws/world.ts';
import type { Draw } from '../draw.ts';
import { nodeNames } from '../objects.ts';
import type { Scheduler } from '../scheduler.ts';
import type { ApiServer } from '../api-server.ts';
import type { Shape } from '../plan.ts';
import { Frr } from './frr.ts';
import { frrPod, namespaceObject, networkNames, REGION } from './objects.ts';
import { Ovnk } from './ovnk.ts';
import { reviewOf } from './webhook.ts';

/** What somebody who plays waits for. */
const stirring = new Set([
  ...[NODES, FRR_CONFIGURATIONS, FRR_PODS, NAMESPACES, NETWORKS, ADVERTISEMENTS],
]);

export class Field {
  readonly ovnk: Ovnk;
  readonly frr: Frr;
  readonly aws: AwsWorld;
  readonly region: RegionControl;
  readonly made: Topology;
  /** Node → its machine. */
  readonly machines = new Map<string, Machine>();
  /** Neighbours that do not answer; `node peer` for one side of a session alone. */
  readonly deaf = new Set<string>();
  /** What the webhook refused of what we wrote. */
  readonly denials: string[] = [];
  webhookDownUntilMs = 0;
  asleepUntilMs = 0;
  key: Key;
  readonly #server: ApiServer;
  readonly #scheduler: Scheduler;
  readonly #draw: Draw;
  #due = false;
  #peers = '';

  constructor(server: ApiServer, scheduler: Scheduler, draw: Draw, seed: number, shape: Shape) {
    this.#server = server;
    this.#scheduler = scheduler;
    this.#draw = draw;
    const now = (): number => scheduler.nowMs;
    const lags = shape.routing === 'aws' ? draw.one([[0], [0], [0, 5_000], [0, 0, 25_000]]) : [0];
    const manners = { lagsMs: lags, emptyPages: draw.chance(0.3), pageSize: draw.one([3, 1_000]) };
    this.aws = new AwsWorld(newWorld(seed, manners), now);
    this.region = this.aws.region(REGION);
    this.made = topology(this.region, { nodes: nodeNames.length });
    this.key = this.aws.key();
    for (const [index, name] of nodeNames.entries()) {
      const machine = this.made.nodes[index];
      if (machine !== undefined) this.machines.set(name, machine);
    }
    this.ovnk = new Ovnk(server, now);
    const answers = (node: string, peer: string, asn: number): boolean =>
      shape.routing === 'aws' ? this.#isUp(node, peer, asn) : !this.deaf.has(peer);
    this.frr = new Frr(server, answers);
  }

  /** Serves the kinds, and puts there what is there before anybody asks for BGP. */
  begin(isAws: boolean): void {
    for (const one of routingCollections) this.#server.setServed(one, true);
    const isDown = (): boolean => this.webhookDownUntilMs > this.#scheduler.nowMs;
    this.#server.review = reviewOf(this.#server, isDown, (why) => this.denials.push(why));
    const spec = { managementState: 'Managed', defaultNetwork: { type: 'OVNKubernetes' } };
    this.#server.set(OPERATOR_NETWORKS, 'cluster', { spec });
    for (const network of networkNames)
      this.#server.set(NAMESPACES, `in-${network}`, namespaceObject(`in-${network}`, network));
    if (!isAws) return;
    const status = { infrastructureName: 'sim', platformStatus: { type: 'AWS' } };
    const known = this.#server.get(INFRASTRUCTURES, 'cluster');
    this.#server.set(INFRASTRUCTURES, 'cluster', { ...known, status });
    this.#tick();
  }

  /** What a Node object has of its machine. */
  nodeParts(name: string): { readonly spec: JsonObject; readonly addresses: readonly object[] } {
    const machine = this.machines.get(name);
    const address = machine?.address ?? '';
    return {
      spec: { providerID: machine?.providerID ?? '' },
      addresses: [{ type: 'InternalIP', address }],
    };
  }

  /** Both sides of the session agree, and the peer is there. */
  #isUp(node: string, peer: string, asn: number): boolean {
    if (this.deaf.has(peer) || this.deaf.has(node)) return false;
    const own = this.machines.get(node)?.address;
    const endpoint = this.region.endpoints.find(({ address }) => address === peer);
    return this.region.peers.some(
      (one) =>
        one.state === 'available' &&
        one.endpointId === endpoint?.id &&
        one.address === own &&
        one.asn === asn,
    );
  }

  /** Something changed: whoever plays looks at it after a while. */
  changed(collection: string): void {
    if (stirring.has(collection)) this.stir();
  }

  stir(): void {
    if (this.#due) return;
    this.#due = true;
    const restMs = Math.max(0, this.asleepUntilMs - this.#scheduler.nowMs);
    this.#scheduler.after(restMs + this.#draw.between(20, 1_500), undefined, 'players', () => {
      this.#due = false;
      this.#turn();
    });
  }

  #turn(): void {
    this.ovnk.turn();
    this.frr.turn();
    for (const name of nodeNames) {
      const address = this.machines.get(name)?.address ?? '';
      const { asn, sessions } = this.frr.running.get(name) ?? { asn: 0, sessions: [] };
      const alive = this.#server.get(NODES, name) !== undefined && this.frr.isReady(name);
      const speaks = alive && sessions.length > 0 && !this.deaf.has(name);
      const neighbors = sessions.map(({ peer }) => peer).filter((peer) => !this.deaf.has(peer));
      this.region.speaker(address, speaks ? { asn, bfd: true, neighbors } : undefined);
    }
  }

  /** Peers become available by themselves: sessions are looked at now and then. */
  #tick(): void {
    this.#scheduler.after(5_000, undefined, 'sessions', () => {
      const peers = this.region.peers.map(({ id, state, asn }) => `${id} ${state} ${asn}`).join();
      if (peers !== this.#peers) this.frr.turn();
      this.#peers = peers;
      this.#tick();
    });
  }

  heal(): void {
    this.webhookDownUntilMs = 0;
    this.asleepUntilMs = 0;
    this.deaf.clear();
    this.ovnk.held.clear();
    for (const { metadata, ...pod } of this.#server.list(FRR_PODS)) {
      const { nodeName } = pod['spec'] as { nodeName: string };
      const { status } = frrPod(nodeName, true) as { status: object };
      this.#server.set(FRR_PODS, metadata.name, { ...pod, metadata, status });
    }
    for (const { id, state } of this.region.endpoints)
      if (state !== 'available') this.region.setEndpoint(id, { state: 'available' });
    this.aws.clearFaults();
    this.region.state.doomed.clear();
    this.stir();
  }
}
