/** One slice of thought: the config and its objects first, then the routings, then what is left. */
import type { BgpConfig, BgpRouting } from '../../core/bgp-fact.ts';
import type { Saying } from '../../core/event.ts';
import type { Turn } from '../../core/room.ts';
import { type Before, Waits, worst } from './condition.ts';
import { judgeConfig, judgeStranger } from './config.ts';
import { farewell } from './farewell.ts';
import { forget, letGo } from './forgotten.ts';
import type { Act } from './input.ts';
import { unheard } from './kinds.ts';
import { orphans } from './orphans.ts';
import { wantRouteAdvertisements } from './route-advertisements.ts';
import { judgeRouting } from './routing.ts';
import { answerFor, note, type Scene } from './scene.ts';
import { sceneOf } from './setting.ts';
import { type Stands, tellConfig, tellObject, tellRouting } from './tell.ts';
import type { Want } from './want.ts';
import type { RoutingDecided, World } from './world.ts';

/** Routings per slice: some milliseconds at most. */
const SLICE = 50;

export function decide(world: World): Turn<Act> {
  if (unheard(world) !== '') return { says: [], does: [], more: false };
  if (world.scene !== undefined) return { says: go(world, world.scene), does: [], more: true };
  if (world.dirty) return { says: begin(world), does: [], more: true };
  const atMs = world.ask();
  const does: readonly Act[] = atMs === undefined ? [] : [{ kind: 'Wake', atMs }];
  return { says: [], does, more: false };
}

function begin(world: World): readonly Saying[] {
  world.dirty = false;
  world.forgetReminders();
  const scene = sceneOf(world, world.configs.get('cluster'));
  world.scene = scene;
  const configs = [...world.configs.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const says = configs.flatMap((config) => sayConfig(world, scene, config));
  return scene.config === undefined ? [...sayObjects(world, scene, letGo(world)), ...says] : says;
}

/** The next few routings; after the last one what they share. */
function go(world: World, scene: Scene): readonly Saying[] {
  if (scene.queue.length > 0)
    return scene.queue
      .splice(-SLICE)
      .toReversed()
      .flatMap((routing) => sayRouting(world, scene, routing));
  world.scene = undefined;
  const shared = wantRouteAdvertisements(world, scene);
  const wants = [...orphans(world, scene), ...(shared === undefined ? [] : [shared])];
  return [...sayObjects(world, scene, wants), ...forget(world, scene.causes)];
}

/** What was said of this very object before; its name may have been another one's. */
function beforeOf<T extends Before>(known: T | undefined, uid: string): T | undefined {
  return known?.uid === uid ? known : undefined;
}

function sayConfig(world: World, scene: Scene, config: BgpConfig): readonly Saying[] {
  const before = beforeOf(world.configsDecided.get(config.name), config.uid);
  const wasReady = before?.wasReady === true || config.status.phase === 'Ready';
  const isTheOne = config === scene.config;
  const state = isTheOne
    ? judgeConfig(world, config, before, wasReady)
    : judgeStranger(world, config);
  if (isTheOne) scene.open = state.wasReady && !config.deleting;
  return [
    ...sayObjects(world, scene, state.wants),
    ...tellConfig(world, config, before, state, scene.causes),
  ];
}

function sayRouting(world: World, scene: Scene, routing: BgpRouting): readonly Saying[] {
  const before = beforeOf(world.routingsDecided.get(routing.name), routing.uid);
  const holds = scene.claims.get(routing.network) === routing;
  const { want, ...stands } = routing.deleting
    ? ending(world, scene, routing)
    : standing(world, scene, routing, before);
  if (want !== undefined && !routing.deleting) answerFor(scene, want);
  return [
    ...sayObjects(world, scene, want === undefined ? [] : [want]),
    ...tellRouting(world, routing, before, { ...stands, holds }, scene.causes),
  ];
}

type Found = Stands & { readonly want: Want | undefined };

function standing(
  world: World,
  scene: Scene,
  routing: BgpRouting,
  before: RoutingDecided | undefined,
): Found {
  const ready = before?.wasReady === true || routing.status.phase === 'Ready';
  const { judged, want, waits } = judgeRouting(world, scene, routing, before, ready);
  const phase = worst(judged.map((one) => one.phase));
  const finalizer = scene.claims.get(routing.network) === routing;
  return { judged, phase, finalizer, wasReady: ready || phase === 'Ready', waits, want };
}

function ending(world: World, scene: Scene, routing: BgpRouting): Found {
  const { judged, want, left } = farewell(world, scene, routing);
  const waits = new Waits(world, undefined);
  return { judged, phase: 'Configuring', finalizer: left, wasReady: false, waits, want };
}

function sayObjects(world: World, scene: Scene, wants: readonly Want[]): readonly Saying[] {
  for (const want of wants) note(scene, want);
  return wants.flatMap((want) => tellObject(world, want, scene.causes));
}
