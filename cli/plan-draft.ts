/** The cluster as somebody means to change it: what is on the log, and what would be otherwise. */
import type { BgpConfig, BgpRouting } from '../core/bgp-fact.ts';
import type { EgressIP, Fact, Node } from '../core/fact.ts';
import type { Picture } from '../services/assigner/explain-picture.ts';
import { didYouMean, exit, Failure } from './failure.ts';

/** The label by which nodes belong to a zone. */
export const ZONE = 'topology.kubernetes.io/zone';

export class Draft {
  readonly #nodes = new Map<string, Node>();
  readonly #egressIPs = new Map<string, EgressIP>();
  readonly #configs = new Map<string, BgpConfig>();
  readonly #routings = new Map<string, BgpRouting>();
  /** What was changed, in order: the last word on each counts. */
  readonly #facts = new Map<string, Fact>();

  constructor(picture: Picture) {
    for (const { event } of picture) {
      if (event.kind === 'NodeSeen') this.#nodes.set(event.node.name, event.node);
      if (event.kind === 'EgressIPSeen') this.#egressIPs.set(event.egressIP.name, event.egressIP);
      if (event.kind === 'BgpConfigSeen') this.#configs.set(event.config.name, event.config);
      if (event.kind === 'BgpRoutingSeen') this.#routings.set(event.routing.name, event.routing);
    }
  }

  get facts(): readonly Fact[] {
    return [...this.#facts.values()];
  }

  knownNode(name: string): Node | undefined {
    return this.#nodes.get(name);
  }

  knownEgressIP(name: string): EgressIP | undefined {
    return this.#egressIPs.get(name);
  }

  /** Something of BGP routing itself is changed; `egress` = something of all else is. */
  get asks(): { readonly routing: boolean; readonly egress: boolean } {
    const routing = this.facts.filter(({ kind }) => kind.startsWith('Bgp')).length;
    return { routing: routing > 0, egress: this.facts.length > routing };
  }

  knownConfig(name: string): BgpConfig | undefined {
    return this.#configs.get(name);
  }

  knownRouting(name: string): BgpRouting | undefined {
    return this.#routings.get(name);
  }

  /** Throws Failure 64 when there is none. */
  node(name: string): Node {
    return this.#nodes.get(name) ?? unknown('node', name, this.#nodes.keys());
  }

  /** The nodes of a zone. Throws Failure 64 when there is none. */
  zone(name: string): readonly Node[] {
    const zones = Map.groupBy(this.#nodes.values(), ({ labels }) => labels[ZONE] ?? '');
    zones.delete('');
    return zones.get(name) ?? unknown('zone', name, zones.keys());
  }

  putNode(node: Node): void {
    this.#nodes.set(node.name, node);
    this.#facts.set(`node/${node.name}`, { kind: 'NodeSeen', node });
  }

  putEgressIP(egressIP: EgressIP): void {
    this.#egressIPs.set(egressIP.name, egressIP);
    this.#facts.set(`egressip/${egressIP.name}`, { kind: 'EgressIPSeen', egressIP });
  }

  putConfig(config: BgpConfig): void {
    this.#configs.set(config.name, config);
    this.#facts.set(`cudnbgpconfig/${config.name}`, { kind: 'BgpConfigSeen', config });
  }

  putRouting(routing: BgpRouting): void {
    this.#routings.set(routing.name, routing);
    this.#facts.set(`cudnbgprouting/${routing.name}`, { kind: 'BgpRoutingSeen', routing });
  }

  loseNode({ name, uid }: Node): void {
    this.#facts.set(`node/${name}`, { kind: 'NodeGone', name, uid });
  }

  /** Throws Failure 64 when there is none. */
  deleteEgressIP(name: string): void {
    const known = this.#egressIPs.get(name) ?? unknown('EgressIP', name, this.#egressIPs.keys());
    this.#facts.set(`egressip/${name}`, { kind: 'EgressIPGone', name, uid: known.uid });
  }

  /** Throws Failure 64 when there is none. */
  deleteConfig(name: string): void {
    const known = this.#configs.get(name) ?? unknown('CUDNBgpConfig', name, this.#configs.keys());
    if (known.finalizers.length > 0) return this.putConfig(doomed(known));
    this.#facts.set(`cudnbgpconfig/${name}`, { kind: 'BgpConfigGone', name, uid: known.uid });
  }

  /** Throws Failure 64 when there is none. */
  deleteRouting(name: string): void {
    const known =
      this.#routings.get(name) ?? unknown('CUDNBgpRouting', name, this.#routings.keys());
    if (known.finalizers.length > 0) return this.putRouting(doomed(known));
    this.#facts.set(`cudnbgprouting/${name}`, { kind: 'BgpRoutingGone', name, uid: known.uid });
  }
}

/** As `kubectl delete` leaves it: with a finalizer it is there until nothing is left of it. */
const doomed = <T extends BgpConfig | BgpRouting>(known: T): T => ({
  ...known,
  deleting: true,
  generation: known.generation + 1,
});

function unknown(kind: string, name: string, known: Iterable<string>): never {
  throw new Failure(exit.usage, `there is no ${kind} "${name}".${didYouMean(name, known)}`);
}
