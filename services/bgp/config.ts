/** How the CUDNBgpConfig stands, and what its objects are to be (`spec/bgp-operator.md` 3). */
import type { Phase } from '../../core/bgp-decision.ts';
import type { BgpConfig } from '../../core/bgp-fact.ts';
import { bad, type Before, calm, good, type Judged, underWay, Waits, worst } from './condition.ts';
import { blockedBy, type Blocked } from './farewell.ts';
import { planFrr, removeFrr } from './frr-plan.ts';
import { groupsOf } from './group.ts';
import { judgeNetwork, planNetwork } from './network-operator.ts';
import { judgeReadiness, readyNodes, routerNodes } from './readiness.ts';
import {
  downZones,
  establishedIn,
  judgeSessions,
  sessionsOf,
  type ZoneSessions,
} from './sessions.ts';
import type { Want } from './want.ts';
import type { AwsJudged, World } from './world.ts';

/** So long may the first session take before that is a fault. */
export const FIRST_SESSION_MS = 300_000;

export interface ConfigState {
  readonly judged: readonly Judged[];
  readonly phase: Phase;
  readonly finalizer: boolean;
  readonly wasReady: boolean;
  readonly wants: readonly Want[];
  readonly waits: Waits;
}

/** The schema allows only the one name; an older one may not. */
export function judgeStranger(world: World, { name }: BgpConfig): ConfigState {
  const message = `it is named "${name}"; the one CUDNBgpConfig of a cluster is named "cluster"`;
  const judged = [bad('NetworkOperatorPatched', 'InvalidName', message)];
  const waits = new Waits(world, undefined);
  return { judged, phase: 'Degraded', finalizer: false, wasReady: false, wants: [], waits };
}

export function judgeConfig(
  world: World,
  config: BgpConfig,
  before: Before | undefined,
  wasReady: boolean,
): ConfigState {
  const waits = new Waits(world, before);
  const groups = groupsOf(world, config);
  const ready = readyNodes(world);
  const zones = sessionsOf(world, groups ?? [], ready);
  const served = world.isServed('bgpsessionstates');
  const { down, long } = served ? downZones(zones, waits) : { down: [], long: [] };
  const readiness = judgeReadiness(routerNodes(world, config, groups), ready);
  const mayMake = readiness.condition.status === 'True' || wasReady;
  const frr = planFrr(world, config, groups, mayMake, down.length > long.length);
  const network = planNetwork(world);
  const settle = (judged: Judged): Judged =>
    calm(world, 'cudnbgpconfig/cluster', config.generation, before, judged);
  const done = [judgeNetwork(world), readiness, frr.judged].map(settle);
  const aws = awsPhase(config, world.judged.get(config.name));
  const applied = worst([...done.map(({ phase }) => phase), aws]);
  const everReady = wasReady || (applied === 'Ready' && works(served, zones));
  const sessions = judgeSessions(world, zones, everReady ? long : []);
  const waiting = applied !== 'Ready' || everReady ? 'Ready' : firstSession(waits);
  const phase = worst([applied, sessions.phase, waiting]);
  const wants = [...(network === undefined ? [] : [network]), ...frr.wants];
  const judged = [...done, sessions];
  const state = { judged, phase, finalizer: true, wasReady: everReady, wants, waits };
  return config.deleting ? ending(world, config, state) : state;
}

/** What aws-sync found; it has a say as long as something of the config is in AWS. */
function awsPhase({ uid, aws }: BgpConfig, judged: AwsJudged | undefined): Phase {
  if (judged?.uid !== uid) return aws === undefined ? 'Ready' : 'Configuring';
  return aws === undefined && judged.released ? 'Ready' : judged.phase;
}

/** What is applied has to work too, unless nobody tells whether it does (W-27). */
function works(served: boolean, zones: readonly ZoneSessions[]): boolean {
  const wanted = zones.some(({ lines }) => lines.length > 0);
  return !served || !wanted || establishedIn(zones) > 0;
}

const firstSession = (waits: Waits): Phase =>
  waits.isOver('Ready', FIRST_SESSION_MS) ? 'Degraded' : 'Configuring';

/** Repairs go on while routings are left; then what is ours goes. */
function ending(world: World, config: BgpConfig, state: ConfigState): ConfigState {
  const { uid, name } = config;
  const known = world.judged.get(name);
  const judged = known?.uid === uid ? known : undefined;
  const blocked = blockedBy(world, config.aws !== undefined, judged);
  const conditions = [...state.judged.slice(0, 2), ...rest(blocked, state)];
  const told = blocked && { ...bad('DeletionBlocked', blocked.reason, blocked.message) };
  const condition = told && { ...told.condition, status: 'True' as const };
  return {
    ...state,
    judged: condition === undefined ? conditions : [...conditions, { condition, phase: 'Ready' }],
    phase: blocked?.reason === 'RoutingCRsExist' ? state.phase : 'Configuring',
    finalizer: blocked !== undefined,
    wants: blocked?.reason === 'RoutingCRsExist' ? state.wants : removeFrr(world),
  };
}

/** What is being removed is neither applied nor established. */
function rest(blocked: Blocked | undefined, { judged }: ConfigState): readonly Judged[] {
  if (blocked?.reason === 'RoutingCRsExist') return judged.slice(2);
  const message = 'the FRRConfigurations are removed with the CUDNBgpConfig';
  return [
    underWay('FRRConfigurationApplied', 'Deleting', message),
    good('SessionsEstablished', 'Deleting', 'no session is wanted any more'),
  ];
}
