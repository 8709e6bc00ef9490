/** The status of a resource, derived from what all rooms concluded: a pure function of the log. */
import type { Condition, Phase } from '../../core/bgp-decision.ts';
import type { SeenStatus } from '../../core/bgp-fact.ts';
import { parseJson } from '../../core/json.ts';
import type { Overlaid } from './overlay.ts';
import type { Decided, Judged, Stamped, WantedStatus } from './resource.ts';

/** The worst counts: what needs a person, then what waits, then what is on its way. */
const phases: readonly Phase[] = ['Ready', 'Configuring', 'Pending', 'Degraded'];

/** The limits of the CRD. */
const LONGEST_MESSAGE = 32_768;

/** What the times of conditions are taken from: the object, and what we wrote to it last. */
export type Known = Pick<SeenStatus, 'conditions'> | WantedStatus | undefined;

/**
 * Conditions of bgp, then those of aws-sync, each type once; a failed write speaks instead of what
 * facts tell of it. `known`, the latest first, says since when a condition is what it is.
 */
export function wantedStatus(
  decided: Decided,
  judged: Judged | undefined,
  overlaid: readonly Overlaid[],
  known: readonly Known[],
): WantedStatus {
  const late = judged !== undefined && judged.generation < decided.generation;
  const spoken = late ? unheard(judged, decided) : judged;
  const standings = spoken === undefined ? [decided] : [decided, spoken];
  const all = new Map<string, Stamped>();
  for (const { conditions, generation, atMs } of standings)
    for (const condition of conditions) {
      // The first to speak of a type is the one whose type it is.
      if (all.has(condition.type)) continue;
      all.set(condition.type, stamped(condition, generation, atMs, known));
    }
  for (const { atMs, degrades: _, ...condition } of overlaid)
    all.set(condition.type, stamped(condition, decided.generation, atMs, known));
  const worse = overlaid.some(({ degrades }) => degrades) ? ['Degraded' as const] : [];
  return {
    phase: worst([...standings.map(({ phase }) => phase), ...worse]),
    observedGeneration: decided.generation,
    conditions: [...all.values()],
    aws: spoken?.status ?? '',
  };
}

/**
 * What aws-sync said of an earlier spec is neither true nor false of this one. The phase is bgp's
 * alone meanwhile, which knows that aws-sync is waited for.
 */
function unheard(judged: Judged, { generation, atMs }: Decided): Judged {
  const conditions = judged.conditions.map(({ type }) => ({
    ...{ type, status: 'Unknown' as const, reason: 'NotJudged' },
    message: 'aws-sync has not looked at this spec yet',
  }));
  return { ...judged, generation, atMs, phase: 'Ready', conditions, status: '' };
}

const worst = (some: readonly Phase[]): Phase =>
  phases.findLast((phase) => some.includes(phase)) ?? 'Pending';

function stamped(
  condition: Condition,
  observedGeneration: number,
  atMs: number,
  known: readonly Known[],
): Stamped {
  const { type, status, reason } = condition;
  const message = condition.message.slice(0, LONGEST_MESSAGE);
  const found = known
    .flatMap((one) => one?.conditions ?? [])
    .find((one) => one.type === type && one.status === status && one.sinceMs > 0);
  // Kubernetes keeps whole seconds.
  const sinceMs = found?.sinceMs ?? Math.floor(atMs / 1000) * 1000;
  return { type, status, reason, message, observedGeneration, sinceMs };
}

/** Times apart: those follow from the rest. The order of conditions carries no meaning. */
export function sameStatus(wanted: WantedStatus, seen: SeenStatus): boolean {
  return (
    wanted.phase === seen.phase &&
    wanted.observedGeneration === seen.observedGeneration &&
    wanted.aws === seen.aws &&
    textOf(wanted.conditions) === textOf(seen.conditions)
  );
}

/** All but the times, as a text to compare. */
export const contentOfStatus = ({
  phase,
  observedGeneration,
  conditions,
  aws,
}: WantedStatus): string => JSON.stringify([phase, observedGeneration, aws, textOf(conditions)]);

type Shown = Pick<Stamped, 'type' | 'reason' | 'message' | 'observedGeneration'> & {
  readonly status: string;
};

const textOf = (conditions: readonly Shown[]): string =>
  conditions
    .map(({ type, status, reason, message, observedGeneration }) =>
      JSON.stringify([type, status, reason, message, observedGeneration]),
    )
    .toSorted()
    .join('\n');

/** As it is written. */
export const statusBody = (status: WantedStatus): object => ({
  phase: status.phase,
  observedGeneration: status.observedGeneration,
  conditions: status.conditions.map(({ sinceMs, ...condition }) => ({
    ...condition,
    lastTransitionTime: new Date(sinceMs).toISOString().replace(/\.\d+Z$/, 'Z'),
  })),
  ...(status.aws !== '' && { aws: parseJson(status.aws) }),
});
