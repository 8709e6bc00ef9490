/**
 * CloudPrivateIPConfigs: request, confirm, move, release, and what can go wrong (spec/egressip.md
 * 5.4).
 */
import assert from 'node:assert/strict';
import { item, stage, type Stage } from './scene.ts';

const ADDRESS = '10.0.0.1';
const done = { assigned: 'True' };

/** EgressIP web has the address on n1, and the cloud has it there. */
async function confirmed(names = ['web']): Promise<Stage> {
  const scene = await stage(names, { cloud: true });
  scene.place('web', [item(ADDRESS, 'n1')]);
  await scene.bench.rest();
  scene.model.setClaim(ADDRESS, { statusNode: 'n1', ...done });
  await scene.bench.rest();
  assert.deepEqual(scene.model.egressIPs.get('web')?.items, [item(ADDRESS, 'n1')]);
  scene.writes();
  return scene;
}

const itemsOf = ({ model }: Stage, name = 'web'): unknown => model.egressIPs.get(name)?.items;

describe('the cloud path', () => {
  it('requests the address, and publishes it only when the cloud has confirmed it', async () => {
    const scene = await stage(['web'], { cloud: true });
    scene.place('web', [item(ADDRESS, 'n1')]);
    await scene.bench.rest();
    assert.deepEqual(scene.writes().toSorted(), ['PATCH web', 'POST cloudprivateipconfigs']);
    for (const claim of [
      { statusNode: 'n1', assigned: 'Unknown' },
      { statusNode: 'n1', assigned: 'False', message: 'quota' },
    ]) {
      scene.model.setClaim(ADDRESS, claim);
      await scene.bench.rest();
      assert.deepEqual(itemsOf(scene), [], claim.assigned);
    }
    scene.model.setClaim(ADDRESS, { statusNode: 'n1', ...done });
    await scene.bench.rest();
    assert.deepEqual(itemsOf(scene), [item(ADDRESS, 'n1')]);
    assert.deepEqual(scene.model.sins, []);
  });

  it('names the decision that it followed, though that was taken back meanwhile', async () => {
    const scene = await stage(['web'], { cloud: true });
    const { bench } = scene;
    scene.place('web', [item(ADDRESS, 'n1')]);
    for (let rounds = 0; rounds < 20; rounds++) {
      await bench.think();
      const asked = bench.pending.findIndex(({ request }) => request.method !== 'POST');
      if (asked >= 0) await bench.serve(asked, 0, false);
    }
    assert.deepEqual(
      bench.pending.map(({ request }) => request.method),
      ['POST'],
      'the request for the address is under way',
    );
    bench.decide([
      { kind: 'EgressIPForgotten', name: 'web', uid: 'uid-web', mark: 0, markSerial: 0 },
    ]);
    await bench.think();
    await bench.serve(0, 0, false);
    await bench.think();
    const said = bench.said.find(({ event }) => event.kind === 'CloudClaimPublished');
    assert.deepEqual(
      said?.causes.map(({ stream }) => stream),
      ['assigner'],
    );
  });

  it('takes the address out of the status before it moves', async () => {
    const scene = await confirmed();
    scene.place('web', [item(ADDRESS, 'n2')]);
    await scene.bench.rest();
    assert.deepEqual(scene.writes(), ['PATCH web', `PATCH ${ADDRESS}`]);
    assert.deepEqual(itemsOf(scene), []);
    assert.equal(scene.model.claims.get(ADDRESS)?.node, 'n2');
  });

  it('gives the claim to the object that takes the address over', async () => {
    const scene = await confirmed(['web', 'other']);
    scene.place('web', []);
    scene.place('other', [item(ADDRESS, 'n1')]);
    await scene.bench.rest();
    assert.equal(scene.model.claims.get(ADDRESS)?.owner, 'other');
    assert.deepEqual(itemsOf(scene), []);
    assert.deepEqual(itemsOf(scene, 'other'), [item(ADDRESS, 'n1')]);
    assert.deepEqual(scene.model.sins, []);
  });

  it('replaces the node in the status without a move where the cloud has it already', async () => {
    const scene = await confirmed();
    scene.model.setClaim(ADDRESS, { node: 'n2', statusNode: 'n2', ...done });
    scene.place('web', [item(ADDRESS, 'n2')]);
    await scene.bench.rest();
    assert.deepEqual(scene.writes(), ['PATCH web']);
    assert.deepEqual(itemsOf(scene), [item(ADDRESS, 'n2')]);
  });

  it('waits until a claim that is being deleted is gone, then requests it anew', async () => {
    const scene = await confirmed();
    scene.model.setClaim(ADDRESS, { deleting: true });
    await scene.bench.rest();
    assert.deepEqual(scene.writes(), ['PATCH web']);
    scene.model.removeClaim(ADDRESS);
    await scene.bench.rest();
    assert.deepEqual(scene.writes(), ['POST cloudprivateipconfigs']);
  });

  it('releases what an object has no more, and what a vanished one left behind', async () => {
    const scene = await confirmed();
    scene.place('web', []);
    await scene.bench.rest();
    assert.deepEqual(scene.writes(), ['PATCH web', `DELETE ${ADDRESS}`]);
    scene.model.setClaim('10.0.0.2', { uid: 'left', owner: 'gone', node: 'n1', statusNode: 'n1' });
    await scene.bench.rest();
    assert.deepEqual(scene.writes(), ['DELETE 10.0.0.2']);
  });

  it('leaves a claim without an owner alone, says so once, publishes nothing of it', async () => {
    const scene = await stage(['web'], { cloud: true });
    scene.model.setClaim(ADDRESS, { uid: 'theirs', node: 'n1', statusNode: 'n1', ...done });
    scene.place('web', [item(ADDRESS, 'n1')]);
    await scene.bench.rest();
    assert.deepEqual(scene.writes(), ['PATCH web'], 'the mark alone');
    assert.deepEqual(itemsOf(scene), []);
    const words = (): string[] =>
      scene.bench.said.map(({ said }) => said).filter((said) => said.includes('left alone'));
    assert.equal(words().length, 1);
    await scene.bench.restart(() => true);
    await scene.bench.rest();
    assert.equal(words().length, 1, 'not again after a restart');
  });

  it('tells an EgressIP that asks for an address which was left alone long before', async () => {
    const scene = await stage(['web', 'other'], { cloud: true });
    scene.model.setClaim(ADDRESS, { uid: 'theirs', node: 'n1', statusNode: 'n1', ...done });
    await scene.bench.rest();
    assert.deepEqual(scene.told(), [], 'there is nobody to be told yet');
    const reasons = (): string[] => scene.told().map(({ reason }) => reason);
    scene.place('web', [item(ADDRESS, 'n1')]);
    await scene.bench.rest();
    assert.deepEqual(reasons(), ['CloudAssignmentFailed']);
    assert.match(scene.told()[0]?.note ?? '', /for object EgressIP: web .* is left alone/);
    await scene.bench.restart(() => true);
    await scene.bench.rest();
    assert.deepEqual(reasons(), ['CloudAssignmentFailed'], 'not again after a restart');
    scene.place('web', []);
    scene.place('other', [item(ADDRESS, 'n1')]);
    await scene.bench.rest();
    assert.match(scene.told()[1]?.note ?? '', /for object EgressIP: other /, 'the next one too');
    scene.place('other', [item(ADDRESS, 'n1')]);
    await scene.bench.rest();
    assert.equal(scene.told().length, 2, 'once for each');
  });

  it('requests anew, and says so, what failed on a node that is gone', async () => {
    const scene = await stage(['web'], { cloud: true });
    const message = 'Node "gone" does not exist';
    const failed = { node: 'gone', statusNode: 'gone', assigned: 'False', message };
    scene.model.setClaim(ADDRESS, { uid: 'old', owner: 'web', ...failed });
    scene.place('web', [item(ADDRESS, 'n1')]);
    await scene.bench.rest();
    scene.model.removeClaim(ADDRESS);
    await scene.bench.rest();
    assert.equal(scene.model.claims.get(ADDRESS)?.node, 'n1');
    assert.deepEqual(scene.told(), [
      {
        reason: 'CloudAssignmentRetry',
        note:
          'egress IP: 10.0.0.1 previously failed on deleted node gone ' +
          '(reason: Node "gone" does not exist), will retry assignment',
      },
    ]);
  });

  it('tells an error of the API once, tries again, and succeeds', async () => {
    const scene = await stage(['web'], { cloud: true });
    scene.place('web', [item(ADDRESS, 'n1')]);
    for (let times = 0; times < 3; times++) {
      await scene.bench.rest(({ method, path }) =>
        method === 'POST' && !path.includes('events') ? 500 : 0,
      );
      await scene.bench.sleep(60_000);
    }
    await scene.bench.rest();
    assert.equal(scene.model.claims.get(ADDRESS)?.node, 'n1');
    const note =
      'egress IP: 10.0.0.1 for object EgressIP: web could not be created, err: fault 500';
    assert.deepEqual(scene.told(), [{ reason: 'CloudAssignmentFailed', note }]);
  });

  it('requests a claim anew that was deleted before anybody saw it', async () => {
    const scene = await stage(['web'], { cloud: true });
    scene.place('web', [item(ADDRESS, 'n1')]);
    await scene.bench.think();
    for (; scene.bench.pending.length > 0; ) await scene.bench.serve(0, 0, false);
    scene.model.claims.clear();
    scene.model.facts.length = 0;
    for (let ms = 0; ms < 20_000; ms += 5_000) {
      await scene.bench.rest();
      await scene.bench.sleep(5_000);
    }
    assert.equal(scene.model.claims.get(ADDRESS)?.node, 'n1');
  });
});
