/** How the CUDNBgpConfig stands in AWS, for its status; said when it is news. */
import type { AwsDecision } from '../../core/aws-decision.ts';
import type { AwsScope, BgpConfig } from '../../core/bgp-fact.ts';
import type { Condition, Phase } from '../../core/bgp-decision.ts';
import { cleanupOf } from './cleanup.ts';
import { discovered, troubleOf } from './discovered.ts';
import { noticesOf } from './notices.ts';
import type { Plan } from './plan.ts';
import { coverage, inventory, reconciled, stuckMs } from './reconciled.ts';
import type { Region } from './region.ts';
import type { Mode } from './scope.ts';
import { same } from '../../core/same.ts';
import { statusOf } from './status.ts';
import type { World } from './world.ts';

type Judged = Extract<AwsDecision, { kind: 'AwsJudged' }>;
type Plans = ReadonlyMap<Region, Plan>;

/** Returns when the judgement changes by time alone. */
export function judge(world: World, mode: Mode, regions: readonly Region[], plans: Plans): number {
  const { config } = world;
  if (config === undefined) return Infinity;
  const told = toldOf(world, config);
  const judged = judgement(world, mode, regions, plans, config, told);
  if (judged !== undefined) say(world, judged, told);
  const troubles = regions.map((region) => troubleOf(world, region).nextMs);
  return Math.min(...troubles, later(world, stuckMs(world)));
}

const later = ({ nowMs }: World, atMs: number): number => (atMs > nowMs ? atMs : Infinity);

function toldOf(world: World, config: BgpConfig): Judged | undefined {
  const told = world.lastTold('AwsJudged', `cudnbgpconfig/${config.name}`);
  return told?.uid === config.uid ? told : undefined;
}

/** What was told of an earlier spec does not stand for this one. */
function judgement(
  world: World,
  mode: Mode,
  regions: readonly Region[],
  plans: Plans,
  config: BgpConfig,
  told: Judged | undefined,
): Judged | undefined {
  const { name, uid, generation } = config;
  const base = { kind: 'AwsJudged', name, uid, generation, notices: [] } as const;
  const isCurrent = told?.generation === generation;
  switch (mode.kind) {
    case 'none':
      if (told === undefined) return undefined;
      return { ...base, phase: 'Ready', conditions: [], status: '', released: true };
    case 'unknown':
      return isCurrent ? told : { ...base, phase: 'Pending', ...waitingFor(mode.because) };
    case 'orphan': {
      const status = told?.status ?? '';
      return { ...base, phase: 'Ready', conditions: [], status, released: true };
    }
    case 'keep': {
      const region = world.region(mode.scope.region);
      const plan = plans.get(region);
      const isNews = plan !== undefined || troubleOf(world, region).failure !== undefined;
      // After a restart, what was told stands until there is something to tell.
      if (!isNews && isCurrent) return undefined;
      const conditions = kept(world, mode.scope, region, plans, plan, told);
      const status = plan === undefined ? (told?.status ?? '') : statusOf(mode.scope, region);
      return { ...base, phase: phaseOf(conditions), conditions, status, released: false };
    }
    case 'clean': {
      const { condition, blocked, over } = cleanupOf(world, mode.waits, regions, plans);
      if (!over && !blocked && plans.size === 0 && isCurrent) return undefined;
      const phase = blocked ? 'Degraded' : 'Configuring';
      const status = over ? '' : (told?.status ?? '');
      return { ...base, phase, conditions: [condition], status, released: over };
    }
  }
}

const waitingFor = (because: string): Pick<Judged, 'conditions' | 'status' | 'released'> => ({
  conditions: [
    {
      ...{ type: 'AWSEndpointsDiscovered', status: 'Unknown', reason: 'Waiting' },
      message: `waits for ${because}`,
    },
  ],
  status: '',
  released: false,
});

function kept(
  world: World,
  scope: AwsScope,
  region: Region,
  plans: Plans,
  plan: Plan | undefined,
  told: Judged | undefined,
): readonly Condition[] {
  const first = discovered(world, scope, region, plan);
  if (plan === undefined || troubleOf(world, region).failure !== undefined) {
    const rest = told?.conditions.filter(({ type }) => type !== first.type) ?? [];
    return [first, ...rest.map(unknown)];
  }
  const was = told?.conditions.some(
    ({ type, status }) => type === 'AWSResourcesReconciled' && status === 'True',
  );
  const items = [...plans.values()].flatMap((one) => one.items);
  return [first, reconciled(world, items, was === true), inventory(plan), coverage(plan)];
}

/** What depends on a picture that there is none of: neither true nor false (facts R28). */
const unknown = ({ type }: Condition): Condition => ({
  ...{ type, status: 'Unknown', reason: 'NotDiscovered' },
  message: 'AWS could not be read',
});

/** Incomplete nodes and uncovered zones leave the rest Ready (`docs/aws.md`). */
function phaseOf(conditions: readonly Condition[]): Phase {
  const of = (type: string): Condition | undefined => conditions.find((one) => one.type === type);
  const main = [of('AWSEndpointsDiscovered'), of('AWSResourcesReconciled')];
  const isBad = main.some((one) => one?.status === 'False' && one.reason !== 'Reconciling');
  if (isBad) return 'Degraded';
  return main.every((one) => one?.status === 'True') ? 'Ready' : 'Configuring';
}

function say(world: World, judged: Judged, told: Judged | undefined): void {
  if (told !== undefined && same({ ...told, notices: [] }, judged)) return;
  const notices = noticesOf(judged, told);
  const wrong = judged.conditions.filter(({ status }) => status !== 'True');
  const why = wrong.map((one) => `${one.type} is ${one.status} (${one.reason}): ${one.message}`);
  const said = why.length === 0 ? judged.phase : `${judged.phase}: ${why.join('; ')}`;
  const words = judged.released ? 'nothing of ours is left in AWS' : said;
  world.say({ ...judged, notices }, words);
}
