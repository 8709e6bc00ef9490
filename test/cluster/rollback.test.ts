/**
 * An older copy of the log is put back while all rooms are stopped: it is noticed, nothing moves.
 */
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bodyOf } from '../controlplane/http.ts';
import { eventually } from '../controlplane/wait.ts';
import { type House, openHouse } from './house.ts';
import { egressIPs, nodes } from './objects.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const record = 'sluice-log';

describe('a log that is restored from an older copy while all rooms are stopped', function () {
  this.timeout(240_000);
  let house: House;
  let found = 0;
  before(async () => {
    const env = { SLUICE_LOG_RECORD: `default/${record}` };
    const recorded = async (opened: House): Promise<void> => {
      const metadata = { name: record, namespace: 'default' };
      await opened.post(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    };
    const names = ['watcher', 'assigner', 'publisher'] as const;
    house = await openHouse({ names, env, before: recorded });
    for (const name of ['a1', 'a2', 'a3']) await house.node(name, { labels: { pool: 'a' } });
    for (let index = 1; index <= 4; index++)
      await house.egressIP(`e-${index}`, [`10.0.5.${index}`], { pool: 'a' });
    for (let index = 1; index <= 4; index++) await house.homed(`e-${index}`, /on ./);
  });
  after(() => house.stop());

  const rooms = () => house.rooms?.all ?? [];
  const stop = (how: 'kill' | 'stop') => Promise.all(rooms().map((room) => room[how]()));
  const start = () => Promise.all(rooms().map((room) => room.start()));
  const store = (): string => join(house.plane.folder, 'nats');
  const copy = (): string => join(house.plane.folder, 'older');
  const book = async (): Promise<string> => {
    const { body } = await house.api.call('GET', `${configMaps}/${record}`);
    return String((body as { data?: { log?: string } }).data?.log ?? '');
  };
  const rollbacks = async (): Promise<number> => {
    const page = await bodyOf(`${house.rooms?.room('publisher').healthUrl}/metrics`);
    return Number(/^sluice_log_rollbacks_total(?:\{\})? (\d+)$/m.exec(page)?.[1] ?? 0);
  };

  /** The log as it is now, to be put back later. */
  const copyLog = async (): Promise<void> => {
    await stop('stop');
    await house.plane.nats.kill();
    rmSync(copy(), { recursive: true, force: true });
    cpSync(store(), copy(), { recursive: true });
    await house.plane.nats.start();
    await start();
    await house.rooms?.ready(30_000);
  };
  const putBack = async (): Promise<void> => {
    await house.plane.nats.kill();
    rmSync(store(), { recursive: true });
    cpSync(copy(), store(), { recursive: true });
    await house.plane.nats.start();
  };

  /** Addresses leave a node and come back to others: what the older log says is not so any more. */
  const move = async (round: number): Promise<void> => {
    const from = house.nodeOf('e-1', '10.0.5.1');
    const others = (): boolean => ['', from].includes(house.nodeOf('e-1', '10.0.5.1'));
    await house.label(from, { pool: null });
    await house.until('the address has left', () => !others());
    await house.label(from, { pool: 'a' });
    await house.egressIP(`new-${round}`, [`10.0.5.${100 + round}`], { pool: 'a' });
    await house.homed(`new-${round}`, /on ./);
    await house.api.delete(`${egressIPs}/e-${(round % 3) + 2}`);
    await house.egressIP(`e-${(round % 3) + 2}`, [`10.0.5.${(round % 3) + 2}`], { pool: 'a' });
    await house.homed(`e-${(round % 3) + 2}`, /on ./);
    await house.node(`more-${round}`, { labels: { pool: 'a' } });
  };

  for (const [round, how] of (['stop', 'kill', 'stop', 'kill'] as const).entries()) {
    it(`is made void, and no address moves (round ${round + 1}, after ${how})`, async () => {
      await copyLog();
      await move(round);
      const before = await book();
      await house.rest(1_200);
      if (how === 'kill') assert.notEqual(before, '');
      await stop(how);
      await putBack();
      const writes = house.egressIPs.history.length;
      await start();
      found += 1;
      const noticed = { withinMs: 60_000, detail: () => house.picture() };
      await eventually('it is noticed', noticed, async () => (await rollbacks()) === found);
      await house.rooms?.ready(60_000);
      await house.rest(1_000);
      assert.deepEqual(
        house.egressIPs.history.slice(writes).map(({ object }) => object.metadata.name),
        [],
      );
      await house.api.delete(`${nodes}/more-${round}`);
    });
  }

  it('is no rollback when the log is whole, or lost as a whole', async () => {
    await stop('kill');
    await start();
    await house.rooms?.ready(30_000);
    assert.equal(await rollbacks(), found);
    await stop('stop');
    await house.plane.nats.kill();
    rmSync(store(), { recursive: true });
    await house.plane.nats.start();
    await start();
    await house.rooms?.ready(30_000);
    assert.equal(await rollbacks(), found);
  });

  it('leaves a cluster at rest alone: a mark follows a change, and then no more', async () => {
    await house.egressIP('last', ['10.0.5.200'], { pool: 'a' });
    await house.homed('last', /on ./);
    await house.rest(1_500);
    const before = await book();
    await house.rest(2_500);
    assert.equal(await book(), before);
  });
});
