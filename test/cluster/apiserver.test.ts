/** The API server, or its etcd, is killed or frozen while the cluster changes: all converges. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../controlplane/wait.ts';
import { type House, openHouse } from './house.ts';
import { nodes } from './objects.ts';

const soon = { withinMs: 40_000 };

describe('while the API server is hurt', function () {
  this.timeout(120_000);
  let house: House;
  before(async () => {
    house = await openHouse();
    for (const name of ['a1', 'a2']) await house.node(name, { labels: { pool: 'a' } });
    await house.egressIP('steady', ['10.0.9.1'], { pool: 'a' });
    await house.homed('steady', /on a[12]$/);
  });
  after(() => house.stop());
  afterEach('every room lives', () => {
    for (const room of house.rooms?.all ?? []) assert.notEqual(room.pid, 0, room.logTail());
  });

  const pids = (): number[] => (house.rooms?.all ?? []).map(({ pid }) => pid);

  /** Makes two nodes, and an EgressIP on one of them; returns that one. */
  const settle = async (pool: string, address: string): Promise<string> => {
    for (const name of [`${pool}1`, `${pool}2`]) await house.node(name, { labels: { pool } });
    await house.egressIP(pool, [address], { pool });
    await house.homed(pool, new RegExp(`on ${pool}[12]$`));
    return house.nodeOf(pool, address);
  };

  const moved = (pool: string, address: string, from: string): Promise<void> =>
    house.until(`${address} moved`, () => !['', from].includes(house.nodeOf(pool, address)));

  it('it is killed just after a change: the change is not lost', async () => {
    const from = await settle('b', '10.0.9.2');
    await house.label(from, { pool: null });
    await house.plane.apiserver.restart();
    await moved('b', '10.0.9.2', from);
  });

  it('the watcher says so in /readyz and in its log, and no room dies', async () => {
    const before = pids();
    await house.plane.apiserver.kill();
    await eventually('the watcher says so', soon, async () =>
      /^- .*(kubernetes|API server)/im.test(await house.readyz('watcher')),
    );
    await eventually('it is in the log', soon, () =>
      /"level":"warn".*\/api\/v1\/nodes/.test(
        readFileSync(house.rooms?.room('watcher').logFile ?? '', 'utf8'),
      ),
    );
    await house.plane.apiserver.start();
    await house.rooms?.ready(40_000);
    assert.deepEqual(pids(), before);
  });

  it('it is frozen just after a change, and thaws', async () => {
    const from = await settle('c', '10.0.9.3');
    await house.label(from, { pool: null });
    house.plane.apiserver.freeze();
    const asked = house.api.call('GET', '/readyz');
    const first = await Promise.race([asked, sleep(1_000, 'silent')]);
    assert.equal(first, 'silent');
    house.plane.apiserver.thaw();
    assert.equal((await asked).status, 200);
    await moved('c', '10.0.9.3', from);
  });

  it('its etcd is killed just after a change', async () => {
    const from = await settle('d', '10.0.9.4');
    await house.api.delete(`${nodes}/${from}`);
    await house.plane.etcd.restart();
    await moved('d', '10.0.9.4', from);
  });

  it('it is killed in the middle of many writes: each event is there once', async () => {
    await house.node('e1', { labels: { pool: 'e' } });
    const names = Array.from({ length: 40 }, (_, index) => `e-${index}`);
    await Promise.all(
      names.map((name, index) => house.egressIP(name, [`10.0.10.${index}`], { pool: 'e' })),
    );
    await house.plane.apiserver.restart();
    for (const name of names) await house.homed(name, /on e1$/);
    for (const name of names) await house.hasTold(name, 'Assigned');
    await house.rest();
    for (const name of names) assert.equal(house.told(name, 'Assigned').length, 1, name);
  });

  it('rooms that start without it wait, and then do what is due, and nothing else', async () => {
    const before = await house.rest();
    await Promise.all((house.rooms?.all ?? []).map((room) => room.kill()));
    await house.plane.apiserver.kill();
    await Promise.all((house.rooms?.all ?? []).map((room) => room.start()));
    await eventually('the watcher waits for it', soon, async () => {
      return /the list of nodes|kubernetes/i.test(await house.readyz('watcher'));
    });
    await house.plane.apiserver.start();
    await house.rooms?.ready(40_000);
    await house.silent(before);
    const from = await settle('f', '10.0.9.6');
    await house.label(from, { pool: null });
    await moved('f', '10.0.9.6', from);
  });
});
