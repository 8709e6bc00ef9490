/** The Kubernetes Events of a decision: one per transition of the phase or of a condition. */
import type { Condition, Phase } from '../../core/bgp-decision.ts';
import type { Notice } from '../../core/notice.ts';

export interface Standing {
  readonly phase: Phase;
  readonly conditions: readonly Condition[];
}

/** `CUDNCreated is False (SubnetOverlap): its subnets overlap …`. */
export const conditionWords = ({ type, status, reason, message }: Condition): string =>
  `${type} is ${status} (${reason}): ${message}`;

/** Why the phase is what it is: the first condition that is not True, or ''. */
export function whyOf({ phase, conditions }: Standing): string {
  if (phase === 'Ready') return '';
  const order = ['False', 'Unknown'] as const;
  for (const status of order) {
    const found = conditions.find((one) => one.status === status);
    if (found !== undefined) return conditionWords(found);
  }
  return '';
}

export function noticesOf(
  before: Standing | undefined,
  now: Standing,
  deleting: boolean,
): readonly Notice[] {
  const type = now.phase === 'Degraded' ? 'Warning' : 'Normal';
  if (deleting) {
    const known = before?.conditions.some(({ reason }) => endings.has(reason)) === true;
    const note = now.conditions.find(({ reason }) => endings.has(reason));
    return known || note === undefined
      ? []
      : [{ reason: 'Deleting', type: 'Normal', note: note.message }];
  }
  if (before?.phase !== now.phase)
    return [{ reason: now.phase, type, note: whyOf(now) || 'everything is as it should be' }];
  return now.conditions.flatMap((condition): readonly Notice[] => {
    const was = before.conditions.find((one) => one.type === condition.type)?.status;
    const turned = was !== undefined && was !== condition.status;
    if (!turned || condition.status === 'Unknown') return [];
    // What is on its way is no trouble.
    const bad = condition.status === 'False' && !underWay.has(condition.reason);
    return [
      { reason: now.phase, type: bad ? 'Warning' : 'Normal', note: conditionWords(condition) },
    ];
  });
}

/** Reasons that tell of work that goes on. */
const underWay = new Set([
  'Applying',
  'Creating',
  'Patching',
  'WaitingForFRR',
  'WaitingForNetwork',
]);

/** Reasons that tell of a deletion. */
const endings = new Set([
  'RoutingCRsExist',
  'FRRConfigurationsExist',
  'AWSResourcesExist',
  'Withdrawing',
  'Deleting',
]);
