/** Tells what is news: the difference between what is seen and what was told. */
import type { Saying } from '../../core/event.ts';
import type { Fact } from '../../core/fact.ts';
import type { Turn } from '../../core/room.ts';
import { list } from '../../core/say.ts';
import { topicOf } from '../../core/subject.ts';
import type { Act } from './input.ts';
import { same } from '../../core/same.ts';
import { servedNews } from './served.ts';
import type { World } from './world.ts';

/** Topics per slice: some milliseconds at most. */
const SLICE = 500;

export function decide(world: World): Turn<Act> {
  const says: Saying[] = [];
  for (const topic of [...world.dirty].slice(0, SLICE)) {
    world.dirty.delete(topic);
    const slash = topic.indexOf('/');
    const saying = news(world, topic.slice(0, slash), topic.slice(slash + 1));
    if (saying !== undefined) says.push(saying);
  }
  if (world.dirty.size === 0 && world.lookAtAll) lookAtAll(world);
  if (world.dirty.size === 0) says.push(...settled(world));
  const more = world.dirty.size > 0;
  if (!more) says.push(...synced(world));
  return { says, does: world.acts.splice(0), more };
}

function news(world: World, kind: string, name: string): Saying | undefined {
  if (kind === 'look') look(world, name);
  if (kind === 'node') look(world, name);
  if (kind === 'egressip') wish(world, name);
  if (kind === 'probe') return probeChange(world, name);
  if (kind === 'platform') return platformChange(world);
  if (kind === 'kind') return served(world, name);
  const shelf = world.shelves.find((one) => one.kind.topic === kind);
  const found = shelf?.news(name, world.told.get(`${kind}/${name}`));
  return found && say(world, found.event, found.said);
}

function lookAtAll(world: World): void {
  world.lookAtAll = false;
  for (const name of world.nodes.things.keys()) world.dirty.add(`look/${name}`);
  // Of nodes that are gone, too: nobody probes them any more.
  for (const topic of world.told.keys()) if (topic.startsWith('probe/')) world.dirty.add(topic);
}

function wish(world: World, name: string): void {
  if (!world.egressIPs.listed) return;
  if (world.probes.wishes.wish(name, world.egressIPs.things.get(name))) world.lookAtAll = true;
}

/** Has a node probed at once when an EgressIP wants it for the first time, or no longer at all. */
function look(world: World, name: string): void {
  if (!world.pictured) return;
  const node = world.nodes.things.get(name);
  const told = world.toldReachable(name, node?.uid ?? '');
  world.acts.push(...world.probes.look(name, node, told));
  world.dirty.add(`probe/${name}`);
}

function probeChange(world: World, name: string): Saying | undefined {
  if (!world.pictured || world.lookAtAll) return undefined;
  const told = world.told.get(`probe/${name}`);
  const member = world.probes.members.get(name);
  if (member === undefined || isStale(told, member.uid)) {
    if (told?.kind !== 'ReachabilitySeen') return undefined;
    const why = world.nodes.things.has(name) ? 'not probed any more' : 'gone, not probed any more';
    const forgotten = say(world, { kind: 'ReachabilityForgotten', name }, why);
    if (member?.reachable !== undefined) world.dirty.add(`probe/${name}`);
    return forgotten;
  }
  const { uid, reachable, because } = member;
  if (reachable === undefined) return undefined;
  if (told?.kind === 'ReachabilitySeen' && told.reachable === reachable) return undefined;
  const fact: Fact = { kind: 'ReachabilitySeen', name, uid, reachable, because };
  return say(world, fact, `${because}: ${reachable ? 'reachable' : 'unreachable'}`);
}

/** The told answer was another node's of the same name. */
function isStale(told: Fact | undefined, uid: string): boolean {
  return told?.kind === 'ReachabilitySeen' && told.uid !== uid;
}

function platformChange(world: World): Saying | undefined {
  const { platform } = world;
  const told = world.toldPlatform();
  const infrastructureName = world.infrastructureName ?? told?.infrastructureName ?? '';
  if (platform === undefined) return undefined;
  if (platform === told?.platform && infrastructureName === told.infrastructureName)
    return undefined;
  const named = infrastructureName === '' ? '' : ` of cluster ${infrastructureName}`;
  const fact: Fact = { kind: 'PlatformSeen', platform, infrastructureName };
  return say(world, fact, `the platform${named} is ${platform}`);
}

function served(world: World, plural: string): Saying | undefined {
  const shelf = world.shelves.find(({ kind }) => kind.plural === plural);
  const found = shelf && servedNews(shelf, world.told.get(`kind/${plural}`));
  return found && say(world, found.event, found.said);
}

/** What the answers add up to, once it is known who is probed; first, whether to believe them. */
function settled(world: World): readonly Saying[] {
  if (!world.pictured) return [];
  for (const name of world.probes.settle(world.takingOver)) world.dirty.add(`probe/${name}`);
  const { isolated, because } = world.probes.isolation;
  if (isolated === world.toldIsolated()) return [];
  const said = isolated ? `${because}: the prober is isolated and holds` : `${because}: it goes on`;
  return [say(world, { kind: 'ProberSeen', isolated, because }, said)];
}

/** Once all that is needed is listed and every wanted node was probed, others may decide. */
function synced(world: World): readonly Saying[] {
  const { needed, probes, platform } = world;
  if (platform === undefined || !probes.complete) return [];
  if (!needed.every(({ listed }) => listed)) return [];
  const kinds = needed.map(({ kind }) => kind.plural);
  const fact: Fact = { kind: 'Synced', kinds, probing: world.settings.probing };
  if (same(world.told.get('sync/cluster'), fact)) return [];
  const said = `${list(kinds, kinds.length)} are complete, probes ${fact.probing}`;
  return [say(world, fact, said)];
}

function say(world: World, event: Fact, said: string): Saying {
  const { kind, name } = topicOf(event);
  world.told.set(`${kind}/${name}`, event);
  return { event, causes: [], said };
}
