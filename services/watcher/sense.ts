/** How the watcher learns: its own facts from the log, objects from Kubernetes, answers from nodes. */
import type { KubeObject, Sighting } from '../../core/door.ts';
import type { Heard } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { EGRESSIPS, type Input, NODES } from './input.ts';
import { egressIPOf, nodeOf } from './project.ts';
import { isFact, type World } from './world.ts';

/** Its own words, heard again after a restart: what was told need not be told again. */
export function fold(world: World, heard: Heard): void {
  if (heard.stream !== 'watcher' || !isFact(heard.event)) return;
  const { kind, name } = topicOf(heard.event);
  world.told.set(`${kind}/${name}`, heard.event);
  world.dirty.add(`${kind}/${name}`);
}

export function sense(world: World, input: Input): void {
  switch (input.kind) {
    case 'Listed':
      return relist(world, input);
    case 'Put':
      return see(world, input.collection, input.object);
    case 'Gone':
      return lose(world, input);
    case 'NotServed':
      return undefined;
    case 'Tick':
      return probeAll(world);
    case 'Probed': {
      const { node, uid, reachable, because } = input;
      if (world.probes.answer(node, uid, reachable, because)) world.dirty.add(`probe/${node}`);
      return undefined;
    }
  }
}

/** The complete picture: whatever is not in it does not exist (any more). */
function relist(world: World, { collection, objects }: Extract<Sighting, { kind: 'Listed' }>): void {
  const names = new Set(objects.map(({ metadata }) => metadata.name));
  const known = collection === NODES ? world.nodes : world.egressIPs;
  for (const name of known.keys()) if (!names.has(name)) forget(world, collection, name);
  const kind = collection === NODES ? 'node/' : 'egressip/';
  if (!world.listed.has(collection)) {
    for (const topic of world.told.keys()) if (topic.startsWith(kind)) world.dirty.add(topic);
    world.listed.add(collection);
    world.lookAtAll = true;
  }
  for (const object of objects) see(world, collection, object);
}

function see(world: World, collection: string, object: KubeObject): void {
  if (collection === NODES) {
    const node = nodeOf(object);
    world.nodes.set(node.name, node);
    world.dirty.add(`node/${node.name}`);
  } else if (collection === EGRESSIPS) {
    const egressIP = egressIPOf(object);
    world.egressIPs.set(egressIP.name, egressIP);
    world.dirty.add(`egressip/${egressIP.name}`);
  }
}

/** A late word about an object that has been replaced under its name since is none about the new one. */
function lose(world: World, { collection, name, uid }: Extract<Sighting, { kind: 'Gone' }>): void {
  const known = (collection === NODES ? world.nodes : world.egressIPs).get(name);
  if (known !== undefined && known.uid !== uid) return;
  forget(world, collection, name);
}

function forget(world: World, collection: string, name: string): void {
  if (collection === NODES) {
    world.nodes.delete(name);
    world.dirty.add(`node/${name}`);
  } else {
    world.egressIPs.delete(name);
    world.dirty.add(`egressip/${name}`);
  }
}

function probeAll(world: World): void {
  for (const member of world.probes.members.values()) {
    if (member.busy) continue;
    member.busy = true;
    world.acts.push(probeOf(world, member.node, member.uid, member.addresses));
  }
}

export function probeOf(
  world: World,
  node: string,
  uid: string,
  addresses: readonly string[],
): Extract<World['acts'][number], { kind: 'Probe' }> {
  const { probing, port, deadlineMs } = world.settings;
  const mode = probing === 'tcp' ? 'tcp' : 'grpc';
  return { kind: 'Probe', uid, request: { node, addresses, mode, port, deadlineMs } };
}
