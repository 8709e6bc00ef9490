/** How the CUDNBgpConfig stands, and what its objects are to be (`spec/bgp-operator.md` 3). */
import type { Phase } from '../../core/bgp-decision.ts';
import type { BgpConfig } from '../../core/bgp-fact.ts';
import { awsPhase, judgedOf } from './aws-phase.ts';
import { bad, type Before, calm, type Judged, unknown, Waits, worst } from './condition.ts';
import { ending } from './config-farewell.ts';
import { planFrr } from './frr-plan.ts';
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
import type { World } from './world.ts';
import { wrongConfig } from './wrong-spec.ts';

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
  const wrong = wrongConfig(config);
  const groups = wrong === undefined ? groupsOf(world, config) : undefined;
  const ready = readyNodes(world);
  const zones = sessionsOf(world, groups ?? [], ready);
  const served = world.isServed('bgpsessionstates');
  const { down, long } = served ? downZones(zones, waits) : { down: [], long: [] };
  const readiness = judgeReadiness(routerNodes(world, config, groups), ready);
  const mayMake = readiness.condition.status === 'True' || wasReady;
  const frr = planFrr(world, config, groups, {
    ...{ ready: mayMake, busy: down.length > long.length, wrong },
    edited: before !== undefined && before.generation !== config.generation,
  });
  const network = planNetwork(world);
  const settle = (judged: Judged): Judged =>
    calm(world, 'cudnbgpconfig/cluster', config.generation, before, judged);
  const done = [judgeNetwork(world), readiness, frr.judged].map(settle);
  const aws = awsPhase(config, judgedOf(world, config));
  const applied = worst([...done.map(({ phase }) => phase), aws]);
  const everReady = wasReady || (applied === 'Ready' && works(served, zones));
  const sessions =
    wrong === undefined ? judgeSessions(world, zones, everReady ? long : []) : notJudged;
  const waiting = applied !== 'Ready' || everReady ? 'Ready' : firstSession(waits);
  const phase = worst([applied, sessions.phase, waiting]);
  const wants = [...(network === undefined ? [] : [network]), ...frr.wants];
  const judged = [...done, sessions];
  const state = { judged, phase, finalizer: true, wasReady: everReady, wants, waits };
  return config.deleting ? ending(world, config, state) : state;
}

const notJudged = unknown(
  'SessionsEstablished',
  'InvalidSpec',
  'which sessions are wanted is not known while the spec is invalid',
);

/** What is applied has to work too, unless nobody tells whether it does (W-27). */
function works(served: boolean, zones: readonly ZoneSessions[]): boolean {
  const wanted = zones.some(({ lines }) => lines.length > 0);
  return !served || !wanted || establishedIn(zones) > 0;
}

const firstSession = (waits: Waits): Phase =>
  waits.isOver('Ready', FIRST_SESSION_MS) ? 'Degraded' : 'Configuring';
