/** Two publishers, one of them frozen in the middle of its work: the old one never writes again. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Room, Rooms } from '../controlplane/rooms.ts';
import { type House, openHouse } from './house.ts';
import { neverTwice } from './never-twice.ts';
import { egressIPs } from './objects.ts';
import { type RecordingProxy, recordingProxy } from './recording-proxy.ts';
import { besides, speaks, standsBy, until } from './replicas-house.ts';

/** One of two publishers, behind a proxy of its own. */
interface Seat {
  readonly rooms: Rooms;
  readonly room: Room;
  readonly proxy: RecordingProxy;
}

const addressOf = (number: number): string => `10.0.${4 + (number >> 7)}.${(number & 127) + 1}`;

describe('a publisher that is frozen while another stands by', function () {
  this.timeout(300_000);
  let house: House;
  const proxies: RecordingProxy[] = [];
  const seats: Seat[] = [];
  let made = 0;
  const handoversMs: number[] = [];

  before(async () => {
    house = await openHouse({ names: ['watcher', 'assigner'] });
    for (const name of ['a1', 'a2', 'a3']) await house.node(name, { labels: { pool: 'a' } });
    for (const label of ['left', 'right']) {
      const proxy = await recordingProxy(house.plane);
      proxies.push(proxy);
      proxy.slow = () => Math.random() * 150;
      const rooms = await besides(house, 'publisher', label, proxy.url);
      seats.push({ rooms, room: rooms.room('publisher'), proxy });
    }
    await house.egressIP('disputed', ['10.0.3.250'], { pool: 'a' });
    await house.homed('disputed', /on a/);
  });
  after(async () => {
    for (const { rooms } of seats) await rooms.stop();
    for (const proxy of proxies) proxy.stop();
    await house.stop();
    process.stdout.write(`    handovers: ${handoversMs.join(', ')} ms\n`);
  });

  const seat = (index: number): Seat => {
    const found = seats[index];
    assert.ok(found);
    return found;
  };
  const roles = async (): Promise<[Seat, Seat]> => {
    const isLeft = await speaks(seat(0).room);
    return isLeft ? [seat(0), seat(1)] : [seat(1), seat(0)];
  };

  /** New objects, and a status that somebody else overwrites: a look, then a write. */
  const busy = async (until: AbortSignal): Promise<void> => {
    while (!until.aborted) {
      made += 1;
      await house.egressIP(`e-${made}`, [addressOf(made)], { pool: 'a' });
      const items = [{ egressIP: '10.0.3.250', node: 'elsewhere' }];
      if (made % 3 === 0) await house.api.patch(`${egressIPs}/disputed`, { status: { items } });
      await sleep(40 + Math.random() * 80);
    }
  };

  for (const [round, seconds] of [1, 5, 1, 5, 20, 5].entries()) {
    it(`for ${seconds} s sends nothing more once another leads (round ${round + 1})`, async () => {
      const [old, next] = await roles();
      await until(next.room, standsBy);
      const stop = new AbortController();
      const work = busy(stop.signal);
      const sentBefore = old.proxy.changes.length;
      await house.until('it is at work', () => old.proxy.changes.length > sentBefore + 2);
      await sleep(Math.random() * 200);
      const frozenAtMs = Date.now();
      const ofOther = next.proxy.changes.length;
      old.room.freeze();
      await sleep(seconds * 1000);
      if (seconds > 3) await until(next.room, speaks);
      const sent = old.proxy.changes.length;
      old.room.thaw();
      if (seconds > 3) {
        await until(old.room, standsBy);
        stop.abort();
        const late = old.proxy.changes.slice(sent);
        assert.deepEqual(late, []);
        const first = next.proxy.changes[ofOther];
        assert.ok(first);
        handoversMs.push(first.atMs - frozenAtMs);
      } else {
        await sleep(500);
        stop.abort();
        assert.equal(next.proxy.changes.length, ofOther);
      }
      await work;
      for (let index = 1; index <= made; index++) await house.homed(`e-${index}`, /on a[123]$/);
    });
  }

  it('moved nothing, and gave no address to two', () => {
    neverTwice(house);
    const homes = new Map<string, Set<string>>();
    for (const { object } of house.egressIPs.history)
      for (const { egressIP, node } of object.status?.items ?? [])
        homes.set(egressIP, (homes.get(egressIP) ?? new Set()).add(node));
    homes.delete('10.0.3.250');
    assert.equal(homes.size, made);
    for (const [address, nodes] of homes) assert.equal(nodes.size, 1, address);
  });
});
