/** Addresses that change hands, and objects that are replaced under their name. */
import assert from 'node:assert/strict';
import { type House, openHouse } from './house.ts';
import { neverTwice } from './never-twice.ts';
import { egressIPs, homesOf, markKey, nodes } from './objects.ts';

describe('an address that changes hands on a real API server', function () {
  this.timeout(90_000);
  let house: House;
  before(async () => {
    house = await openHouse();
    for (const name of ['a1', 'a2', 'a3']) await house.node(name, { labels: { pool: 'a' } });
  });
  after(() => house.stop());
  afterEach('at no moment an address stood in two statuses', () => neverTwice(house));

  const addressesOf = (name: string, addresses: readonly string[]): Promise<unknown> =>
    house.api.patch(`${egressIPs}/${name}`, { spec: { egressIPs: addresses } });

  it('is exchanged with another one, without deadlock', async () => {
    await house.egressIP('left', ['10.0.5.1'], { pool: 'a' });
    await house.egressIP('right', ['10.0.5.2'], { pool: 'a' });
    await house.homed('left', /10\.0\.5\.1 on/);
    await house.homed('right', /10\.0\.5\.2 on/);
    await Promise.all([addressesOf('left', ['10.0.5.2']), addressesOf('right', ['10.0.5.1'])]);
    await house.homed('left', /^10\.0\.5\.2 on a.$/);
    await house.homed('right', /^10\.0\.5\.1 on a.$/);
  });

  it('goes round in a ring of five, ten times as fast as one can edit', async () => {
    const names = ['r0', 'r1', 'r2', 'r3', 'r4'];
    const at = (turn: number, index: number): string => `10.0.5.${10 + ((index + turn) % 5)}`;
    for (const [index, name] of names.entries())
      await house.egressIP(name, [at(0, index)], { pool: 'a' });
    for (let turn = 1; turn <= 10; turn++)
      await Promise.all(names.map((name, index) => addressesOf(name, [at(turn, index)])));
    await Promise.all(names.map((name, index) => addressesOf(name, [at(11, index)])));
    for (const [index, name] of names.entries())
      await house.homed(name, new RegExp(`^${at(11, index)} on a.$`));
  });

  it('is taken over by whoever waited for it when its object is deleted', async () => {
    await house.egressIP('owner', ['10.0.5.20'], { pool: 'a' });
    await house.homed('owner', /10\.0\.5\.20 on/);
    await house.egressIP('heir', ['10.0.5.20'], { pool: 'a' });
    await house.hasTold('heir', 'UnsupportedRequest');
    await house.api.delete(`${egressIPs}/owner`);
    await house.homed('heir', /10\.0\.5\.20 on/);
  });

  it('belongs to the new object when an EgressIP is deleted and made again', async () => {
    await house.egressIP('again', ['10.0.5.21'], { pool: 'a' });
    await house.homed('again', /10\.0\.5\.21 on/);
    const old = house.egressIPs.objects.get('again');
    await house.api.delete(`${egressIPs}/again`);
    await house.egressIP('again', ['10.0.5.21', '10.0.5.22'], { pool: 'a' });
    await house.homed('again', /10\.0\.5\.21 on a., 10\.0\.5\.22 on a./);
    const now = house.egressIPs.objects.get('again');
    assert.notEqual(now?.metadata.uid, old?.metadata.uid);
    assert.match(now?.metadata.annotations?.[markKey] ?? '', /^5\d{4}$/);
    await house.until('it has an event of its own', () =>
      house.told('again', 'Assigned').some(({ regarding }) => regarding.uid === now?.metadata.uid),
    );
  });

  it('is placed at last when its object is deleted and made again twenty times', async () => {
    for (let turn = 0; turn < 20; turn++) {
      await house.egressIP('flicker', ['10.0.5.30'], { pool: 'a' });
      if (turn % 3 === 0) await house.homed('flicker', /10\.0\.5\.30 on/);
      await house.api.delete(`${egressIPs}/flicker`);
    }
    await house.egressIP('flicker', ['10.0.5.31'], { pool: 'a' });
    await house.homed('flicker', /^10\.0\.5\.31 on a.$/);
  });

  it('moves when its node is replaced by a namesake that does not match', async () => {
    for (const name of ['b1', 'b2']) await house.node(name, { labels: { pool: 'b' } });
    await house.egressIP('settled', ['10.0.5.40'], { pool: 'b' });
    await house.homed('settled', /10\.0\.5\.40 on/);
    const from = house.nodeOf('settled', '10.0.5.40');
    await house.api.delete(`${nodes}/${from}`);
    await house.node(from, { labels: { pool: 'other' } });
    await house.homed('settled', `10.0.5.40 on ${from === 'b1' ? 'b2' : 'b1'}`);
  });

  it('has a node again when its only node is replaced by one of the same name', async () => {
    await house.node('c1', { labels: { pool: 'c' } });
    await house.egressIP('only', ['10.0.5.41'], { pool: 'c' });
    await house.homed('only', '10.0.5.41 on c1');
    await house.api.delete(`${nodes}/c1`);
    await house.node('c1', { labels: { pool: 'c' }, ready: false });
    await house.homed('only', '');
    await house.setReady('c1', true);
    await house.homed('only', '10.0.5.41 on c1');
  });

  it('has a mark that never changes and that no other object has', async () => {
    await house.rest();
    const marks = new Map<string, string>();
    for (const { object } of house.egressIPs.history) {
      const { uid, annotations } = object.metadata;
      const mark = annotations?.[markKey];
      if (homesOf(object) !== '')
        assert.ok(mark, `${object.metadata.name} has a node, but no mark`);
      if (mark !== undefined) assert.equal(marks.get(uid) ?? mark, mark);
      if (mark !== undefined) marks.set(uid, mark);
    }
    const alive = [...house.egressIPs.objects.values()].map(({ metadata }) => metadata.uid);
    const used = alive.map((uid) => marks.get(uid)).filter((mark) => mark !== undefined);
    assert.equal(new Set(used).size, used.length);
  });
});
