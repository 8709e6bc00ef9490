/** Random numbers by purpose: what is drawn for one thing does not change what another one gets. */
import { seeded } from '../every.ts';

export interface Draw {
  /** From 0 to 1, without 1. */
  next(): number;
  one<T>(options: readonly T[]): T;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  chance(share: number): boolean;
  /** Some of the options, at least `least`, in their order. */
  some<T>(options: readonly T[], least?: number): readonly T[];
}

export function draw(seed: number, purpose = ''): Draw {
  const { next, one } = seeded(mix(seed, purpose));
  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));
  return {
    next,
    one,
    between,
    chance: (share) => next() < share,
    some: (options, least = 0) => {
      const most = between(Math.min(least, options.length), options.length);
      const chosen = options.map((_, index) => ({ index, at: next() }));
      chosen.sort((a, b) => a.at - b.at);
      const kept = new Set(chosen.slice(0, most).map(({ index }) => index));
      return options.filter((_, index) => kept.has(index));
    },
  };
}

/** FNV-1a over the purpose, stirred with the seed. */
function mix(seed: number, purpose: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < purpose.length; at++)
    hash = Math.imul(hash ^ purpose.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ Math.imul(seed, 0x9e3779b1);
}
