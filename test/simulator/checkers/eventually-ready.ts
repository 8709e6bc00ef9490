/** Eventually: every room has heard all there is and waits for nothing. */
import type { Checker } from '../checker.ts';
import { roomsOf } from '../rooms.ts';
import type { Simulation } from '../simulation.ts';

/** What may be under way at rest: a room that waits for a time, or for the next probe. */
const MOST_ACTS = 8;

export const ready = (): Checker => ({
  name: 'eventually-ready',
  eventually: judge,
  finally: judge,
});

function judge(world: Simulation): readonly string[] {
  return roomsOf(world.shape).flatMap((name) => {
    const vitals = world.house.vitalsOf(name);
    if (vitals === undefined) return [`${name} does not run`];
    if (!vitals.caughtUp) return [`${name} has not caught up`];
    if (vitals.waits !== '' && !/nodes? to answer|first answer/.test(vitals.waits))
      return [`${name} waits for ${vitals.waits}`];
    return vitals.acting > MOST_ACTS ? [`${name} has ${vitals.acting} acts under way`] : [];
  });
}
