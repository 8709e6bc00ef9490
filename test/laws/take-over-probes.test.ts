/**
 * A wrong health port must not cost a running cluster its addresses on the day of the take-over.
 */
import assert from 'node:assert/strict';
import type { KubeObject } from '../../core/door.ts';
import { EGRESSIPS, NODES, usualProbes, Watched } from './watcher-bench.ts';

function object(name: string, rest: object): KubeObject {
  const metadata = { name, uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: null };
  return { ...rest, metadata: { ...metadata, ...(rest as { metadata?: object }).metadata } };
}

const node = (name: string, index: number): KubeObject =>
  object(name, {
    metadata: {
      labels: { 'k8s.ovn.org/egress-assignable': '' },
      annotations: { 'k8s.ovn.org/node-subnets': `{"default":"10.128.${index}.0/24"}` },
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });

const egressIP = (items: object[]): KubeObject =>
  object('web', { spec: { egressIPs: ['10.0.0.100'] }, status: { items } });

const names = ['a', 'b', 'c', 'd'];

/** Four Ready nodes are wanted, and one address is on node a, or on none. */
function opened(items: object[]): Watched {
  const watched = new Watched({ ...usualProbes, platform: 'None' });
  const objects = names.map(node);
  watched.sense({ kind: 'Listed', collection: NODES, objects });
  watched.sense({ kind: 'Listed', collection: EGRESSIPS, objects: [egressIP(items)] });
  return watched;
}

/** Every probe that is under way is answered so. */
function answer(watched: Watched, reachable: boolean): void {
  const probes = watched.acts.splice(0).filter((act) => act.kind === 'Probe');
  assert.ok(probes.length > 0, 'somebody is probed');
  watched.sense(
    ...probes.map(({ ask, request }) => ({
      kind: 'Probed' as const,
      ask,
      node: request.node,
      reachable,
      because: 'port 9107',
    })),
  );
}

const kindsOf = (watched: Watched): string[] => [...watched.log.values()].map(({ kind }) => kind);

describe('a prober that reaches nobody when Sluice takes over', () => {
  it('finds no node unreachable, lets nobody decide, and says that it doubts itself', () => {
    const watched = opened([{ egressIP: '10.0.0.100', node: 'a' }]);
    answer(watched, false);
    assert.ok(!kindsOf(watched).includes('ReachabilitySeen'));
    assert.ok(!kindsOf(watched).includes('Synced'));
    assert.deepEqual(watched.log.get('prober/cluster'), {
      kind: 'ProberSeen',
      isolated: true,
      because: '4 of 4 probed nodes fell silent together',
    });
  });

  it('goes on as soon as they answer', () => {
    const watched = opened([{ egressIP: '10.0.0.100', node: 'a' }]);
    answer(watched, false);
    for (let slot = 0; slot < 40; slot++) watched.sense({ kind: 'Tick' });
    answer(watched, true);
    assert.equal(kindsOf(watched).filter((kind) => kind === 'ReachabilitySeen').length, 4);
    assert.ok(kindsOf(watched).includes('Synced'));
  });

  it('does find them unreachable where no address can be lost by it', () => {
    const watched = opened([]);
    answer(watched, false);
    assert.equal(kindsOf(watched).filter((kind) => kind === 'ReachabilitySeen').length, 4);
    assert.ok(kindsOf(watched).includes('Synced'));
  });
});
