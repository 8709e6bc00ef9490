/** The cluster as somebody means to change it: what is on the log, and what would be otherwise. */
import type { EgressIP, Fact, Node } from '../core/fact.ts';
import type { Picture } from '../services/assigner/explain-picture.ts';
import { didYouMean, exit, Failure } from './failure.ts';

/** The label by which nodes belong to a zone. */
export const ZONE = 'topology.kubernetes.io/zone';

export class Draft {
  readonly #nodes = new Map<string, Node>();
  readonly #egressIPs = new Map<string, EgressIP>();
  /** What was changed, in order: the last word on each counts. */
  readonly #facts = new Map<string, Fact>();

  constructor(picture: Picture) {
    for (const { event } of picture) {
      if (event.kind === 'NodeSeen') this.#nodes.set(event.node.name, event.node);
      if (event.kind === 'EgressIPSeen') this.#egressIPs.set(event.egressIP.name, event.egressIP);
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

  loseNode({ name, uid }: Node): void {
    this.#facts.set(`node/${name}`, { kind: 'NodeGone', name, uid });
  }

  /** Throws Failure 64 when there is none. */
  deleteEgressIP(name: string): void {
    const known = this.#egressIPs.get(name) ?? unknown('EgressIP', name, this.#egressIPs.keys());
    this.#facts.set(`egressip/${name}`, { kind: 'EgressIPGone', name, uid: known.uid });
  }
}

function unknown(kind: string, name: string, known: Iterable<string>): never {
  throw new Failure(exit.usage, `there is no ${kind} "${name}".${didYouMean(name, known)}`);
}
