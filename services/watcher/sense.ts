/** How the watcher learns: from its own facts on the log, from Kubernetes, from the nodes. */
import type { Sighting } from '../../core/door.ts';
import type { Heard } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { INFRASTRUCTURES, type Input } from './input.ts';
import { platformAfter } from './platform.ts';
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
    world.platform = platformAfter(seen, world.platform, world.toldPlatform());
    world.dirty.add('platform/cluster');
  }
  for (const shelf of world.shelves) {
    if (shelf.kind.collection !== seen.collection) continue;
    for (const name of touched(world, shelf, seen)) world.dirty.add(`${shelf.kind.topic}/${name}`);
  }
}

/** The names of which something may be new; that a kind is not served says nothing of them. */
function touched(world: World, shelf: World['shelves'][number], seen: Sighting): readonly string[] {
  switch (seen.kind) {
    case 'Listed': {
      const first = shelf.listed ? [] : toldNames(world, shelf.kind.topic);
      if (!shelf.listed) world.lookAtAll = true;
      return [...first, ...shelf.list(seen.objects)];
    }
    case 'Put':
      return shelf.put(seen.object);
    case 'Gone':
      return shelf.lose(seen.name, seen.uid);
    case 'NotServed':
      return [];
  }
}

function toldNames(world: World, topic: string): readonly string[] {
  const topics = [...world.told.keys()].filter((told) => told.startsWith(`${topic}/`));
  return topics.map((told) => told.slice(topic.length + 1));
}
