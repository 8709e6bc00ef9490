/** The assigner before a small cloud: the time is the test's own, and nodes have limited room. */
import assert from 'node:assert/strict';
import { parseAddress } from '../../core/address.ts';
import { must } from '../../core/assert.ts';
import { cloudName } from '../../core/cloudname.ts';
import type { Decision } from '../../core/decision.ts';
import type { Event, Heard, Speaker } from '../../core/event.ts';
import type { CloudClaim, Fact, Node } from '../../core/fact.ts';
import { topicOf } from '../../core/subject.ts';
import { assigner } from '../../services/assigner/room.ts';
import type { World } from '../../services/assigner/world.ts';
import type { Decided } from './assigner-bench.ts';

const room = assigner({ excluded: undefined });

/** Absent = unlimited. */
export interface Room {
  readonly ip?: number;
  readonly ipv4?: number;
  readonly ipv6?: number;
}

/** A ready node on 10.0.0.0/24 and fd00::/64 with room for so many addresses. */
export function cloudNode(name: string, capacity: Room, more: Partial<Node> = {}): Node {
  const host = 1 + name.charCodeAt(0) - 'a'.charCodeAt(0);
  const ifaddr = { ipv4: '10.0.0.0/24', ipv6: 'fd00::/64' };
  return {
    name,
    uid: `uid-${name}`,
    labels: {},
    ready: true,
    providerID: '',
    internalIPs: [],
    annotations: {
      'k8s.ovn.org/node-primary-ifaddr': JSON.stringify({ ipv4: `10.0.0.${host}/24` }),
      'k8s.ovn.org/node-subnets': JSON.stringify({ default: `10.128.${host}.0/24` }),
      'k8s.ovn.org/host-cidrs': JSON.stringify([`10.0.0.${host}/24`]),
      'cloud.network.openshift.io/egress-ipconfig': JSON.stringify([{ ifaddr, capacity }]),
    },
    ...more,
  };
}

export function claimSeen(address: string, more: Partial<CloudClaim>): Fact {
  const name = cloudName(must(parseAddress(address), address));
  const base = { name, uid: `uid-${name}`, owner: 'x', node: '', statusNode: '', assigned: '' };
  return {
    kind: 'CloudClaimSeen',
    claim: { ...base, message: '', sinceMs: 0, deleting: false, ...more },
  };
}

export class CloudBench {
  nowMs = 1_000_000;
  world: World = room.fresh();
  readonly log = new Map<string, Heard>();
  /** When the assigner asked to be woken. */
  #wakes: number[] = [];
  #sequence = 0;

  constructor() {
    this.hear([
      { kind: 'PlatformSeen', platform: 'AWS', infrastructureName: '' },
      { kind: 'Synced', kinds: ['nodes', 'egressips', 'cloudprivateipconfigs'], probing: 'off' },
    ]);
  }

  /** Hears a batch, decides, and returns what was decided. */
  hear(facts: readonly Fact[]): readonly Decision[] {
    for (const fact of facts) room.fold(this.world, this.#append('watcher', fact));
    return this.#decideAndRest();
  }

  /** Time goes on; the assigner is woken whenever it asked for it. Returns what was decided. */
  advance(ms: number): readonly Decision[] {
    const endMs = this.nowMs + ms;
    const decisions: Decision[] = [];
    for (;;) {
      const next = Math.min(...this.#wakes);
      if (next > endMs) break;
      this.#wakes = this.#wakes.filter((atMs) => atMs !== next);
      this.nowMs = Math.max(this.nowMs, next);
      room.sense(this.world, { kind: 'Now', nowMs: this.nowMs });
      decisions.push(...this.#decideAndRest());
    }
    this.nowMs = endMs;
    return decisions;
  }

  /** When it asked to be woken next; Infinity = never. */
  get nextWakeMs(): number {
    return Math.max(this.nowMs, Math.min(...this.#wakes));
  }

  #decideAndRest(): readonly Decision[] {
    const decisions = this.#decide();
    assert.deepEqual(this.#decide(), [], 'a room rests once it has heard itself');
    return decisions;
  }

  #decide(): readonly Decision[] {
    const decisions: Decision[] = [];
    for (let slices = 0; ; slices++) {
      assert.ok(slices < 1_000, 'there is an end to deciding');
      const turn = room.decide(this.world);
      for (const { event } of turn.says) {
        room.fold(this.world, this.#append('assigner', event));
        decisions.push(event as Decision);
      }
      this.#wakes.push(...turn.does.map(({ atMs }) => atMs));
      if (!turn.more) return decisions;
    }
  }

  #append(stream: Speaker, event: Event): Heard {
    const { kind, name } = topicOf(event);
    const sequence = ++this.#sequence;
    const heard = { stream, sequence, atMs: this.nowMs, causes: [], said: '', event };
    this.log.delete(`${stream} ${kind}/${name}`);
    this.log.set(`${stream} ${kind}/${name}`, heard);
    return heard;
  }

  /** A restart: a fresh world that hears what is left of the log, one stream after the other. */
  restart(first: Speaker): readonly Decision[] {
    this.world = room.fresh();
    this.#wakes = [];
    const log = [...this.log.values()];
    for (const heard of log.filter(({ stream }) => stream === first)) room.fold(this.world, heard);
    for (const heard of log.filter(({ stream }) => stream !== first)) room.fold(this.world, heard);
    return this.#decideAndRest();
  }

  /** The last decision on each EgressIP that exists. */
  get decided(): ReadonlyMap<string, Decided> {
    const found = new Map<string, Decided>();
    for (const { event } of this.log.values())
      if (event.kind === 'EgressIPDecided') found.set(event.name, event);
    return found;
  }

  /** Address → node, as decided. */
  get homes(): ReadonlyMap<string, string> {
    const placements = [...this.decided.values()].flatMap((decided) => decided.placements);
    return new Map(placements.map(({ address, node }) => [address, node]));
  }
}
