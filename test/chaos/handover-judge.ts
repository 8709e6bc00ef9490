/** Judges two publishers beside each other: nobody's request comes while the other one leads. */
import { auditedIn } from '../controlplane/audit.ts';
import { type Handover, isAccepted, outOfTerm, type Term, termsOf } from './handover.ts';
import type { Stage } from './harm.ts';
import type { Twin } from './twin.ts';

/** A harm as it was done. */
export type Came = Pick<Handover, 'old' | 'atMs' | 'frozenMs' | 'inFlight'>;

/** The API server's own record against the publishers' words: the first of them led at first. */
export function judgeHandovers(
  stage: Stage,
  came: readonly Came[],
  twins: readonly Twin[],
  fromMs: number,
): string {
  const requests = auditedIn(stage.site.plane).filter(({ atMs }) => atMs >= fromMs);
  const first: Term = { by: twins[0]?.user ?? '', fromMs };
  const later = twins
    .flatMap(({ user, room }) => termsOf(user, room.logFile))
    .filter((term) => term.fromMs > fromMs)
    .sort((a, b) => a.fromMs - b.fromMs);
  const late = outOfTerm([first, ...later], requests);
  for (const { user, verb, path, status, atMs, doneMs } of late)
    stage.wrong.push(
      `late: ${user} ${verb} ${path}: ${status}, ${clock(atMs)} to ${clock(doneMs)}`,
    );
  for (const [index, one] of came.entries()) {
    const untilMs = came[index + 1]?.atMs ?? Infinity;
    const next = later.find(({ fromMs: ms }) => ms >= one.atMs && ms < untilMs);
    const ofOld = late.filter(({ user, atMs, doneMs }) => {
      return user === one.old && doneMs >= one.atMs && atMs < untilMs;
    });
    stage.handovers.push({
      ...one,
      inFlight: Math.max(one.inFlight, requests.filter(isUnderWay(one)).length),
      takeoverMs: next && next.by !== one.old ? next.fromMs - one.atMs : -1,
      late: ofOld.length,
      accepted: ofOld.filter(isAccepted).length,
    });
  }
  return stage.handovers.map(noteOf).join('; ');
}

/** Sent before the harm and answered behind it, or sent so shortly before that it came behind. */
const isUnderWay =
  ({ old, atMs }: Came) =>
  (request: { user: string; atMs: number; doneMs: number }): boolean =>
    request.user === old && request.doneMs >= atMs && request.atMs < atMs + 500;

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, -1);

function noteOf({ old, frozenMs, inFlight, takeoverMs, late, accepted }: Handover): string {
  const what = frozenMs > 0 ? `frozen for ${seconds(frozenMs)}` : 'ended';
  const then = takeoverMs < 0 ? 'went on' : `another led after ${seconds(takeoverMs)}`;
  return `${old} ${what} with ${inFlight} under way, ${then}, late ${late}, accepted ${accepted}`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
