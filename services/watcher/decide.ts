/** Tells what is news: the difference between what is seen and what was told. */
import type { Saying } from '../../core/event.ts';
import type { Fact } from '../../core/fact.ts';
import type { Turn } from '../../core/room.ts';
import { topicOf } from '../../core/subject.ts';
import { type Act, EGRESSIPS, NODES } from './input.ts';
import { same } from './same.ts';
import { probeOf } from './sense.ts';
import { egressIPNews, nodeNews } from './words.ts';
import type { World } from './world.ts';

/** Topics per slice: some milliseconds at most. */
const SLICE = 500;

export function decide(world: World): Turn<Act> {
  const topics = [...world.dirty].slice(0, SLICE);
  const says: Saying[] = [];
  for (const topic of topics) {
    world.dirty.delete(topic);
    const slash = topic.indexOf('/');
    const saying = news(world, topic.slice(0, slash), topic.slice(slash + 1));
    if (saying !== undefined) says.push(saying);
  }
  if (world.dirty.size === 0 && world.lookAtAll) lookAtAll(world);
  const more = world.dirty.size > 0;
  if (!more) {
    const synced = syncedNews(world);
    if (synced !== undefined) says.push(synced);
  }
  return { says, does: world.acts.splice(0), more };
}

function news(world: World, kind: string, name: string): Saying | undefined {
  switch (kind) {
    case 'node':
      return nodeChange(world, name);
    case 'egressip':
      return egressIPChange(world, name);
    case 'probe':
      return probeChange(world, name);
    default:
      return undefined;
  }
}

function nodeChange(world: World, name: string): Saying | undefined {
  if (!world.listed.has(NODES)) return undefined;
  const node = world.nodes.get(name);
  look(world, name);
  const before = world.toldNode(name);
  if (node === undefined)
    return before && say(world, { kind: 'NodeGone', name, uid: before.uid }, 'is gone');
  if (same(before, node)) return undefined;
  return say(world, { kind: 'NodeSeen', node }, nodeNews(before, node));
}

function egressIPChange(world: World, name: string): Saying | undefined {
  if (!world.listed.has(EGRESSIPS)) return undefined;
  const egressIP = world.egressIPs.get(name);
  if (world.probes.wish(name, egressIP)) world.lookAtAll = true;
  const before = world.toldEgressIP(name);
  if (egressIP === undefined)
    return before && say(world, { kind: 'EgressIPGone', name, uid: before.uid }, 'is gone');
  if (same(before, egressIP)) return undefined;
  return say(world, { kind: 'EgressIPSeen', egressIP }, egressIPNews(before, egressIP));
}

function lookAtAll(world: World): void {
  world.lookAtAll = false;
  for (const topic of world.told.keys()) if (topic.startsWith('probe/')) world.dirty.add(topic);
  for (const name of world.nodes.keys()) look(world, name);
}

/** Has the node probed at once when an EgressIP wants it for the first time, or not at all any more. */
function look(world: World, name: string): void {
  const node = world.nodes.get(name);
  const last = world.toldReachable(name, node?.uid ?? '');
  const change = world.probes.look(name, node, last);
  const member = world.probes.members.get(name);
  if (change === 'joined' && member !== undefined) {
    member.busy = true;
    world.acts.push(probeOf(world, name, member.uid, member.addresses));
  }
  if (change === 'left') world.acts.push({ kind: 'Forget', node: name });
  world.dirty.add(`probe/${name}`);
}

function probeChange(world: World, name: string): Saying | undefined {
  // Who is probed is not known before all nodes were looked at; then each comes up again.
  if (world.listed.size < 2 || world.lookAtAll) return undefined;
  const told = world.told.get(`probe/${name}`);
  const member = world.probes.members.get(name);
  if (member === undefined || isStale(told, member.uid)) {
    if (told?.kind !== 'ReachabilitySeen') return undefined;
    const why = world.nodes.has(name) ? 'not probed any more' : 'gone, not probed any more';
    return say(world, { kind: 'ReachabilityForgotten', name }, why);
  }
  const { uid, reachable, because } = member;
  if (reachable === undefined) return undefined;
  if (told?.kind === 'ReachabilitySeen' && told.reachable === reachable) return undefined;
  const fact: Fact = { kind: 'ReachabilitySeen', name, uid, reachable, because };
  return say(world, fact, `${because}: ${reachable ? 'reachable' : 'unreachable'}`);
}

/** The told answer was another node's of the same name, and the new one has not answered yet. */
function isStale(told: Fact | undefined, uid: string): boolean {
  return told?.kind === 'ReachabilitySeen' && told.uid !== uid;
}

/** Once both kinds are listed and every wanted node was probed, others may begin to decide. */
function syncedNews(world: World): Saying | undefined {
  if (!world.listed.has(NODES) || !world.listed.has(EGRESSIPS)) return undefined;
  if (!world.probes.complete) return undefined;
  const { probing } = world.settings;
  const told = world.told.get('sync/cluster');
  if (told?.kind === 'Synced' && told.probing === probing) return undefined;
  const fact: Fact = { kind: 'Synced', kinds: ['nodes', 'egressips'], probing };
  return say(world, fact, `nodes and egressips are complete, probes ${probing}`);
}

function say(world: World, event: Fact, said: string): Saying {
  world.told.set(topicKey(event), event);
  return { event, causes: [], said };
}

function topicKey(fact: Fact): string {
  const { kind, name } = topicOf(fact);
  return `${kind}/${name}`;
}
