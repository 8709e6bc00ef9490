/** How the watcher learns: from its own facts on the log, from Kubernetes, from the nodes. */
import type { Sighting } from '../../core/door.ts';
import type { Heard } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { INFRASTRUCTURES, type Input } from './input.ts';
import { nameAfter, platformAfter } from './platform.ts';
import type { Thing } from './kinds.ts';
import type { Shelf } from './shelf.ts';
import { isFact, type World } from './world.ts';

/** Its own words, heard again after a restart: what was told need not be told again. */
export function fold(world: World, heard: Heard): void {
  if (heard.stream !== 'watcher' || !isFact(heard.event)) return;
  const { kind, name } = topicOf(heard.event);
  world.told.set(`${kind}/${name}`, heard.event);
  world.dirty.add(`${kind}/${name}`);
  if (heard.event.kind === 'ProberSeen') world.probes.isolation.isolated = heard.event.isolated;
}

export function sense(world: World, input: Input): void {
  switch (input.kind) {
    case 'Tick':
      for (const ask of world.probes.tick()) world.acts.push(ask);
      return undefined;
    case 'Tuned':
      return world.tune(input.tuning);
    case 'Probed':
      if (world.probes.answer(input.node, input.ask, input)) world.dirty.add(`probe/${input.node}`);
      return undefined;
    default:
      return see(world, input);
  }
}

function see(world: World, seen: Sighting): void {
  if (seen.collection === INFRASTRUCTURES) {
    const { platform, infrastructureName } = world;
    const told = world.toldPlatform();
    world.infrastructureName = nameAfter(seen, infrastructureName, told?.infrastructureName);
    if (world.settings.platform === undefined)
      world.platform = platformAfter(seen, platform, told?.platform);
    world.dirty.add('platform/cluster');
  }
  for (const shelf of world.shelves) {
    if (shelf.kind.collection !== seen.collection) continue;
    for (const name of touched(world, shelf, seen)) world.dirty.add(`${shelf.kind.topic}/${name}`);
    if (shelf.kind.announced === true) later(world.dirty, `kind/${shelf.kind.plural}`);
  }
}

/** At the end of those that are to be looked at: that a kind is complete is said last. */
function later(dirty: Set<string>, topic: string): void {
  dirty.delete(topic);
  dirty.add(topic);
}

/** The names of which something may be new; that a kind is not served says nothing of them. */
function touched(world: World, shelf: Shelf<Thing>, seen: Sighting): readonly string[] {
  switch (seen.kind) {
    case 'Listed': {
      const first = shelf.listed ? [] : toldNames(world, shelf.kind.topic);
      if (!shelf.listed && shelf.kind.announced !== true) world.lookAtAll = true;
      return [...first, ...shelf.list(seen.objects)];
    }
    case 'Put':
      return shelf.put(seen.object);
    case 'Gone':
      return shelf.lose(seen.name, seen.uid);
    case 'NotServed': {
      const lost = shelf.miss();
      return shelf.listed ? [...toldNames(world, shelf.kind.topic), ...lost] : lost;
    }
  }
}

function toldNames(world: World, topic: string): readonly string[] {
  const topics = [...world.told.keys()].filter((told) => told.startsWith(`${topic}/`));
  return topics.map((told) => told.slice(topic.length + 1));
}
