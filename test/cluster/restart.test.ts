/**
 * Issue 3, "It shows": kill -9 of any room; after its restart the same statuses and not one write.
 */
import assert from 'node:assert/strict';
import { roomNames, type RoomName } from '../controlplane/rooms.ts';
import { type House, openHouse } from './house.ts';
import { nodes } from './objects.ts';

describe('a room that is killed with -9', function () {
  this.timeout(120_000);
  let house: House;
  before(async () => {
    house = await openHouse();
    for (const name of ['a1', 'a2']) await house.node(name, { labels: { pool: 'a' } });
    await house.node('broken', { annotations: { 'k8s.ovn.org/host-cidrs': 'nonsense' } });
    await house.egressIP('placed', ['10.0.2.1', '10.0.2.2'], { pool: 'a' });
    await house.egressIP('partly', ['10.0.2.3', '10.0.2.4', '10.0.2.5', 'text'], { pool: 'a' });
    await house.egressIP('nowhere', ['10.0.2.6'], { pool: 'none' });
    await house.homed('placed', /10\.0\.2\.1 on a., 10\.0\.2\.2 on a./);
    await house.hasTold('nowhere', 'NoMatchingNodeFound');
    await house.label('a1', { pool: null });
    await house.hasTold('placed', 'Released');
    await house.label('a1', { pool: 'a' });
    await house.homed('placed', /10\.0\.2\.1 on a., 10\.0\.2\.2 on a./);
    await house.hasTold('broken', 'InvalidNodeAnnotation');
  });
  after(() => house.stop());

  const room = (name: RoomName) => {
    const found = house.rooms?.room(name);
    assert.ok(found);
    return found;
  };

  const restart = async (names: readonly RoomName[]): Promise<void> => {
    await Promise.all(names.map((name) => room(name).kill()));
    await Promise.all(names.map((name) => room(name).start()));
    await house.rooms?.ready(30_000);
  };

  for (const names of [...roomNames.map((name) => [name]), roomNames]) {
    it(`writes nothing when it comes back: ${names.join(', ')}`, async () => {
      const before = await house.rest();
      await restart(names);
      await house.silent(before);
    });
  }

  for (const [index, name] of roomNames.entries()) {
    it(`misses nothing that happened while the ${name} was away`, async () => {
      await house.node(`b${index}-old`, { labels: { pool: `b${index}` } });
      await house.egressIP(`b${index}`, [`10.0.2.${10 + index}`], { pool: `b${index}` });
      await house.homed(`b${index}`, `10.0.2.${10 + index} on b${index}-old`);
      await room(name).kill();
      await house.node(`b${index}-new`, { labels: { pool: `b${index}` } });
      await house.api.delete(`${nodes}/b${index}-old`);
      await room(name).start();
      await house.homed(`b${index}`, `10.0.2.${10 + index} on b${index}-new`);
    });
  }

  it('records each event once, though it dies in the middle of its work', async () => {
    for (const name of ['c1', 'c2']) await house.node(name, { labels: { pool: 'c' } });
    const names = Array.from({ length: 30 }, (_, index) => `c-${index}`);
    const all = names.map((name, index) =>
      house.egressIP(name, [`10.0.3.${index}`], { pool: 'c' }),
    );
    for (const name of roomNames) {
      await room(name).restart();
      await house.until('some are placed', () => names.some((one) => house.homes(one) !== ''));
    }
    await Promise.all(all);
    for (const name of names) await house.homed(name, /on c[12]$/);
    for (const name of names) await house.hasTold(name, 'Assigned');
    await house.rest();
    for (const name of names) assert.equal(house.told(name, 'Assigned').length, 1, name);
  });
});
