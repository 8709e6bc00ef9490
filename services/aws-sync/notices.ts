/** What is new in a judgement, for Kubernetes Events. */
import type { AwsDecision } from '../../core/aws-decision.ts';
import type { Notice } from '../../core/notice.ts';

type Judged = Extract<AwsDecision, { kind: 'AwsJudged' }>;

/** One for each condition that turned bad, or good again. */
export function noticesOf(judged: Judged, told: Judged | undefined): readonly Notice[] {
  return judged.conditions.flatMap((condition): Notice[] => {
    const { type, status, reason, message } = condition;
    const before = told?.conditions.find((one) => one.type === type);
    if (before?.status === status && before.reason === reason) return [];
    const isBlocking = type === 'CleanupBlocked';
    const isBad = isBlocking ? status === 'True' : status === 'False' && reason !== 'Reconciling';
    const note = `${type} is ${status}, ${reason}: ${message}`;
    if (isBad) return [{ reason: 'Degraded', type: 'Warning', note }];
    const wasBad = before?.status === (isBlocking ? 'True' : 'False');
    if (!wasBad || status === 'Unknown') return [];
    return [{ reason: isBlocking ? 'Deleting' : 'Ready', type: 'Normal', note }];
  });
}
