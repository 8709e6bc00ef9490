/** How bgp learns one event. */
import { BGP_MANAGER, MANAGED_BY } from '../../core/annotation.ts';
import type { BgpConfig, BgpRouting } from '../../core/bgp-fact.ts';
import { canonicalJson } from '../../core/canonical.ts';
import type { Labels } from '../../core/labels.ts';
import type { Cause, Heard } from '../../core/event.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { isCopy } from './copies.ts';
import { recall } from './recall.ts';
import { keyOf, type World } from './world.ts';

export function fold(world: World, heard: Heard): void {
  world.reach(heard.atMs);
  if (heard.stream === 'bgp') return recall(world, heard.event);
  const cause: Cause = { stream: heard.stream, sequence: heard.sequence };
  if (learn(world, heard)) world.stir(cause);
}

/** Whether that is news for this room. */
function learn(world: World, { event, stream }: Heard): boolean {
  switch (event.kind) {
    case 'NodeSeen':
      return seeNode(world, event.node.name, event.node.labels);
    case 'NodeGone':
      return world.nodes.delete(event.name);
    case 'Synced':
      world.synced = true;
      return true;
    case 'NeighborsSeen':
      if (stream !== 'aws-sync') return false;
      world.neighbors = { uid: event.uid, groups: event.groups };
      return true;
    case 'AwsJudged':
      world.judged.set(event.name, event);
      return true;
    default:
      return learnRouting(world, event);
  }
}

function learnRouting(world: World, event: Heard['event']): boolean {
  switch (event.kind) {
    case 'BgpConfigSeen':
      return seeResource(world.configs, event.config);
    case 'BgpConfigGone':
      return world.configs.delete(event.name);
    case 'BgpRoutingSeen':
      return seeResource(world.routings, event.routing);
    case 'BgpRoutingGone':
      return world.routings.delete(event.name);
    case 'ObjectSeen':
      return seeObject(world, event.seen);
    case 'ObjectGone':
      if (isCopy(event)) return world.copies.lose(event.name);
      world.owned.delete(event.uid);
      return world.objects.delete(keyOf(event.object, event.name));
    case 'KindSeen':
      world.kinds.set(event.plural, event.served);
      return true;
    default:
      return learnSurroundings(world, event);
  }
}

function learnSurroundings(world: World, event: Heard['event']): boolean {
  switch (event.kind) {
    case 'FrrPodSeen':
      world.pods.set(event.pod.name, event.pod);
      return true;
    case 'FrrPodGone':
      return world.pods.delete(event.name);
    case 'NamespaceSeen':
      world.namespaces.set(event.namespace.name, event.namespace);
      return true;
    case 'NamespaceGone':
      return world.namespaces.delete(event.name);
    case 'SessionSeen':
      world.sessions.set(event.session.name, event.session);
      return true;
    case 'SessionGone':
      return world.sessions.delete(event.name);
    // Egress IPs, and what came of writes, are no matter of what is wanted here.
    default:
      return false;
  }
}

/** Its status is what we say of it ourselves: an echo is no news, except at the first sight. */
function seeResource<T extends BgpConfig | BgpRouting>(known: Map<string, T>, seen: T): boolean {
  const before = known.get(seen.name);
  known.set(seen.name, seen);
  return before === undefined || withoutStatus(before) !== withoutStatus(seen);
}

const withoutStatus = (resource: BgpConfig | BgpRouting): string =>
  canonicalJson({ ...resource, status: undefined });

function seeObject(world: World, seen: ManagedObject): boolean {
  if (isCopy(seen)) return world.copies.see(seen);
  if (seen.labels[MANAGED_BY] === BGP_MANAGER) world.owned.add(seen.uid);
  world.objects.set(keyOf(seen.object, seen.name), seen);
  return true;
}

/** Of a node only the labels matter here: heartbeats of all kinds are no work. */
function seeNode(world: World, name: string, labels: Labels): boolean {
  const before = world.nodes.get(name);
  world.nodes.set(name, labels);
  return before === undefined || !equal(before, labels);
}

function equal(a: Labels, b: Labels): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
