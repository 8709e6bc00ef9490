/**
 * The assigner on a bench: facts go in, decisions come out, and the log that remains can be
 * replayed.
 */
import assert from 'node:assert/strict';
import type { Decision } from '../../core/decision.ts';
import type { Event, Heard, Speaker } from '../../core/event.ts';
import type { EgressIP, Fact, Labels, LabelSelector, Node } from '../../core/fact.ts';
import { topicOf } from '../../core/subject.ts';
import { assigner } from '../../services/assigner/room.ts';
import type { World } from '../../services/assigner/world.ts';

export type Decided = Extract<Decision, { kind: 'EgressIPDecided' }>;

const room = assigner({ excluded: undefined });

/**
 * One assigner and the log in front of it: only the last event of each topic is kept, as in NATS.
 */
export class Bench {
  world: World = room.fresh();
  readonly log = new Map<string, Heard>();
  /** Every decision, in order, as it was said. */
  readonly said: Decision[] = [];
  #sequence = 0;

  constructor(probing: 'off' | 'grpc' = 'off') {
    this.hear([{ kind: 'Synced', kinds: ['nodes', 'egressips'], probing }]);
  }

  /** Hears a batch, decides, and returns what was decided. */
  hear(facts: readonly Fact[]): readonly Decision[] {
    for (const fact of facts) room.fold(this.world, this.#append('watcher', fact));
    const decisions = this.decide();
    assert.deepEqual(this.decide(), [], 'a room rests once it has heard itself');
    return decisions;
  }

  decide(): readonly Decision[] {
    const decisions: Decision[] = [];
    for (;;) {
      const turn = room.decide(this.world);
      for (const { event } of turn.says) {
        room.fold(this.world, this.#append('assigner', event));
        decisions.push(event as Decision);
      }
      if (!turn.more) break;
    }
    this.said.push(...decisions);
    return decisions;
  }

  #append(stream: Speaker, event: Event): Heard {
    const { kind, name } = topicOf(event);
    const heard = {
      stream,
      sequence: ++this.#sequence,
      atMs: this.#sequence,
      causes: [],
      said: '',
      event,
    };
    this.log.delete(`${stream} ${kind}/${name}`);
    this.log.set(`${stream} ${kind}/${name}`, heard);
    return heard;
  }

  /** A restart: a fresh world that hears what is left of the log, in the given order. */
  replay(order: (log: readonly Heard[]) => readonly Heard[]): readonly Decision[] {
    this.world = room.fresh();
    for (const heard of order([...this.log.values()])) room.fold(this.world, heard);
    return this.decide();
  }

  /** The last decision on each EgressIP that exists. */
  get decided(): ReadonlyMap<string, Decided> {
    const found = new Map<string, Decided>();
    for (const { event } of this.log.values())
      if (event.kind === 'EgressIPDecided') found.set(event.name, event);
    return found;
  }

  placements(name: string): Record<string, string> {
    const placements = this.decided.get(name)?.placements ?? [];
    return Object.fromEntries(placements.map(({ address, node }) => [address, node]));
  }

  refusals(name: string): Record<string, string> {
    const refusals = this.decided.get(name)?.refusals ?? [];
    return Object.fromEntries(refusals.map(({ address, reason }) => [address, reason]));
  }
}

export const ASSIGNABLE = 'k8s.ovn.org/egress-assignable';

/** A ready node of 10.0.0.0/24 with an address that ends in `host`, and further host CIDRs. */
export function node(
  name: string,
  host: number,
  more: Partial<Node> & { hosts?: string[] } = {},
): Node {
  const { hosts = [], ...rest } = more;
  const primary = `10.0.0.${host}/24`;
  return {
    name,
    uid: `uid-${name}`,
    labels: { [ASSIGNABLE]: '' },
    ready: true,
    providerID: '',
    internalIPs: [],
    annotations: {
      'k8s.ovn.org/node-primary-ifaddr': JSON.stringify({ ipv4: primary, ipv6: '' }),
      'k8s.ovn.org/node-subnets': JSON.stringify({ default: `10.128.${host}.0/24` }),
      'k8s.ovn.org/host-cidrs': JSON.stringify([primary, ...hosts]),
    },
    ...rest,
  };
}

export const sees = (seen: Node): Fact => ({ kind: 'NodeSeen', node: seen });

export function egressIP(name: string, addresses: string[], more: Partial<EgressIP> = {}): Fact {
  const base = { name, uid: `uid-${name}`, createdMs: 0, items: [], annotations: {} };
  return { kind: 'EgressIPSeen', egressIP: { ...base, addresses, ...more } };
}

export const on = (matchLabels: Labels): LabelSelector => ({ matchLabels, matchExpressions: [] });
