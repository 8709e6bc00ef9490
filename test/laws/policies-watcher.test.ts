/** What the watcher tells of nodes that are to be drained: only what somebody asked about. */
import assert from 'node:assert/strict';
import type { KubeObject } from '../../core/door.ts';
import { listed, NODES, nodeObject, noProbes, put, Watched } from './watcher-bench.ts';

const OUT = 'node.kubernetes.io/out-of-service';
const MAINTENANCE = 'example.com/maintenance';

interface Spec {
  readonly unschedulable?: boolean;
  readonly taints?: readonly { readonly key: string; readonly effect: string }[];
}

const taint = (key: string, effect = 'NoSchedule') => ({ key, effect });

function nodeWith(spec: Spec, annotations: Record<string, string> = {}): KubeObject {
  const { metadata, ...rest } = nodeObject('a', 'u1', 1);
  const all = { ...(metadata as { annotations?: object }).annotations, ...annotations };
  return { ...rest, metadata: { ...metadata, annotations: all }, spec } as KubeObject;
}

/** A watcher that has seen an ordinary node. */
function watching(drainOn: readonly string[]): Watched {
  const bench = new Watched({ ...noProbes, drainOn });
  bench.sense(listed(NODES, [nodeWith({})]));
  bench.said = [];
  bench.sentences = [];
  return bench;
}

describe('the watcher', () => {
  it('tells nothing of a cordon or a taint that nobody asked about', () => {
    const bench = watching([]);
    bench.sense(put(NODES, nodeWith({ unschedulable: true, taints: [taint(OUT)] })));
    assert.deepEqual(bench.sentences, []);
    const other = watching(['example.com/other']);
    other.sense(put(NODES, nodeWith({ unschedulable: true, taints: [taint(OUT)] })));
    assert.deepEqual(other.sentences, []);
  });

  it('tells that a node is drained, why, and when it is no more', () => {
    const bench = watching(['cordon', OUT, MAINTENANCE]);
    for (const spec of [
      { unschedulable: true },
      { unschedulable: true, taints: [taint(OUT, 'NoExecute')] },
      { taints: [taint(OUT, 'NoExecute')] },
      { taints: [taint(MAINTENANCE, 'PreferNoSchedule')] },
      {},
    ])
      bench.sense(put(NODES, nodeWith(spec)));
    assert.deepEqual(bench.sentences, [
      'node/a is drained: cordoned',
      `node/a is drained: taint ${OUT}`,
      `node/a is drained: taint ${MAINTENANCE}`,
      'node/a is not drained any more',
    ]);
  });

  it('tells of the annotation as of an annotation, whatever else is asked about', () => {
    const bench = watching(['cordon']);
    const annotations = { 'sluice.dev/drain': 'true' };
    bench.sense(put(NODES, nodeWith({ unschedulable: true }, annotations)));
    bench.sense(put(NODES, nodeWith({ unschedulable: true })));
    assert.deepEqual(bench.sentences, [
      'node/a sluice.dev/drain is true',
      'node/a sluice.dev/drain removed, is drained: cordoned',
    ]);
  });

  it('tells after a restart what the setting means for nodes as they are', () => {
    const bench = watching([]);
    const cordoned = nodeWith({ unschedulable: true });
    bench.sense(put(NODES, cordoned));
    bench.restart({ ...noProbes, drainOn: ['cordon'] }).sense(listed(NODES, [cordoned]));
    assert.deepEqual(bench.sentences, ['node/a is drained: cordoned']);
    bench.restart({ ...noProbes, drainOn: ['cordon'] }).sense(listed(NODES, [cordoned]));
    assert.equal(bench.sentences.length, 1, 'and then it is no news any more');
  });

  it('tells of a node that appears drained', () => {
    const bench = new Watched({ ...noProbes, drainOn: ['cordon'] });
    bench.sense(listed(NODES, [nodeWith({ unschedulable: true })]));
    assert.ok(bench.sentences.includes('node/a appeared, ready, drained: cordoned'));
  });
});
