/** Sieve's method: learn what happens in a scenario, then let one thing go wrong at each point. */
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import { allCheckers } from '../checkers/all.ts';
import { playGlobals } from '../globals.ts';
import type { Plan } from '../plan.ts';
import { type Aim, harmsAt, type Point } from '../points.ts';
import { type Failure, Simulation } from '../simulation.ts';
import { readEgressIP } from '../truth.ts';
import { endOfRouting } from './routing-end.ts';
import type { Scenario } from './scenarios.ts';

export interface Run {
  readonly failure: Failure | undefined;
  /** What each EgressIP has in the end; on which node is free to choose. */
  readonly end: string;
  readonly counts: Readonly<Record<Point, number>>;
  /** How many points there were when the scenario began to happen. */
  readonly before: Readonly<Record<Point, number>>;
  readonly struck: boolean;
}

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

/** One run of a scenario; `aim` = what goes wrong. */
export async function play(scenario: Scenario, aim?: Aim): Promise<Run> {
  playGlobals();
  // A harm may break what a server promises of a watch: that is not on trial here.
  const judges = allCheckers().filter(({ name }) => name !== 'watch-validators');
  const world = new Simulation(planFor(scenario), judges, () => undefined);
  world.network.steadyMs = 1;
  const { points } = world.faults;
  points.aim = aim;
  world.open(() => {
    for (const act of scenario.given) act(world);
  });
  await world.run(15_000);
  const before = { ...points.counts };
  for (const act of scenario.when) {
    act(world);
    await world.run(5_000);
  }
  await world.run(scenario.shape?.routing === undefined ? 150_000 : 700_000);
  world.judge('eventually');
  const writes = world.writes.length;
  await world.run(100_000);
  const more = world.writes[writes];
  if (more !== undefined) world.fail('finally-silent', `${more.by} still writes: ${more.what}`);
  world.judge('finally');
  const { failure } = world;
  return {
    failure,
    end: `${endOf(world)}${endOfRouting(world)}`,
    counts: { ...points.counts },
    before,
    struck: points.struck,
  };
}

function endOf({ server }: Simulation): string {
  const ends = server.list(EGRESSIPS).map((object) => {
    const { name, wanted, items, mark } = readEgressIP(object);
    const has = items.map(({ egressIP }) => egressIP).sort();
    return `${name} wants ${wanted.length}, has ${has.length}, ${mark === '' ? 'no ' : ''}mark`;
  });
  return ends.join('; ');
}

/** Every harm at every point that the scenario itself had when nothing went wrong. */
export function plansOf({ counts, before }: Run): readonly Aim[] {
  return (Object.keys(counts) as Point[]).flatMap((point) =>
    Array.from({ length: counts[point] - before[point] }, (_, at) => before[point] + at).flatMap(
      (index) => harmsAt[point].map((harm): Aim => ({ point, index, harm })),
    ),
  );
}

export interface Sifted {
  readonly plans: number;
  readonly wrong: readonly string[];
}

/** All plans of a scenario, or every `stride`th. */
export async function sift(scenario: Scenario, stride = 1): Promise<Sifted> {
  const reference = await play(scenario);
  const wrong: string[] = [];
  if (reference.failure !== undefined) wrong.push(`undisturbed: ${told(reference)}`);
  const plans = plansOf(reference);
  for (const [at, aim] of plans.entries()) {
    if (at % stride !== 0) continue;
    const run = await play(scenario, aim);
    const name = `${scenario.name}: ${aim.harm} at ${aim.point} ${aim.index}`;
    if (!run.struck) wrong.push(`${name} was never reached`);
    else if (run.failure !== undefined) wrong.push(`${name}: ${told(run)}`);
    else if (run.end !== reference.end) wrong.push(`${name}: ${run.end}, not ${reference.end}`);
  }
  return { plans: plans.length, wrong };
}

const told = ({ failure }: Run): string => `${failure?.checker}: ${failure?.sentence}`;
