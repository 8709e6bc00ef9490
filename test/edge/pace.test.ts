/** The pace of a room, by a clock that is put back. */
import assert from 'node:assert/strict';
import { Pace } from '../../edge/pace.ts';

/** A clock that tests set, and what was slept by it. */
function clockAt(startMs: number) {
  const clock = { atMs: startMs, breaths: 0, sleeps: [] as number[] };
  const door = {
    nowMs: () => clock.atMs,
    breathe: async () => void clock.breaths++,
    sleep: async (ms: number) => void clock.sleeps.push(ms),
  };
  return { clock, pace: new Pace(door, 500, new AbortController().signal) };
}

describe('the pace of a room', () => {
  it('holds back what comes right after something was said', () => {
    const { clock, pace } = clockAt(1_000_000);
    pace.spoke();
    clock.atMs += 100;
    assert.equal(
      pace.mayWait(() => undefined),
      true,
    );
    assert.deepEqual(clock.sleeps, [400]);
  });

  it('holds back nothing when the clock was put back by minutes (seed 2159)', () => {
    const { clock, pace } = clockAt(1_000_000);
    pace.spoke();
    clock.atMs -= 350_000;
    assert.equal(
      pace.mayWait(() => undefined),
      false,
    );
  });

  it('still lets other work in when the clock was put back', async () => {
    const { clock, pace } = clockAt(1_000_000);
    clock.atMs -= 350_000;
    await pace.breathe();
    assert.equal(clock.breaths, 1);
  });
});
