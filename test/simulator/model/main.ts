/** `make model`: STATES= how many states of the larger worlds are met. */
import { exhaust, wander } from './explore.ts';
import { bare, cloud, small } from './land.ts';

const states = Number(process.env['STATES'] || 1_000_000);
for (const land of [small(bare), small(cloud)]) {
  const explored = exhaust(land);
  console.log(`${land.name}: all ${explored.states} states, ${explored.steps} steps`);
}
let met = 0;
for (const land of [bare, cloud]) {
  const explored = wander(land, Math.ceil(states / 2), 1, (so) => {
    if (so % 100_000 === 0) console.log(`${land.name}: ${so} states so far`);
  });
  met += explored.states;
  console.log(`${land.name}: ${explored.states} states met, ${explored.steps} steps`);
}
console.log(`${met} distinct states, each as good as the best that was found by trying all`);
