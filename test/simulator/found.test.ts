/** What the simulator has found, each as small as it can be said. */
import assert from 'node:assert/strict';
import type { KubeObject } from '../../core/door.ts';
import { managedOf } from '../../core/managed-object.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { Managed } from '../../services/publisher/managed.ts';
import { managedStep } from '../../services/publisher/managed-step.ts';
import { Routing } from '../../services/publisher/routing.ts';
import type { Kind } from '../../services/watcher/kinds.ts';
import { routingKinds } from '../../services/watcher/kinds-bgp.ts';
import { Shelf } from '../../services/watcher/shelf.ts';
import { planOf } from './plan.ts';
import { simulate } from './simulate.ts';

const network: KubeObject = {
  metadata: { name: 'cluster-udn-green', uid: 'first', resourceVersion: '1' },
  spec: {},
};

describe('an object of ours that comes and goes before anybody is told of it', () => {
  it('is told to be gone: who made it waits to hear of it', () => {
    const kind = routingKinds.find(({ plural }) => plural === 'clusteruserdefinednetworks');
    assert.ok(kind !== undefined);
    const shelf = new Shelf(kind as Kind<ManagedObject>);
    shelf.list([]);
    shelf.put(network);
    assert.deepEqual(shelf.lose('cluster-udn-green', 'first'), ['cluster-udn-green']);
    assert.equal(shelf.news('cluster-udn-green', undefined)?.said, 'is gone');
    assert.equal(shelf.news('cluster-udn-green', undefined), undefined);
  });

  it('is made again when it is wanted again, even though nobody ever tells that it went', () => {
    const managed = new Managed('ClusterUserDefinedNetwork', 'cluster-udn-green');
    managed.seen = managedOf('ClusterUserDefinedNetwork', network);
    managed.made = 'first';
    managed.doomed = 'first';
    const routing = new Routing();
    routing.served.set('clusteruserdefinednetworks', true);
    managed.wanted = {
      ...{ sequence: 1, atMs: 0, content: '' },
      decision: {
        ...{ kind: 'ObjectDecided', object: 'ClusterUserDefinedNetwork', want: 'present' },
        ...{ name: 'cluster-udn-green', uid: '', labels: {}, dropped: [], spec: '{}' },
        ...{ owner: '', condition: '', because: '' },
      },
    };
    assert.equal(managedStep(routing, managed)?.verb, 'create');
    managed.heard = 'first';
    assert.equal(managedStep(routing, managed), undefined);
  });

  it('does not leave its network without it (seed 87)', async function () {
    this.timeout(120_000);
    assert.equal((await simulate(planOf(87))).failure, undefined);
  });
});
