/** What is said when a resource is gone: nothing holds of it any more. */
import type { Cause, Saying } from '../../core/event.ts';
import type { Resource } from '../../core/bgp-decision.ts';
import { isMade } from './claims.ts';
import { removeFrr } from './frr-plan.ts';
import { letGoOfNetwork } from './network-operator.ts';
import { decidedOn } from './ownership.ts';
import type { Want } from './want.ts';
import type { World } from './world.ts';

export function forget(world: World, causes: readonly Cause[]): readonly Saying[] {
  const { configs, configsDecided, routings, routingsDecided } = world;
  const say = (resource: Resource, name: string, uid: string): Saying => ({
    event: { kind: 'ResourceForgotten', resource, name, uid },
    causes,
    said: 'gone',
  });
  const gone = <T extends { readonly name: string; readonly uid: string }>(
    resource: Resource,
    decided: ReadonlyMap<string, T>,
    there: ReadonlyMap<string, unknown>,
  ): readonly Saying[] =>
    [...decided.values()]
      .filter(({ name }) => !there.has(name))
      .map(({ name, uid }) => say(resource, name, uid));
  return [
    ...gone('cudnbgpconfig', configsDecided, configs),
    ...gone('cudnbgprouting', routingsDecided, routings),
  ];
}

/**
 * There is no CUDNBgpConfig (any more): what was made for one goes, once no network needs it. A
 * routing of which nothing came about needs nothing.
 */
export function letGo(world: World): readonly Want[] {
  const network = letGoOfNetwork(world);
  const unneeded = world.isServed('cudnbgpconfigs') && !isNeeded(world);
  const made = removeFrr(world).filter(
    ({ object, name }) => decidedOn(world, object, name)?.want === 'present',
  );
  return [...(network === undefined ? [] : [network]), ...(unneeded ? made : [])];
}

const isNeeded = (world: World): boolean =>
  [...world.routings.values()].some((routing) => isMade(world, routing));
