/** AWS: source/destination checks are off where pods' addresses pass (UT-AWS-14 to 16). */
import assert from 'node:assert/strict';
import { calls, condition, gone, node, scene, standing } from './aws-cluster.ts';

const MINUTE = 60_000;
const CALL = 'ModifyNetworkInterfaceAttribute';
const isOff = (s: ReturnType<typeof scene>, eni: string): boolean =>
  s.bench.region.interfaces.find(({ id }) => id === eni)?.sourceDestCheck === false;

describe('aws-sync: source/destination checks', function () {
  this.timeout(60_000);
  it('are turned off at the primary interface of each router node, once', async () => {
    const s = scene();
    await s.bench.run(10 * MINUTE);
    assert.ok(s.made.nodes.every(({ eni }) => isOff(s, eni)));
    assert.equal(calls(s, CALL), 3);
  });

  it('that are off already cost no call; what the answer does not say is turned off', async () => {
    const s = scene({ size: { nodes: 0 } });
    const subnet = s.made.subnets[0]?.id ?? '';
    const off = s.bench.region.instance({ subnet, sourceDestCheck: false });
    const unknown = s.bench.region.instance({ subnet, sourceDestCheck: 'unknown' });
    s.bench.hear(node('worker-8', off), node('worker-9', unknown));
    await s.bench.run(30_000);
    assert.equal(calls(s, CALL), 1);
  });

  it('only device 0 of card 0 counts', async () => {
    const s = scene({ size: { nodes: 0 } });
    const machine = s.bench.region.instance({ subnet: s.made.subnets[0]?.id ?? '', secondary: 1 });
    s.bench.region.setInterface(machine.eni, { cardIndex: 1 });
    s.bench.hear(node('worker-9', machine));
    await s.bench.run(30_000);
    assert.equal(calls(s, CALL), 0);
    assert.match(condition(s.bench, 'NodeInventoryComplete')?.message ?? '', /primary network/);
  });

  it('of other nodes stay as they are, unless all nodes are in scope', async () => {
    for (const [sourceDestCheckScope, count] of [
      ['RouterNodes', 3] as const,
      ['AllNodes', 4] as const,
    ]) {
      const s = scene({ aws: { sourceDestCheckScope } });
      const other = s.bench.region.instance({ subnet: s.made.subnets[0]?.id ?? '' });
      s.bench.hear(node('worker-9', other, { labels: {} }));
      await s.bench.run(2 * MINUTE);
      assert.equal(calls(s, CALL), count, sourceDestCheckScope);
      assert.equal(s.bench.region.livePeers().length, 6);
    }
  });

  it('a terminated instance, and an interface that vanishes, hurt no other node', async () => {
    const s = scene();
    s.bench.region.setInstance(s.made.nodes[0]?.id ?? '', { state: 'terminated' });
    let isFirst = true;
    s.bench.network.onCall = (moment, action) => {
      if (moment !== 'before' || action !== CALL || !isFirst) return;
      isFirst = false;
      s.bench.region.forget(s.made.nodes[1]?.eni ?? '');
    };
    await s.bench.run(2 * MINUTE);
    assert.ok(isOff(s, s.made.nodes[2]?.eni ?? ''));
    assert.ok(calls(s, CALL) <= 3, 'no hot loop');
  });

  it('one that somebody turns on again is off again within a minute or so', async () => {
    const s = scene();
    await s.bench.run(2 * MINUTE);
    s.bench.region.sourceDestCheck(s.made.nodes[0]?.id ?? '', true);
    await s.bench.until('it is off', 90_000, () => isOff(s, s.made.nodes[0]?.eni ?? ''));
  });

  it('a tool that turns it on each minute is not fought for ever, and is told of', async () => {
    const s = scene();
    await s.bench.run(MINUTE);
    for (let minute = 0; minute < 120; minute++) {
      s.bench.region.sourceDestCheck(s.made.nodes[0]?.id ?? '', true);
      await s.bench.run(MINUTE);
    }
    const reverts = calls(s, CALL) - 3;
    assert.ok(reverts >= 4 && reverts <= 9, `${reverts} in two hours`);
    assert.equal(standing(s.bench), 'False ForeignWriter');
    const reading = s.bench.readings.find(({ name }) => name.includes('reverts'));
    assert.equal(reading?.value, reverts);
  });

  it('are restored where that is asked for, and only those that we turned off', async () => {
    const s = scene({ aws: { restoreSourceDestCheck: true } });
    const subnet = s.made.subnets[0]?.id ?? '';
    const off = s.bench.region.instance({ subnet, sourceDestCheck: false });
    s.bench.hear(node('worker-9', off));
    await s.bench.run(MINUTE);
    const first = s.made.nodes[0];
    if (first !== undefined) s.bench.hear(node('worker-0', first, { labels: {} }));
    s.bench.hear(node('worker-9', off, { labels: {} }));
    await s.bench.run(3 * MINUTE);
    assert.equal(isOff(s, first?.eni ?? ''), false);
    assert.ok(isOff(s, off.eni));
    assert.equal(calls(s, CALL), 4);
  });

  it('a missing permission is named, and the peers go on', async () => {
    const s = scene();
    s.bench.aws.deny(CALL);
    await s.bench.run(2 * MINUTE);
    assert.equal(standing(s.bench), 'False Unauthorized');
    assert.match(condition(s.bench, 'AWSResourcesReconciled')?.message ?? '', /6 ok, 3 failed/);
    assert.ok(calls(s, CALL) <= 3 * 5, 'every 30 s, not more often');
    s.bench.aws.allow(CALL);
    await s.bench.run(MINUTE);
    assert.equal(standing(s.bench), 'True Reconciled');
    s.bench.hear(gone('worker-0'));
  });
});
