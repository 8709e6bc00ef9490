/** The nodes that AWS has to do with. */
import type { AwsScope, BgpConfig } from '../../core/bgp-fact.ts';
import type { Node } from '../../core/fact.ts';
import type { Region } from './region.ts';
import { type Standing, standingOf } from './standing.ts';
import type { World } from './world.ts';

/** The nodes that have all labels of `routerNodeSelector`, by name. */
export function routersOf(world: World, config: BgpConfig, region: Region): readonly Standing[] {
  const routers = [...world.nodes.values()].filter((node) => isRouter(node, config));
  const sorted = routers.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map((node) => standingOf(node, region));
}

export const isRouter = ({ labels }: Node, { routerNodeSelector }: BgpConfig): boolean =>
  Object.entries(routerNodeSelector).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );

/** Whether the node's own check may have to be off. */
export const isScoped = (node: Node, config: BgpConfig, scope: AwsScope): boolean =>
  scope.sourceDestCheckScope === 'AllNodes' || isRouter(node, config);

/** The instances to be looked at, in order: those of routers, of the scope, and to be restored. */
export function instancesWanted(world: World, config: BgpConfig): readonly string[] {
  const ids = new Set<string>();
  const scope = config.aws;
  for (const node of world.nodes.values()) {
    const isWanted = scope !== undefined && isScoped(node, config, scope);
    const id = isWanted ? world.instances.get(node.name) : undefined;
    if (id !== undefined) ids.add(id);
  }
  if (scope?.restoreSourceDestCheck === true)
    for (const { change } of world.interfaceChanges.values())
      if (change.sourceDestCheck === 'off') ids.add(change.instance);
  return [...ids].sort();
}
