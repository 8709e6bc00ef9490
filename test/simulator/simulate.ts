/** One seed from its beginning to its end. */
import type { Checker } from './checker.ts';
import { allCheckers } from './checkers/all.ts';
import { playGlobals } from './globals.ts';
import type { Plan } from './plan.ts';
import { roomsOf } from './rooms.ts';
import { BEGINNING_MS, type Failure, Simulation, type Wrote } from './simulation.ts';

export interface Outcome {
  readonly failure: Failure | undefined;
  readonly hash: string;
  readonly virtualMs: number;
  readonly jobs: number;
  /** How often each fault befell somebody, and each thing that should happen sometimes did. */
  readonly fired: ReadonlyMap<string, number>;
}

/** How long the healed world has until all must be as it should be. */
const CONVERGENCE_MS = 180_000;
/** Edits go zone after zone, and what AWS refused or lost is tried again after a while. */
const ROUTING_MS = { named: 1_200_000, aws: 1_800_000 } as const;
const SILENCE_MS = 600_000;

export async function simulate(
  plan: Plan,
  print: (line: string) => void = () => undefined,
  checkers: readonly Checker[] = allCheckers(),
): Promise<Outcome> {
  playGlobals();
  const world = new Simulation(plan, checkers, print);
  world.begin();
  await world.run(plan.chaosMs);
  if (world.failure === undefined) await converge(world);
  return {
    failure: world.failure,
    hash: world.scheduler.digest(),
    virtualMs: world.scheduler.nowMs - BEGINNING_MS,
    jobs: world.scheduler.jobs,
    fired: world.faults.fired,
  };
}

/** Eventually stable reconciliation: the world comes to match, and then stays as it is. */
async function converge(world: Simulation): Promise<void> {
  world.heal();
  await world.run(world.house.pausedMs());
  const { routing } = world.shape;
  await world.run(routing === 'none' ? CONVERGENCE_MS : ROUTING_MS[routing]);
  await world.run(restMs(world));
  world.judge('eventually');
  await silence(world, 'finally-silent', SILENCE_MS);
  if (world.failure === undefined) world.judge('finally');
  if (world.failure !== undefined) return;
  for (const name of roomsOf(world.shape)) world.house.kill(name);
  world.note('STEP', 'all rooms are started again');
  await silence(world, 'finally-restart-writes-nothing', 60_000);
  if (world.failure === undefined) world.judge('finally');
}

async function silence(world: Simulation, checker: string, ms: number): Promise<void> {
  const before = world.writes.length;
  await world.run(ms);
  const first = world.writes.slice(before).find((write) => counts(world, write));
  if (first !== undefined && world.failure === undefined)
    world.fail(checker, `${first.by} still writes: ${first.what}`);
}

/**
 * A log that lost what it had acknowledged gives the same sequences to other decisions: a notice
 * may be recorded twice, or late; nothing else is forgiven.
 */
const counts = (world: Simulation, { what }: Wrote): boolean =>
  world.log.losses === 0 || !(what.includes('/events') || /^publisher \d+ /.test(what));

/** A node that could not take an address in the cloud is left in peace for so long. */
function restMs({ log, scheduler }: Simulation): number {
  const untilMs = log
    .lasts('assigner')
    .flatMap(({ event }) => (event.kind === 'EgressIPDecided' ? event.rests : []))
    .map((rest) => rest.untilMs + 60_000 - scheduler.nowMs);
  return Math.min(3_600_000, Math.max(0, ...untilMs));
}
