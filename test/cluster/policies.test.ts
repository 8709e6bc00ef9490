/** Policies beyond upstream on a real API server: drain, cordon, preferred nodes, rebalance. */
import assert from 'node:assert/strict';
import { type House, openHouse } from './house.ts';
import { neverTwice } from './never-twice.ts';
import { egressIPObject, egressIPs, type Labels, nodes } from './objects.ts';

const OUT = 'node.kubernetes.io/out-of-service';

describe('a policy beyond upstream on a real API server', function () {
  this.timeout(120_000);
  let house: House;
  before(async () => {
    house = await openHouse({ env: { SLUICE_DRAIN_ON: `cordon, ${OUT}` } });
  });
  after(() => house.stop());
  afterEach('at no moment an address stood in two statuses', () => neverTwice(house));
  afterEach(() => house.clear());

  const change = (node: string, body: object): Promise<unknown> =>
    house.api.patch(`${nodes}/${node}`, body);

  async function make(name: string, addresses: readonly string[], annotations: Labels) {
    const object = egressIPObject(name, addresses, { pool: 'p' });
    await house.api.apply({ ...object, metadata: { name, annotations } });
  }

  /** Two nodes, and an EgressIP that is on the first of them. */
  async function pair(address: string): Promise<void> {
    await house.node('one', { labels: { pool: 'p' } });
    await house.egressIP('web', [address], { pool: 'p' });
    await house.homed('web', `${address} on one`);
    await house.node('two', { labels: { pool: 'p' } });
    await house.rest();
  }

  /** How often the status of web was written since then. */
  async function writesSince(before: Record<string, number>): Promise<number> {
    return ((await house.rest())['egressIPs'] ?? 0) - (before['egressIPs'] ?? 0);
  }

  for (const { what, drain, undo, why } of [
    {
      what: 'annotated sluice.dev/drain=true',
      drain: { metadata: { annotations: { 'sluice.dev/drain': 'true' } } },
      undo: { metadata: { annotations: { 'sluice.dev/drain': null } } },
      why: /one is drained: annotated/,
    },
    {
      what: 'cordoned, where that is asked for',
      drain: { spec: { unschedulable: true } },
      undo: { spec: { unschedulable: null } },
      why: /one is drained: cordoned/,
    },
    {
      what: 'tainted, where that taint is asked for',
      drain: { spec: { taints: [{ key: OUT, value: 'nodeshutdown', effect: 'NoExecute' }] } },
      undo: { spec: { taints: null } },
      why: new RegExp(`one is drained: taint ${OUT}`),
    },
  ])
    it(`leaves a node in one write that is ${what}, and does not come back`, async () => {
      await pair('10.0.21.1');
      const before = await house.written();
      await change('one', drain);
      await house.homed('web', '10.0.21.1 on two');
      await house.hasTold('web', 'Moved', why);
      assert.equal(await writesSince(before), 1);
      await change('one', undo);
      await house.api.delete(`${nodes}/one`);
      assert.equal(await writesSince(before), 1, 'the node came back to life and went');
      assert.equal(house.homes('web'), '10.0.21.1 on two');
    });

  it('stays on a drained node while no other can take it', async () => {
    await house.node('one', { labels: { pool: 'p' } });
    await house.egressIP('web', ['10.0.21.2'], { pool: 'p' });
    await house.homed('web', '10.0.21.2 on one');
    const before = await house.rest();
    await change('one', { spec: { unschedulable: true } });
    assert.equal(await writesSince(before), 0);
    await house.node('two', { labels: { pool: 'p' } });
    await house.homed('web', '10.0.21.2 on two');
  });

  it('is unaffected by a taint that nobody asked about', async () => {
    await pair('10.0.21.3');
    const before = await house.written();
    await change('one', { spec: { taints: [{ key: 'example.com/gpu', effect: 'NoSchedule' }] } });
    const after = await house.rest();
    assert.deepEqual(
      { ...after, nodes: 0 },
      { ...before, nodes: 0 },
      'not even the log tells of it',
    );
  });

  it('prefers the nodes that it names, and any other to none', async () => {
    await house.node('slow', { labels: { pool: 'p' } });
    await house.node('fast', { labels: { pool: 'p', network: 'fast' } });
    const prefer = { 'sluice.dev/prefer': 'network=fast' };
    await make('first', ['10.0.21.4'], prefer);
    await make('second', ['10.0.21.5'], prefer);
    await house.homed('first', '10.0.21.4 on fast');
    await house.homed('second', '10.0.21.5 on fast');
    await house.setReady('fast', false);
    await house.homed('first', '10.0.21.4 on slow');
    await house.homed('second', '10.0.21.5 on slow');
  });

  it('that cannot be read is told once on the object that has it', async () => {
    await house.node('one', { labels: { pool: 'p' } });
    await make('web', ['10.0.21.6'], { 'sluice.dev/rebalance': 'often' });
    const told = await house.hasTold('web', 'InvalidAnnotation', /rebalance is "often" and does/);
    assert.equal(told.type, 'Warning');
    await change('one', { metadata: { annotations: { 'sluice.dev/drain': 'perhaps' } } });
    await house.hasTold('one', 'InvalidNodeAnnotation', /sluice.dev\/drain is "perhaps"/);
    await house.api.patch(`${egressIPs}/web`, { metadata: { labels: { team: 'a' } } });
    const before = await house.rest();
    await house.rooms?.room('assigner').restart();
    await house.rooms?.ready(30_000);
    await house.silent(before);
    assert.equal(house.told('web', 'InvalidAnnotation').length, 1);
  });

  it('moves one address for balance at once, the next one when its minute is over', async () => {
    for (const name of ['one', 'two']) await house.node(name, { labels: { pool: 'p' } });
    for (const number of [10, 20, 30])
      await house.egressIP(`other-${number}`, [`10.0.21.${number}`, `10.0.21.${number + 1}`], {
        pool: 'p',
      });
    await make('web', ['10.0.21.40', '10.0.21.41'], { 'sluice.dev/rebalance': '1/min' });
    await house.homed('web', /40 on (one|two), .*41 on (one|two)$/);
    await house.rest();
    const others = ['other-10', 'other-20', 'other-30'];
    const before = others.map((name) => house.homes(name));
    for (const name of ['three', 'four']) await house.node(name, { labels: { pool: 'p' } });
    const onNew = (): number => house.homes('web').match(/three|four/g)?.length ?? 0;
    await house.until('one address moved', () => onNew() === 1);
    const firstMs = Date.now();
    await house.until('the other one moved', () => onNew() === 2, 90_000);
    const tookMs = Date.now() - firstMs;
    assert.ok(tookMs > 55_000, `the second move came after ${tookMs} ms`);
    assert.deepEqual(
      others.map((name) => house.homes(name)),
      before,
      'who does not ask stays',
    );
    await house.hasTold('web', 'Moved', /rebalanced, /);
  });
});
