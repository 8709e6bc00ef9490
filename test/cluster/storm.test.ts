/**
 * Everything at once, from a seed: nodes, EgressIPs, rooms and NATS come and go; then it is calm.
 */
import assert from 'node:assert/strict';
import { type House, openHouse } from './house.ts';
import { neverTwice } from './never-twice.ts';
import { egressIPs, nodes } from './objects.ts';

const seed = Number(process.env['SEED'] ?? 7);
const steps = Number(process.env['STEPS'] ?? 60);
const hosts = ['n1', 'n2', 'n3', 'n4', 'n5'];
const names = Array.from({ length: 12 }, (_, index) => `e${index}`);

/** Numbers from 0 to `below` - 1, the same for the same seed (Lehmer). */
function randomFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

describe(`a storm over a real cluster, seed ${seed}`, function () {
  this.timeout(150_000);
  let house: House;
  const random = randomFrom(seed);
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T;
  const address = (index: number): string => `10.0.20.${index}`;
  before(async () => {
    house = await openHouse();
    for (const name of hosts) await house.node(name, { labels: { pool: 'a' } });
  });
  after(() => house.stop());

  /** What is not there cannot be changed: refusals of the server are part of the storm. */
  const tried = (what: Promise<unknown>): Promise<unknown> => what.catch(() => undefined);

  const some = (): string[] => {
    const count = 1 + random(3);
    return [...new Set(Array.from({ length: count }, () => address(random(16))))];
  };

  const replaceNode = async (name: string): Promise<void> => {
    await tried(house.api.delete(`${nodes}/${name}`));
    await tried(house.node(name, { labels: { pool: 'a' }, ready: random(2) === 0 }));
  };

  const step = async (): Promise<unknown> => {
    const rooms = house.rooms?.all ?? [];
    switch (random(14)) {
      case 0:
        return pick(rooms).restart();
      case 1:
        return random(4) === 0 ? house.plane.nats.restart() : undefined;
      case 2:
        return tried(house.label(pick(hosts), { pool: pick(['a', null]) }));
      case 3:
        return tried(house.setReady(pick(hosts), random(2) === 0));
      case 4:
        return replaceNode(pick(hosts));
      case 5:
        return tried(house.api.delete(`${egressIPs}/${pick(names)}`));
      default:
        return house.egressIP(pick(names), some(), { pool: 'a' });
    }
  };

  it('never has an address in two statuses', async () => {
    for (let index = 0; index < steps; index++) await step();
    await house.rooms?.ready(30_000);
    await house.rest();
    neverTwice(house);
  });

  it('is followed by calm: every address has a node, siblings apart', async () => {
    for (const name of hosts) await replaceNode(name);
    for (const name of hosts) {
      await house.label(name, { pool: 'a' });
      await house.setReady(name, true);
    }
    const at = (index: number): string[] => [address(100 + 2 * index), address(101 + 2 * index)];
    for (const [index, name] of names.entries())
      await house.egressIP(name, at(index), { pool: 'a' });
    for (const [index, name] of names.entries()) {
      const [first = '', second = ''] = at(index);
      await house.homed(name, new RegExp(`^${first} on n., ${second} on n.$`));
      assert.notEqual(house.nodeOf(name, first), house.nodeOf(name, second));
    }
    neverTwice(house);
  });

  it('leaves nothing to do: not one write, and none after a restart of all rooms', async () => {
    const before = await house.rest();
    const rooms = house.rooms?.all ?? [];
    await Promise.all(rooms.map((room) => room.restart()));
    await house.rooms?.ready(30_000);
    await house.silent(before);
  });
});
