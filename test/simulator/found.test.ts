/** What the simulator has found, each as small as it can be said. */
import assert from 'node:assert/strict';
import type { KubeObject } from '../../core/door.ts';
import { managedOf } from '../../core/managed-object.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { Managed, type WantedObject } from '../../services/publisher/managed.ts';
import { seeObject, wantObject } from '../../services/publisher/managed-fold.ts';
import { managedStep } from '../../services/publisher/managed-step.ts';
import { publisher } from '../../services/publisher/room.ts';
import { Routing } from '../../services/publisher/routing.ts';
import type { Kind } from '../../services/watcher/kinds.ts';
import { routingKinds } from '../../services/watcher/kinds-bgp.ts';
import { Shelf } from '../../services/watcher/shelf.ts';
import type { Checker } from './checker.ts';
import { replayed } from './checkers/finally-replayed.ts';
import { planOf } from './plan.ts';
import { simulate } from './simulate.ts';

const network: KubeObject = {
  metadata: { name: 'cluster-udn-green', uid: 'first', resourceVersion: '1' },
  spec: {},
};

const wanted: WantedObject = {
  ...{ sequence: 1, atMs: 0, content: '' },
  decision: {
    ...{ kind: 'ObjectDecided', object: 'ClusterUserDefinedNetwork', want: 'present' },
    ...{ name: 'cluster-udn-green', uid: '', labels: {}, dropped: [], spec: '{}' },
    ...{ owner: '', condition: '', because: '' },
  },
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
    managed.wanted = wanted;
    assert.equal(managedStep(routing, managed)?.verb, 'create');
    managed.heard = 'first';
    assert.equal(managedStep(routing, managed), undefined);
  });

  it('goes though its decision is heard before the fact that it is there (seed 6)', () => {
    const world = publisher({ mode: 'enforce' }).fresh();
    const { decision } = wanted;
    const absent = { ...decision, want: 'absent', uid: 'first' } as const;
    const said = { stream: 'bgp', sequence: 1, atMs: 0, causes: [], said: '' } as const;
    wantObject(world, { ...said, event: absent }, absent);
    seeObject(world, managedOf('ClusterUserDefinedNetwork', network));
    const managed = world.routing.object('ClusterUserDefinedNetwork', 'cluster-udn-green');
    assert.equal(managedStep(world.routing, managed)?.verb, 'delete');
  });

  it('does not leave its network without it (seed 87)', async function () {
    this.timeout(120_000);
    assert.equal((await simulate(planOf(87))).failure, undefined);
  });
});

describe('a log that lost some of what was on it', function () {
  this.timeout(300_000);

  for (const [seed, lost] of [
    [13, 'its own stream'],
    [40, 'one that it hears'],
  ] as const)
    it(`is explained by sluice verify after a room lost ${lost} (seed ${seed})`, async () => {
      assert.equal((await simulate(planOf(seed), undefined, [replayed()])).failure, undefined);
    });

  it('is made void when it lost its end, and no address moves (seed 129)', async () => {
    const { failure, fired } = await simulate(planOf(129));
    assert.equal(failure, undefined);
    assert.equal(fired.get('sometimes an older log was made void'), 3);
  });

  it('is not explained when a decision on it was exchanged', async () => {
    let exchanged = 0;
    const forger: Checker = {
      name: 'forger',
      onAppend: (_, { heard }) => {
        if (heard.event.kind !== 'EgressIPDecided' || exchanged++ > 0) return;
        Object.assign(heard.event, { mark: 50_999 });
      },
    };
    const { failure } = await simulate(planOf(2), undefined, [forger, replayed()]);
    assert.match(failure?.sentence ?? '', /^changed assigner \d+ egressip/);
  });
});
