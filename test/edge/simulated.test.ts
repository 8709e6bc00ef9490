/** The simulated clock, prober and world: what a rehearsal rests on. */
import assert from 'node:assert/strict';
import { StaleWriter } from '../../core/door.ts';
import { Activity } from '../../edge/simulated/activity.ts';
import { SimulatedClock } from '../../edge/simulated/clock.ts';
import { SimulatedProber } from '../../edge/simulated/prober.ts';
import { SimulatedWorld, type Tenant } from '../../edge/simulated/world.ts';

const never = new AbortController().signal;

describe('the simulated clock', () => {
  it('wakes sleepers in order of time, and lets each act before the next one wakes', async () => {
    const clock = new SimulatedClock(new Activity(), 1_000);
    const woke: string[] = [];
    const sleep = (name: string, ms: number) =>
      void clock.sleep(ms, never).then(() => woke.push(`${name} at ${clock.nowMs()}`));
    for (const [name, ms] of [
      ['c', 30],
      ['a', 10],
      ['b', 10],
      ['d', 31],
    ] as const)
      sleep(name, ms);
    await clock.advance(30, () => new Promise((done) => setImmediate(done)));
    assert.deepEqual(woke, ['a at 1010', 'b at 1010', 'c at 1030']);
    assert.equal(clock.nowMs(), 1_030);
  });

  it('lets go of a sleeper whose room is stopped', async () => {
    const clock = new SimulatedClock(new Activity());
    const stop = new AbortController();
    const slept = clock.sleep(1_000, stop.signal);
    stop.abort();
    await slept;
  });
});

describe('the simulated prober', () => {
  it('answers for each node as it was told, and remembers who was probed', async () => {
    const prober = new SimulatedProber(new Activity());
    const probe = (node: string, addresses = ['10.0.0.2']) =>
      prober.probe({ node, addresses, mode: 'grpc', port: 9107, deadlineMs: 1_000 }, never);
    prober.setReachable('b', false);
    assert.equal((await probe('a')).reachable, true);
    assert.match((await probe('b')).because, /10\.0\.0\.2:9107 silent for 1000 ms/);
    assert.equal((await probe('c', [])).reachable, false);
    assert.deepEqual(prober.probed, ['a', 'b', 'c']);
    prober.resetProbed();
    assert.deepEqual(prober.probed, []);
  });
});

describe('the simulated world', () => {
  const world = (live: Tenant['live']) =>
    new SimulatedWorld({ tenants: [{ name: 'watcher', live }], mostRounds: 200 });

  it('fails loudly when a room never comes to rest', async () => {
    const restless = world(async ({ clock }, signal) => {
      while (!signal.aborted) await clock.sleep(0, signal);
    });
    restless.start();
    await assert.rejects(restless.settle(), /does not come to rest within 200 rounds/);
    await restless.stop();
  });

  it('starts a room anew that was a stale writer, and gives up on one that always is', async () => {
    let lives = 0;
    const twice = world(async ({ clock }, signal) => {
      lives++;
      if (lives < 3) throw new StaleWriter('somebody else spoke');
      await clock.sleep(1_000, signal);
    });
    twice.start();
    await twice.settle();
    assert.equal(lives, 3);
    await twice.stop();
    const stale = world(() => Promise.reject(new StaleWriter('again')));
    stale.start();
    await assert.rejects(stale.settle(), /refused again and again/);
  });

  it('hands on what a room failed of', async () => {
    const broken = world(() => Promise.reject(new Error('assertion failed: two homes')));
    broken.start();
    await assert.rejects(broken.settle(), /two homes/);
  });

  it('forgets what a killed room knew, and lets it begin anew', async () => {
    let lives = 0;
    const room = world(async ({ clock }, signal) => {
      lives++;
      await clock.sleep(1_000_000, signal);
    });
    room.start();
    await room.restart(['watcher']);
    assert.equal(lives, 2);
    await room.stop();
  });
});
