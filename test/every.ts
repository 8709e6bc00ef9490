/** Runs `body` once for every possible sequence of choices that it makes. */
export interface Choose {
  one<T>(options: readonly T[]): T;
}

/** Returns the number of runs: all small worlds, each exactly once. */
export function every(body: (choose: Choose) => void): number {
  let path: { value: number; bound: number }[] = [];
  for (let runs = 1; ; runs++) {
    let position = 0;
    body({
      one(options) {
        if (position === path.length) path.push({ value: 0, bound: options.length });
        return options[path[position++]!.value]!;
      },
    });
    while (path.length > 0 && path.at(-1)!.value + 1 === path.at(-1)!.bound)
      path = path.slice(0, -1);
    if (path.length === 0) return runs;
    path.at(-1)!.value++;
  }
}

/** A seeded source of choices, for worlds too many to be tried all (mulberry32). */
export function seeded(seed: number): Choose & { next(): number } {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return { next, one: (options) => options[Math.floor(next() * options.length)]! };
}
