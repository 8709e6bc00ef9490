/** However scarce room is, whatever is drained: the assigner comes to an end with its thoughts. */
import assert from 'node:assert/strict';
import type { Heard } from '../../core/event.ts';
import type { Fact } from '../../core/fact.ts';
import { assigner } from '../../services/assigner/room.ts';
import { seeded } from '../every.ts';
import { ASSIGNABLE, Bench, egressIP, node, on, sees } from './assigner-bench.ts';

const LIVES = 150;
const STEPS = 40;
/** A handful of claims need some dozens of slices, never as many as this. */
const MOST_SLICES = 500;
const room = assigner({ excluded: undefined });
const { reach = () => undefined } = room;
const any = on({});

type Chance = ReturnType<typeof seeded>;

const nodes = ['n1', 'n2', 'n3', 'n4'];
const addresses = [
  ...['10.0.0.101', '10.0.0.102', '10.0.0.103', '10.0.0.104'],
  ...['2001:db8::a1', '2001:db8::a2', '2001:db8::a3'],
];
const capacities = [{ ip: 1 }, { ip: 2 }, { ipv4: 1, ipv6: 1 }, { ipv4: 2, ipv6: 1 }];

function cloudNode({ one, next }: Chance, index: number): Fact {
  const plain = node(nodes[index] ?? '', index + 1);
  const both = { ipv4: `10.0.0.${index + 1}/24`, ipv6: `2001:db8::${index + 1}/64` };
  const room = {
    ifaddr: { ipv4: '10.0.0.0/24', ipv6: '2001:db8::/64' },
    capacity: one(capacities),
  };
  const annotations = {
    ...plain.annotations,
    'k8s.ovn.org/node-primary-ifaddr': JSON.stringify(both),
    'k8s.ovn.org/host-cidrs': JSON.stringify([both.ipv4, both.ipv6]),
    'cloud.network.openshift.io/egress-ipconfig': JSON.stringify([{ interface: 'eni', ...room }]),
    ...(next() < 0.4 ? { 'sluice.dev/drain': 'true' } : {}),
  };
  const labels: Record<string, string> = next() < 0.9 ? { [ASSIGNABLE]: '' } : {};
  return sees({ ...plain, labels, annotations, ready: next() < 0.85 });
}

function object({ one, next }: Chance): Fact {
  const wants = Array.from({ length: one([1, 2, 2, 3]) }, () => one(addresses));
  const rebalance: Record<string, string> = next() < 0.2 ? { 'sluice.dev/rebalance': '3/min' } : {};
  const createdMs = one([0, 1, 2]);
  const more = { annotations: rebalance, createdMs };
  return egressIP(one(['e1', 'e2', 'e3', 'e4', 'e5']), wants, { nodeSelector: any, ...more });
}

function cloudClaim({ one, next }: Chance, nowMs: number): Fact {
  const where = one(nodes);
  const claim = {
    ...{ name: one(addresses.slice(0, 4)), uid: '', owner: one(['e1', 'e2', 'e3']), node: where },
    ...{ statusNode: next() < 0.7 ? where : '', assigned: one(['True', 'False', '']) },
    ...{ message: '', sinceMs: nowMs - one([0, 10_000]), deleting: false },
  };
  return { kind: 'CloudClaimSeen', claim };
}

/** Something that happens in a cluster in a cloud. */
function fact(chance: Chance, nowMs: number): Fact {
  const { one, next } = chance;
  const which = next();
  if (which < 0.4) return cloudNode(chance, nodes.indexOf(one(nodes)));
  if (which < 0.5) return { kind: 'NodeGone', name: one(nodes), uid: '' };
  if (which < 0.6) return { kind: 'EgressIPGone', name: one(['e1', 'e2']), uid: '' };
  return which < 0.75 ? cloudClaim(chance, nowMs) : object(chance);
}

/** Returns in which step it did not come to rest, or undefined. */
function live(seed: number): number | undefined {
  const chance = seeded(seed);
  const world = room.fresh();
  let sequence = 0;
  const hear = (stream: 'watcher' | 'assigner', event: Heard['event']): void =>
    room.fold(world, { stream, sequence: ++sequence, atMs: 0, causes: [], said: '', event });
  hear('watcher', { kind: 'PlatformSeen', platform: 'AWS', infrastructureName: '' });
  const kinds = ['nodes', 'egressips', 'cloudprivateipconfigs'];
  hear('watcher', { kind: 'Synced', kinds, probing: 'off' });
  for (let step = 0, nowMs = 1_000_000; step < STEPS; step++) {
    nowMs += chance.one([1, 3_000, 61_000]);
    reach(world, nowMs);
    for (let count = chance.one([1, 2, 6]); count > 0; count--)
      hear('watcher', fact(chance, nowMs));
    for (let slices = 0; ; slices++) {
      if (slices > MOST_SLICES) return step;
      const turn = room.decide(world);
      for (const { event } of turn.says) hear('assigner', event);
      if (!turn.more && turn.says.length === 0) break;
    }
  }
  return undefined;
}

describe('the assigner', function () {
  this.timeout(60_000);

  it('comes to rest in a full cloud, whatever is drained, fails, comes or goes', () => {
    for (let seed = 1; seed <= LIVES; seed++)
      assert.equal(live(seed), undefined, `life ${seed} goes on for ever in this step`);
  });

  it('names who holds an address that stays on its drained node, after a restart too', () => {
    const bench = new Bench();
    const plain = node('a', 1);
    const annotations = { ...plain.annotations, 'sluice.dev/drain': 'true' };
    bench.hear([sees(plain), sees(node('b', 2, { labels: {} }))]);
    bench.hear([egressIP('z', ['10.0.0.200'], { nodeSelector: on({ [ASSIGNABLE]: '' }) })]);
    bench.hear([egressIP('a', ['10.0.0.200', '10.0.0.201'], { nodeSelector: any })]);
    const held = { '10.0.0.200': 'HeldByOther' };
    assert.deepEqual(bench.refusals('a'), held);
    const ill = sees(node('b', 2, { labels: {}, ready: false }));
    bench.hear([sees({ ...plain, annotations }), ill]);
    assert.equal(bench.refusals('a')['10.0.0.200'], 'HeldByOther');
    assert.deepEqual(bench.placements('z'), { '10.0.0.200': 'a' });
    assert.deepEqual(
      bench.replay((log) => log),
      [],
      'a restart tells nothing',
    );
  });

  it('leaves a drained node that was the only one for a good one that comes later', () => {
    const bench = new Bench();
    const plain = node('a', 1);
    const annotations = { ...plain.annotations, 'sluice.dev/drain': 'true' };
    bench.hear([sees({ ...plain, annotations })]);
    bench.hear([egressIP('x', ['10.0.0.200'], { nodeSelector: any })]);
    assert.deepEqual(bench.placements('x'), { '10.0.0.200': 'a' }, 'better than none');
    bench.hear([sees(node('b', 2))]);
    assert.deepEqual(bench.placements('x'), { '10.0.0.200': 'b' });
  });
});
