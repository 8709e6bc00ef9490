/**
 * Which kind of round comes when: each kind once in any order, then each once more, from a seed.
 */
import { draw } from '../simulator/draw.ts';
import { kinds } from './kinds.ts';

export function planOf(seed: number, rounds: number, names = Object.keys(kinds)): string[] {
  const plan: string[] = [];
  for (let cycle = 0; plan.length < rounds; cycle++) {
    const chance = draw(seed, `cycle ${cycle}`);
    const drawn = names.map((name) => ({ name, at: chance.next() }));
    plan.push(...drawn.sort((a, b) => a.at - b.at).map(({ name }) => name));
  }
  return plan.slice(0, rounds);
}
