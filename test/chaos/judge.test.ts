/** The judge of chaos objects to what it should, and to nothing else. */
import assert from 'node:assert/strict';
import type { Item } from '../cluster/objects.ts';
import type { Write } from './etcd-watch.ts';
import { Judge } from './judge.ts';
import { kinds } from './kinds.ts';
import { planOf } from './plan.ts';

const bad = new Set<string>();
const nodes = {
  isGood: (node: string): boolean => !bad.has(node),
  stayedGood: (node: string): boolean => !bad.has(node),
};

const egressIPs = ['10.0.0.1', '10.0.0.2'];
const written = (
  name: string,
  items: readonly Item[],
  uid = name,
  asked: readonly string[] = egressIPs,
): Write => ({
  key: `/registry/k8s.ovn.org/egressips/${name}`,
  deleted: false,
  object: { metadata: { name, uid }, spec: { egressIPs: asked }, status: { items } },
});
const deleted = (name: string): Write => ({ ...written(name, []), deleted: true });
const on = (node: string, address = '10.0.0.1'): Item => ({ egressIP: address, node });

const judged = (...writes: readonly Write[]): Judge => {
  const judge = new Judge(nodes);
  for (const write of writes) judge.hear(write);
  return judge;
};

describe('the judge of chaos', () => {
  beforeEach(() => bad.clear());

  it('sees an address that is in two statuses for a moment', () => {
    const judge = judged(written('a', [on('n1')]), written('b', [on('n2')]), written('a', []));
    assert.deepEqual(judge.doubles, ['10.0.0.1 is on n1 for a and on n2 for b']);
  });

  it('sees siblings on one node', () => {
    const judge = judged(written('a', [on('n1'), on('n1', '10.0.0.2')]));
    assert.deepEqual(judge.doubles, ['siblings of a share a node: n1, n1']);
  });

  it('does not mind an address that changes hands', () => {
    const judge = judged(written('a', [on('n1')]), deleted('a'), written('b', [on('n2')]));
    assert.deepEqual([judge.doubles, judge.moves], [[], []]);
  });

  it('sees an address that leaves a good node, for another or for none', () => {
    const judge = judged(written('a', [on('n1')]), written('a', [on('n2')]), written('a', []));
    const went = ['a: 10.0.0.1 went from n1 to n2', 'a: 10.0.0.1 went from n2 to nowhere'];
    assert.deepEqual(judge.moves, went);
  });

  it('does not mind an address that leaves a bad node, nor one of a new object', () => {
    bad.add('n1');
    const judge = judged(
      written('a', [on('n1')]),
      written('a', [on('n2')]),
      written('a', [on('n3')], 'another'),
    );
    assert.deepEqual(judge.moves, []);
  });

  it('does not mind an address that was taken back and asked for anew before it had left', () => {
    const taken = written('a', [on('n1')], 'a', ['10.0.0.2']);
    const judge = judged(written('a', [on('n1')]), taken, written('a', [on('n1')]));
    judge.hear(written('a', []));
    assert.deepEqual(judge.moves, []);
    for (const items of [[on('n1')], []]) judge.hear(written('a', items));
    assert.deepEqual(judge.moves, ['a: 10.0.0.1 went from n1 to nowhere']);
  });

  it('minds it again in the next round, which begins when all is settled', () => {
    const judge = judged(written('a', [on('n1')], 'a', []), written('a', [on('n1')]));
    judge.beginRound();
    judge.hear(written('a', []));
    assert.equal(judge.moves.length, 1);
  });

  it('says what is not settled: an address without a node, or on one that is bad', () => {
    bad.add('n1');
    assert.deepEqual(judged(written('a', [on('n1')])).unsettled(), ['10.0.0.2', '10.0.0.1 on n1']);
    const settled = judged(written('a', [on('n2'), on('n3', '10.0.0.2')]), written('b', []));
    assert.deepEqual(settled.unsettled(), []);
  });

  it('counts the writes of rooms and people, but not what the API server writes for itself', () => {
    const lease = { key: '/registry/leases/kube-system/apiserver-x', deleted: false };
    assert.equal(judged({ ...lease, object: undefined }, deleted('a')).writes, 1);
  });
});

describe('the schedule of chaos', () => {
  it('has each kind once before any comes again', () => {
    const all = Object.keys(kinds).sort();
    assert.deepEqual(planOf(3, all.length).sort(), all);
    assert.deepEqual(
      planOf(3, all.length * 2)
        .slice(all.length)
        .sort(),
      all,
    );
  });

  it('is the same for the same seed, and another for another', () => {
    assert.deepEqual(planOf(3, 50), planOf(3, 50));
    assert.notDeepEqual(planOf(3, 50), planOf(4, 50));
  });
});
