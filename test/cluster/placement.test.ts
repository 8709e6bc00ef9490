/** OKEP-6800, "E2E tests": what an operator does with egressNodeSelector, on a real API server. */
import assert from 'node:assert/strict';
import { type House, openHouse } from './house.ts';
import { assignable, egressIPs, nodes } from './objects.ts';

describe('an EgressIP on a real API server', function () {
  this.timeout(90_000);
  let house: House;
  before(async () => {
    house = await openHouse();
  });
  after(() => house.stop());
  afterEach(() => house.clear());

  it('is placed only on a node that its selector matches', async () => {
    await house.node('in', { labels: { zone: 'dmz' } });
    await house.node('out', { labels: { zone: 'internal', [assignable]: '' } });
    await house.egressIP('subset', ['10.0.1.1', '10.0.1.2'], { zone: 'dmz' });
    await house.homed('subset', /^10\.0\.1\.[12] on in$/);
    await house.hasTold('subset', 'UnassignedRequest');
  });

  it('without a selector is placed on nodes labelled egress-assignable', async () => {
    await house.node('plain');
    await house.node('labelled', { labels: { [assignable]: '' } });
    await house.egressIP('default', ['10.0.1.3']);
    await house.homed('default', '10.0.1.3 on labelled');
    await house.label('labelled', { [assignable]: null });
    await house.homed('default', '');
    await house.label('plain', { [assignable]: 'true' });
    await house.homed('default', '10.0.1.3 on plain');
  });

  it('with an empty selector is placed on any node', async () => {
    await house.node('any');
    await house.egressIP('all', ['10.0.1.4'], {});
    await house.homed('all', '10.0.1.4 on any');
  });

  it('has an event that names the selector when no node matches it', async () => {
    await house.node('other', { labels: { zone: 'a' } });
    await house.egressIP('nowhere', ['10.0.1.5'], { zone: 'b' });
    const told = await house.hasTold('nowhere', 'NoMatchingNodeFound', /zone=b/);
    assert.equal(told.type, 'Warning');
    assert.equal(house.homes('nowhere'), '');
  });

  it('tells a selector without a match from matching nodes that are not available', async () => {
    await house.node('down', { labels: { zone: 'c' }, ready: false });
    await house.egressIP('waiting', ['10.0.1.6'], { zone: 'c' });
    await house.hasTold('waiting', 'NoAvailableNode', /not ready/);
    await house.setReady('down', true);
    await house.homed('waiting', '10.0.1.6 on down');
  });

  for (const { loss, by } of [
    { loss: 'loses its label', by: (node: string) => house.label(node, { zone: null }) },
    { loss: 'is not ready', by: (node: string) => house.setReady(node, false) },
    { loss: 'is deleted', by: (node: string) => house.api.delete(`${nodes}/${node}`) },
  ]) {
    it(`moves in one write to another matching node when its node ${loss}`, async () => {
      for (const name of ['one', 'two']) await house.node(name, { labels: { zone: 'd' } });
      await house.node('stranger', { labels: { zone: 'e', [assignable]: '' } });
      await house.egressIP('failing', ['10.0.1.7'], { zone: 'd' });
      await house.homed('failing', /on (one|two)$/);
      await house.rest();
      const from = house.nodeOf('failing', '10.0.1.7');
      const to = from === 'one' ? 'two' : 'one';
      const { egressIPs: writes } = await house.written();
      await by(from);
      await house.homed('failing', `10.0.1.7 on ${to}`);
      await house.hasTold('failing', 'Moved', new RegExp(`from ${from} to ${to}`));
      assert.equal((await house.rest()).egressIPs, (writes ?? 0) + 1);
      await house.label(to, { zone: null });
      await house.homed('failing', '');
    });
  }

  it('takes a node into account that gets a matching label, and moves nothing to it', async () => {
    await house.node('old', { labels: { pool: 'f' } });
    await house.node('new');
    await house.egressIP('first', ['10.0.1.8'], { pool: 'f' });
    await house.homed('first', '10.0.1.8 on old');
    const before = await house.rest();
    await house.label('new', { pool: 'f' });
    await house.egressIP('second', ['10.0.1.9'], { pool: 'f' });
    await house.homed('second', '10.0.1.9 on new');
    assert.equal(house.homes('first'), '10.0.1.8 on old');
    const writes = house.egressIPs.history.slice(before['egressIPs']);
    assert.deepEqual(
      new Set(writes.map(({ object }) => object.metadata.name)),
      new Set(['second']),
    );
  });

  it('moves to the new pool when its selector changes', async () => {
    await house.node('h1', { labels: { pool: 'h1', all: '' } });
    await house.node('h2', { labels: { pool: 'h2' } });
    await house.egressIP('changing', ['10.0.1.17'], { pool: 'h1' });
    await house.homed('changing', '10.0.1.17 on h1');
    await house.egressIP('changing', ['10.0.1.17'], { pool: 'h2' });
    await house.homed('changing', '10.0.1.17 on h2');
  });

  it('stays, with no write, when its new selector matches its node too', async () => {
    await house.node('i1', { labels: { pool: 'i', all: '' } });
    await house.node('i2', { labels: { all: '' } });
    await house.egressIP('staying', ['10.0.1.18'], { pool: 'i' });
    await house.homed('staying', '10.0.1.18 on i1');
    const before = await house.rest();
    await house.egressIP('staying', ['10.0.1.18'], { all: '' });
    const after = await house.rest();
    // The one write is the operator's own.
    assert.equal(after['egressIPs'], (before['egressIPs'] ?? 0) + 1);
    assert.equal(after['events'], before['events']);
    assert.equal(house.homes('staying'), '10.0.1.18 on i1');
  });

  it('converges when labels and selector change at the same moment', async () => {
    for (const name of ['j1', 'j2']) await house.node(name, { labels: { pool: name } });
    await house.egressIP('both-change', ['10.0.1.19'], { pool: 'j1' });
    await house.homed('both-change', '10.0.1.19 on j1');
    await Promise.all([
      house.label('j1', { pool: 'none' }),
      house.egressIP('both-change', ['10.0.1.19'], { pool: 'j2' }),
    ]);
    await house.homed('both-change', '10.0.1.19 on j2');
    const all = house.egressIPs.history.map(({ object }) => object);
    const mine = all.filter(({ metadata }) => metadata.name === 'both-change');
    assert.ok(mine.every(({ status }) => (status?.items?.length ?? 0) <= 1));
  });

  it('is not written when another one is created, moved or deleted', async () => {
    for (const name of ['m1', 'm2']) await house.node(name, { labels: { pool: 'm', [name]: '' } });
    await house.egressIP('bystander', ['10.0.1.21'], { m1: '' });
    await house.homed('bystander', '10.0.1.21 on m1');
    await house.rest();
    const version = house.egressIPs.objects.get('bystander')?.metadata.resourceVersion;
    await house.egressIP('busy', ['10.0.1.22'], { m1: '' });
    await house.homed('busy', '10.0.1.22 on m1');
    await house.egressIP('busy', ['10.0.1.22'], { m2: '' });
    await house.homed('busy', '10.0.1.22 on m2');
    await house.api.delete(`${egressIPs}/busy`);
    await house.rest();
    assert.equal(house.egressIPs.objects.get('bystander')?.metadata.resourceVersion, version);
  });
});
