/** How old the picture may be that a room acts upon, in the worst case of a plan's faults. */
import type { Plan } from './plan.ts';

const words = [
  ...['paused', 'stalls', 'away', 'past', 'late', 'slow', 'jumps', 'rival', 'lost', 'cut', 'gone'],
  ...['cloud', 'not served', 'throttled', 'error', 'broken'],
];
const slow = new RegExp(words.join('|'));

/** Milliseconds. Whatever was true all that time is known to everybody. */
export const windowMs = (plan: Plan): number => {
  const kinds = [...plan.shares.map(({ rate }) => rate), ...plan.steps.map(({ kind }) => kind)];
  return kinds.some((kind) => slow.test(kind)) ? 300_000 : 60_000;
};
