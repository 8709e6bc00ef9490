/** The simulated log keeps the promises of the real one: what a rehearsal rests on. */
import assert from 'node:assert/strict';
import { StaleWriter } from '../../core/door.ts';
import type { HeardBatch } from '../../core/door.ts';
import type { Saying } from '../../core/event.ts';
import { Activity } from '../../edge/simulated/activity.ts';
import { SimulatedClock } from '../../edge/simulated/clock.ts';
import { SimulatedLog } from '../../edge/simulated/log.ts';

const never = new AbortController().signal;

const gone = (name: string): Saying => ({
  event: { kind: 'NodeGone', name, uid: '1' },
  causes: [],
  said: 'is gone',
});

function openLog() {
  const activity = new Activity();
  return new SimulatedLog(activity, new SimulatedClock(activity));
}

async function take<T>(source: AsyncIterator<T>): Promise<T> {
  const { value, done } = await source.next();
  assert.equal(done, false);
  return value as T;
}

describe('the simulated log', () => {
  it('gives each saying the next sequence of its stream', async () => {
    const log = openLog();
    assert.deepEqual(await log.speak('watcher', [gone('a'), gone('b')], 0, never), [1, 2]);
    assert.deepEqual(await log.speak('watcher', [gone('c')], 2, never), [3]);
    assert.deepEqual(await log.speak('assigner', [gone('a')], 0, never), [1]);
  });

  it('refuses whoever does not know the last sequence, and keeps nothing of it', async () => {
    const log = openLog();
    await log.speak('watcher', [gone('a')], 0, never);
    await assert.rejects(log.speak('watcher', [gone('b')], 0, never), StaleWriter);
    assert.equal(log.events('watcher').length, 1);
  });

  it('begins a reading with the last event of each subject, then goes on live', async () => {
    const log = openLog();
    await log.speak('watcher', [gone('a'), gone('b'), gone('a')], 0, never);
    const reading = log.hear(['watcher', 'assigner'], never);
    const sequences = ({ events }: HeardBatch) => events.map(({ sequence }) => sequence);
    assert.deepEqual(sequences(await take(reading)), [2, 3]);
    assert.deepEqual(await take(reading), { stream: 'assigner', events: [], pending: 0 });
    const next = take(reading);
    await log.speak('watcher', [gone('c')], 3, never);
    assert.deepEqual(sequences(await next), [4]);
  });

  it('tells readers and the writer of a stream that it was lost', async () => {
    const log = openLog();
    await log.speak('watcher', [gone('a')], 0, never);
    const reading = log.hear(['watcher'], never);
    await take(reading);
    log.lose(['watcher']);
    await assert.rejects(reading.next(), StaleWriter);
    await assert.rejects(log.speak('watcher', [gone('b')], 1, never), StaleWriter);
    assert.deepEqual(await log.speak('watcher', [gone('b')], 0, never), [1]);
  });

  it('drops what was not stored yet when its writer is killed', async () => {
    const log = openLog();
    const stop = new AbortController();
    const speaking = log.speak('watcher', [gone('a')], 0, stop.signal);
    stop.abort(new Error('killed'));
    await assert.rejects(speaking, /killed/);
    assert.equal(log.events('watcher').length, 0);
  });

  it('ends a reading when it is not wanted any more', async () => {
    const stop = new AbortController();
    const reading = openLog().hear(['watcher'], stop.signal);
    await take(reading);
    const next = reading.next();
    stop.abort();
    assert.equal((await next).done, true);
  });
});
