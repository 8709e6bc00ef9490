/** Networks that were made for a routing that is gone, or that has another network now (W-04). */
import { withdrawCudn } from './cudn.ts';
import { CUDN_PREFIX, standingOf } from './ownership.ts';
import type { Scene } from './scene.ts';
import { absent, type Want } from './want.ts';
import type { World } from './world.ts';

const object = 'ClusterUserDefinedNetwork';

/**
 * Only what we decided on ourselves goes: an object that merely carries the label may be anybody's.
 */
export function orphans(world: World, scene: Scene): readonly Want[] {
  if (!world.isServed('cudnbgproutings')) return [];
  const decided = [...world.objectsDecided].filter(
    ([key, one]) => one.object === object && one.want !== 'untouched' && !scene.claimed.has(key),
  );
  return decided.flatMap(([, { name, want, owner, condition }]): readonly Want[] => {
    const because = 'no CUDNBgpRouting is for it any more';
    const { ours } = standingOf(world, object, name);
    if (ours === undefined)
      return want === 'absent'
        ? []
        : [absent({ object, name, uid: '', owner, condition, because })];
    const routing = { name: owner.split('/')[1] ?? '', network: name.slice(CUDN_PREFIX.length) };
    return [withdrawCudn(routing, ours, because)];
  });
}
