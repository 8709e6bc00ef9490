/** How aws-sync learns from the log: the cluster's wishes, and its own words. */
import { BGP_MANAGER, MANAGED_BY } from '../../core/annotation.ts';
import type { BgpFact } from '../../core/bgp-fact.ts';
import type { Event, Heard } from '../../core/event.ts';
import type { Node } from '../../core/fact.ts';
import { instanceOf } from './provider-id.ts';
import { recall } from './recall.ts';
import { CONFIG, type World } from './world.ts';

export function fold(world: World, heard: Heard): void {
  if (heard.stream === 'aws-sync') return recall(world, heard);
  if (heard.stream !== 'watcher') return;
  const { event } = heard;
  switch (event.kind) {
    case 'NodeSeen':
      seeNode(world, event.node);
      break;
    case 'NodeGone':
      world.nodes.delete(event.name);
      world.instances.delete(event.name);
      break;
    case 'PlatformSeen':
      world.infrastructureName = event.infrastructureName;
      break;
    case 'Synced':
      world.nodesKnown = true;
      break;
    default:
      if (!isBgp(event) || !learn(world, event)) return;
  }
  world.reach(heard.atMs);
  world.dirty = true;
  world.revision++;
}

function seeNode(world: World, node: Node): void {
  world.nodes.set(node.name, node);
  const instance = instanceOf(node.providerID)?.id;
  if (instance === undefined) world.instances.delete(node.name);
  else world.instances.set(node.name, instance);
}

const kinds: ReadonlySet<string> = new Set<BgpFact['kind']>([
  'BgpConfigSeen',
  'BgpConfigGone',
  'BgpRoutingSeen',
  'BgpRoutingGone',
  'ObjectSeen',
  'ObjectGone',
  'SessionSeen',
  'SessionGone',
  'KindSeen',
]);

const isBgp = (event: Event): event is BgpFact => kinds.has(event.kind);

/** Whether it meant anything. */
function learn(world: World, event: BgpFact): boolean {
  switch (event.kind) {
    case 'BgpConfigSeen':
      if (event.config.name !== CONFIG) return false;
      world.config = event.config;
      return true;
    case 'BgpConfigGone':
      if (event.name !== CONFIG) return false;
      world.config = undefined;
      return true;
    case 'BgpRoutingSeen':
      world.routings.add(event.routing.name);
      return true;
    case 'BgpRoutingGone':
      return world.routings.delete(event.name);
    case 'ObjectSeen': {
      const { object, name, labels } = event.seen;
      const isOurs = object === 'FRRConfiguration' && labels[MANAGED_BY] === BGP_MANAGER;
      if (!isOurs) return world.frrConfigurations.delete(name);
      world.frrConfigurations.add(name);
      return true;
    }
    case 'ObjectGone':
      return event.object === 'FRRConfiguration' && world.frrConfigurations.delete(event.name);
    case 'SessionSeen':
      world.sessions.set(event.session.name, event.session);
      return true;
    case 'SessionGone':
      return world.sessions.delete(event.name);
    case 'KindSeen':
      world.kindsKnown.add(event.plural);
      if (event.plural === 'nodes') world.nodesKnown = true;
      if (event.plural === 'frrconfigurations' && !event.served) world.frrConfigurations.clear();
      return true;
    default:
      return false;
  }
}
