/** A small cluster's log for tests: facts as the watcher says them, real decisions. */
import type { Fact, LabelSelector, Labels, Node } from '../../core/fact.ts';
import type { Event, Heard, Saying, Speaker } from '../../core/event.ts';
import { assigner } from '../../services/assigner/room.ts';
import { Picture } from '../../services/assigner/explain-picture.ts';

export const START_MS = Date.parse('2026-11-30T10:14:00Z');

/** A node of 203.0.113.0/24 that lacks nothing; `last` is the last part of its address. */
export function node(
  name: string,
  last: number,
  labels: Labels = {},
  more: Partial<Node> = {},
): Node {
  const cidr = `203.0.113.${last}/24`;
  const annotations = {
    'k8s.ovn.org/node-primary-ifaddr': JSON.stringify({ ipv4: cidr }),
    'k8s.ovn.org/node-subnets': JSON.stringify({ default: [`10.128.${last}.0/24`] }),
    'k8s.ovn.org/host-cidrs': JSON.stringify([cidr]),
  };
  return { name, uid: `uid-${name}`, labels, ready: true, annotations, ...hostless, ...more };
}

/** Neither an instance of a cloud nor an address is known of the nodes of this scene. */
const hostless = { providerID: '', internalIPs: [] };

export const seen = (one: Node): Fact => ({ kind: 'NodeSeen', node: one });

export const where = (labels: Labels): LabelSelector => ({
  matchLabels: labels,
  matchExpressions: [],
});

export function egressIP(
  name: string,
  addresses: readonly string[],
  nodeSelector: LabelSelector | undefined,
  items: readonly { egressIP: string; node: string }[] = [],
): Fact {
  const base = { name, uid: `uid-${name}`, createdMs: 0, addresses, items, annotations: {} };
  return { kind: 'EgressIPSeen', egressIP: { ...base, nodeSelector } };
}

export const probe = (name: string, reachable: boolean, because = ''): Fact => ({
  kind: 'ReachabilitySeen',
  name,
  uid: `uid-${name}`,
  reachable,
  because: because || (reachable ? 'port 9107 answered' : 'port 9107 silent for 3 probes'),
});

export const synced = (probing: 'off' | 'grpc' = 'off'): Fact => ({
  kind: 'Synced',
  kinds: ['nodes', 'egressips', 'cloudprivateipconfigs'],
  probing,
});

export class Scene {
  readonly heard: Heard[] = [];
  readonly #room = assigner({ excluded: undefined });
  readonly #world = this.#room.fresh();
  readonly #listener: (speaker: Speaker, saying: Saying) => void;
  #nowMs = START_MS;

  /** `listener` is told each saying in order, to put it on a real log. */
  constructor(listener: (speaker: Speaker, saying: Saying) => void = () => {}) {
    this.#listener = listener;
  }

  /** The watcher says these; the assigner decides a few milliseconds later. */
  see(...facts: readonly Fact[]): this {
    for (const event of facts) this.say('watcher', event, wordsOf(event));
    this.#nowMs += 4;
    return this.decide();
  }

  /** The same with an assigner that does not wake up. */
  seeUndecided(...facts: readonly Fact[]): this {
    for (const event of facts) this.say('watcher', event, wordsOf(event));
    return this;
  }

  decide(): this {
    for (let more = true; more; ) {
      const turn = this.#room.decide(this.#world);
      for (const saying of turn.says) this.#add('assigner', saying);
      more = turn.more;
    }
    return this;
  }

  say(speaker: Speaker, event: Event, said: string): this {
    this.#add(speaker, { event, causes: [], said });
    return this;
  }

  wait(ms: number): this {
    this.#nowMs += ms;
    return this;
  }

  get picture(): Picture {
    const picture = new Picture({ excluded: undefined });
    for (const heard of this.heard) picture.hear(heard);
    return picture;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  #add(stream: Speaker, saying: Saying): void {
    const sequence = this.heard.filter((one) => one.stream === stream).length + 1;
    const heard = { stream, sequence, atMs: this.#nowMs, ...saying };
    this.heard.push(heard);
    this.#listener(stream, saying);
    this.#room.fold(this.#world, heard);
  }
}

function wordsOf(event: Fact): string {
  if (event.kind === 'NodeSeen') return event.node.ready ? 'ready' : 'not ready';
  return event.kind === 'ReachabilitySeen' ? event.because : 'seen';
}
