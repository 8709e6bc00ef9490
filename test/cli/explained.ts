/** What the tests of `explain` have in common: an address, its selector, and how to ask. */
import assert from 'node:assert/strict';
import { type Explanation, explain } from '../../services/assigner/explain.ts';
import { addressesOf } from '../../services/assigner/explain-state.ts';
import { type Scene, where } from './scene.ts';

export const production = { tier: 'production' };
export const onProduction = where(production);
export const IP = '203.0.113.100';

export function explained(scene: Scene, name = 'web', address = IP): Explanation {
  const { picture } = scene;
  const claim = picture.world.claims.get(name);
  assert.ok(claim, `${name} is known`);
  assert.ok(addressesOf(claim).includes(address), `${name} asks for ${address}`);
  return explain(picture, claim, address);
}

export const verdicts = ({ nodes }: Explanation): readonly string[] =>
  nodes.map((view) => `${view.node}: ${view.verdict}`);

export const changes = ({ help }: Explanation): readonly string[] =>
  help.map(({ name, change }) => `${name} ${change}`);
