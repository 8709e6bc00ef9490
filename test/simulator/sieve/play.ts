/** One run of a scenario, with at most one thing that goes wrong, and how it ended. */
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import type { Checker } from '../checker.ts';
import { allCheckers } from '../checkers/all.ts';
import { playGlobals } from '../globals.ts';
import type { Plan } from '../plan.ts';
import type { Aim, Passed } from '../points.ts';
import { type Failure, Simulation } from '../simulation.ts';
import { readEgressIP } from '../truth.ts';
import { endOfRouting } from './routing-end.ts';
import type { Scenario } from './scenarios.ts';

export interface Run {
  readonly failure: Failure | undefined;
  /** What each EgressIP has in the end; on which node is free to choose. */
  readonly end: string;
  /** The points passed since the scenario began to happen; kept when nothing is aimed at. */
  readonly trail: readonly Passed[];
  readonly struck: boolean;
}

export interface Disturbance {
  /** What goes wrong. */
  readonly aim: Aim;
  /** How the scenario ends when nothing does. */
  readonly end: string;
}

/** How long a run may need to end as it should, and how long it must then be silent. */
const PATIENCE_MS = 150_000;
const ROUTING_PATIENCE_MS = 700_000;
const SILENCE_MS = 100_000;

/**
 * A disturbed run is at rest when nothing was written for so long: more than twice of what a harm
 * lasts, so that nothing that was held back is still on its way.
 */
const REST_MS = 50_000;

const planFor = ({ shape }: Scenario): Plan => ({
  seed: 1,
  shape: {
    cloud: false,
    movesInPlace: false,
    statusSubresource: false,
    probing: 'off',
    nodes: 3,
    egressIPs: 2,
    pageSize: 500,
    routing: 'none',
    ...shape,
  },
  shares: [],
  steps: [],
  chaosMs: 0,
});

/** `print` is told each line of what happens. */
export async function play(
  scenario: Scenario,
  disturbance?: Disturbance,
  print: (line: string) => void = () => undefined,
): Promise<Run> {
  playGlobals();
  // A harm may break what a server promises of a watch: that is not on trial here.
  const judges = allCheckers().filter(({ name }) => name !== 'watch-validators');
  const world = new Simulation(planFor(scenario), judges, print);
  world.network.steadyMs = 1;
  const { points } = world.faults;
  points.aim = disturbance?.aim;
  world.open(() => {
    for (const act of scenario.given) act(world);
  });
  await world.run(15_000);
  points.trail = disturbance === undefined ? [] : undefined;
  for (const act of scenario.when) {
    act(world);
    await world.run(5_000);
  }
  const patienceMs = scenario.shape?.routing === undefined ? PATIENCE_MS : ROUTING_PATIENCE_MS;
  await settle(world, judges, patienceMs, disturbance?.end);
  world.judge('eventually');
  await silence(world);
  world.judge('finally');
  const { failure } = world;
  const end = endOf(world);
  world.house.close();
  return { failure, end, trail: points.trail ?? [], struck: points.struck };
}

/**
 * Lets the world have its time. Where the end is known, the rest is spared as soon as all is as it
 * should be, and at rest: no judge has anything to wait for any more.
 */
async function settle(
  world: Simulation,
  judges: readonly Checker[],
  patienceMs: number,
  end: string | undefined,
): Promise<void> {
  const untilMs = world.scheduler.nowMs + patienceMs;
  while (world.failure === undefined && world.scheduler.nowMs < untilMs) {
    const writes = world.writes.length;
    await world.run(Math.min(end === undefined ? patienceMs : REST_MS, patienceMs));
    if (world.writes.length > writes || endOf(world) !== end) continue;
    if (judges.every(({ eventually }) => (eventually?.(world) ?? []).length === 0)) return;
  }
}

async function silence(world: Simulation): Promise<void> {
  const writes = world.writes.length;
  await world.run(SILENCE_MS);
  const more = world.writes[writes];
  if (more !== undefined) world.fail('finally-silent', `${more.by} still writes: ${more.what}`);
}

function endOf(world: Simulation): string {
  const ends = world.server.list(EGRESSIPS).map((object) => {
    const { name, wanted, items, mark } = readEgressIP(object);
    const has = items.map(({ egressIP }) => egressIP).sort();
    return `${name} wants ${wanted.length}, has ${has.length}, ${mark === '' ? 'no ' : ''}mark`;
  });
  return `${ends.join('; ')}${endOfRouting(world)}`;
}
