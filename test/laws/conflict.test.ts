/** A host address is nobody's egress IP, whatever else can be read of its node. */
import assert from 'node:assert/strict';
import { Bench, egressIP, node, on, sees } from './assigner-bench.ts';

const any = on({});

function broken(name: string, host: number, hostCidrs: string | undefined) {
  const plain = node(name, host);
  const { 'k8s.ovn.org/host-cidrs': _, ...annotations } = plain.annotations;
  const more = hostCidrs === undefined ? {} : { 'k8s.ovn.org/host-cidrs': hostCidrs };
  return sees({ ...plain, annotations: { ...annotations, ...more } });
}

describe('the primary address of a node', () => {
  for (const hostCidrs of [undefined, 'garbage', '[]', '["10.0.0.1"]'])
    it(`is a conflict though host-cidrs is ${hostCidrs ?? 'absent'}`, () => {
      const bench = new Bench();
      bench.hear([broken('a', 1, hostCidrs), sees(node('b', 2))]);
      bench.hear([egressIP('x', ['10.0.0.1', '10.0.0.9'], { nodeSelector: any })]);
      assert.deepEqual(bench.refusals('x'), { '10.0.0.1': 'HostConflict' });
      assert.deepEqual(bench.placements('x'), { '10.0.0.9': 'b' });
    });

  it('stays one when host-cidrs becomes unreadable, so that nothing is placed on top of it', () => {
    const bench = new Bench();
    bench.hear([
      sees(node('a', 1)),
      sees(node('b', 2)),
      egressIP('x', ['10.0.0.1'], { nodeSelector: any }),
    ]);
    assert.deepEqual(
      bench.hear([broken('a', 1, 'garbage')]),
      [bench.said.at(-1)],
      'only the node is judged',
    );
    assert.equal(bench.said.at(-1)?.kind, 'NodeJudged');
    assert.deepEqual(bench.refusals('x'), { '10.0.0.1': 'HostConflict' });
  });

  it('is free for others when the node is gone', () => {
    const bench = new Bench();
    bench.hear([
      sees(node('a', 1)),
      sees(node('b', 2)),
      egressIP('x', ['10.0.0.1'], { nodeSelector: any }),
    ]);
    bench.hear([{ kind: 'NodeGone', name: 'a', uid: 'uid-a' }]);
    assert.deepEqual(bench.placements('x'), { '10.0.0.1': 'b' });
  });
});
