/**
 * NATS is killed, frozen, or loses its store while the cluster changes: nothing is lost or moved.
 */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { roomNames } from '../controlplane/rooms.ts';
import { eventually } from '../controlplane/wait.ts';
import { ask } from '../edge/nats-by-hand.ts';
import { type House, openHouse } from './house.ts';
import { egressIPs, nodes } from './objects.ts';

const soon = { withinMs: 30_000 };

describe('while NATS is hurt', function () {
  this.timeout(120_000);
  let house: House;
  before(async () => {
    house = await openHouse();
    for (const name of ['a1', 'a2', 'a3']) await house.node(name, { labels: { pool: 'a' } });
    for (let index = 1; index <= 5; index++)
      await house.egressIP(`a-${index}`, [at(index)], { pool: 'a' });
    for (let index = 1; index <= 5; index++) await house.homed(`a-${index}`, /on a[123]$/);
    await house.egressIP('nowhere', ['10.0.7.9'], { pool: 'none' });
    await house.hasTold('nowhere', 'NoMatchingNodeFound');
  });
  after(() => house.stop());
  afterEach('every room lives', () => {
    for (const room of house.rooms?.all ?? []) assert.notEqual(room.pid, 0, room.logTail());
  });

  const at = (index: number): string => `10.0.7.${index}`;
  const ready = async (): Promise<void> => house.rooms?.ready(30_000);
  const pids = (): number[] => (house.rooms?.all ?? []).map(({ pid }) => pid);

  it('every room says so when NATS is killed, and goes on when it is back', async () => {
    const before = pids();
    const { nats } = house.plane;
    await nats.kill();
    for (const name of roomNames)
      await eventually(`the ${name} says so`, soon, async () =>
        (await house.readyz(name)).includes('- nats: not connected'),
      );
    for (const room of house.rooms?.all ?? [])
      await eventually(`${room.name} logs it`, soon, () =>
        /"level":"warn".*NATS/.test(readFileSync(room.logFile, 'utf8')),
      );
    await house.node('b1', { labels: { pool: 'b' } });
    await house.egressIP('meanwhile', ['10.0.7.20'], { pool: 'b' });
    await house.api.delete(`${egressIPs}/a-5`);
    await nats.start();
    await house.homed('meanwhile', '10.0.7.20 on b1');
    await ready();
    assert.deepEqual(pids(), before);
  });

  it('nothing is lost when it is frozen while nodes fail', async () => {
    await house.node('c1', { labels: { pool: 'c' } });
    await house.egressIP('frozen', ['10.0.7.21'], { pool: 'c' });
    await house.homed('frozen', '10.0.7.21 on c1');
    house.plane.nats.freeze();
    await house.node('c2', { labels: { pool: 'c' } });
    await house.api.delete(`${nodes}/c1`);
    house.plane.nats.thaw();
    await house.homed('frozen', '10.0.7.21 on c2');
  });

  it('nothing is lost when it is killed again and again while EgressIPs are made', async () => {
    for (const name of ['d1', 'd2']) await house.node(name, { labels: { pool: 'd' } });
    const names = Array.from({ length: 40 }, (_, index) => `d-${index}`);
    for (const [index, name] of names.entries()) {
      await house.egressIP(name, [`10.0.8.${index}`], { pool: 'd' });
      if (index % 15 === 7) await house.plane.nats.restart();
    }
    for (const name of names) await house.homed(name, /on d[12]$/);
    for (const name of names) await house.hasTold(name, 'Assigned');
    await house.rest();
    for (const name of names) assert.equal(house.told(name, 'Assigned').length, 1, name);
  });

  const losses = [
    {
      how: 'loses its store while it is stopped',
      lose: async () => {
        await house.plane.nats.kill();
        rmSync(join(house.plane.folder, 'nats'), { recursive: true });
        await house.plane.nats.start();
      },
    },
    {
      how: 'has all its streams deleted while everything runs',
      lose: async () => {
        for (const name of ['HISTORY', 'WATCHER', 'ASSIGNER', 'PUBLISHER'])
          await ask(house.plane.natsUrl, `$JS.API.STREAM.DELETE.SLUICE_${name}`);
      },
    },
    {
      how: 'loses its store while all rooms are stopped',
      lose: async () => {
        await Promise.all((house.rooms?.all ?? []).map((room) => room.kill()));
        await house.plane.nats.kill();
        rmSync(join(house.plane.folder, 'nats'), { recursive: true });
        await house.plane.nats.start();
        await Promise.all((house.rooms?.all ?? []).map((room) => room.start()));
      },
    },
  ];
  for (const [index, { how, lose }] of losses.entries()) {
    it(`no address moves and no status is written when it ${how}`, async () => {
      await house.rest();
      const before = house.egressIPs.history.length;
      const told = house.events.history.length;
      await lose();
      await eventually('the log is told anew', soon, async () => {
        const now = await house.written().catch(() => undefined);
        return (now?.['assigner'] ?? 0) > 0;
      });
      await ready();
      await house.rest(1_000);
      assert.equal(house.egressIPs.history.length, before);
      const news = house.events.history.slice(told).map(({ object }) => object.reason);
      assert.deepEqual(
        news.filter((reason) => ['Assigned', 'Moved', 'Released'].includes(reason)),
        [],
      );
      await house.node(`e${index}`, { labels: { pool: `e${index}` } });
      await house.egressIP(`after-${index}`, [`10.0.7.${30 + index}`], { pool: `e${index}` });
      await house.homed(`after-${index}`, `10.0.7.${30 + index} on e${index}`);
    });
  }

  it('what changed while all rooms were away and the store was lost is made true', async () => {
    await Promise.all((house.rooms?.all ?? []).map((room) => room.kill()));
    await house.plane.nats.kill();
    rmSync(join(house.plane.folder, 'nats'), { recursive: true });
    const from = house.nodeOf('a-1', at(1));
    await house.api.delete(`${nodes}/${from}`);
    await house.plane.nats.start();
    await Promise.all((house.rooms?.all ?? []).map((room) => room.start()));
    await house.until('it moved', () => !['', from].includes(house.nodeOf('a-1', at(1))));
  });
});
