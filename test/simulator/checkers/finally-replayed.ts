/**
 * Finally: what the rooms that only think have said follows, byte for byte, from what they had
 * heard; the log is replayed by the code of `sluice verify`, through the rooms as they ship.
 */
import { Verification } from '../../../cli/verify-room.ts';
import { Writes } from '../../../cli/verify-writes.ts';
import type { Finding } from '../../../cli/verify-finding.ts';
import type { Heard } from '../../../core/event.ts';
import { speakers } from '../../../core/event.ts';
import { assigner } from '../../../services/assigner/room.ts';
import { bgp } from '../../../services/bgp/room.ts';
import type { Checker } from '../checker.ts';
import type { Append, LogServer } from '../log-server.ts';
import type { Simulation } from '../simulation.ts';

export const replayed = (): Checker => {
  let until = 0;
  return {
    name: 'finally-replayed',
    finally: (world) => {
      const { log } = world;
      if (log.appends.length === until) return [];
      until = log.appends.length;
      const found = findingsOn(log).filter((one) => !isPardoned(world, one));
      return found.map(({ kind, where, object, what }) => `${kind} ${where} ${object}: ${what}`);
    },
  };
};

/** As `cli/verify-read.ts` reads: the history, then what the streams have besides. */
function findingsOn(log: LogServer): readonly Finding[] {
  const rooms = [new Verification(assigner({ excluded: undefined })), new Verification(bgp())];
  const writes = new Writes();
  const all = [...rooms, writes];
  const hear = (heard: Heard): void => all.forEach((one) => one.hear(heard));
  for (const heard of log.history) hear(heard);
  for (const speaker of speakers) for (const heard of log.stream(speaker).events) hear(heard);
  for (const one of all) one.end();
  return all.flatMap(({ findings }) => findings);
}

/** Said by a life that had heard what was lost, or of a log that was soon made void. */
function isPardoned({ log }: Simulation, { where }: Finding): boolean {
  if (log.losses === 0) return false;
  const said = log.appends.filter(({ heard }) => `${heard.stream} ${heard.sequence}` === where);
  const forgiven = [wasLost, isDoomed, followsStray];
  return said.length === 0 || said.some((append) => forgiven.some((why) => why(log, append)));
}

const wasLost = ({ lost }: LogServer, { bornMs, atMs }: Append): boolean =>
  lost.some((loss) => bornMs <= loss.atMs && loss.atMs <= atMs);

/** A stream had lost its end, whose sequences are given again until all streams are made anew. */
function isDoomed({ lost }: LogServer, { bornMs }: Append): boolean {
  const tail = lost.findLast(({ kind, atMs }) => kind === 'tail' && atMs <= bornMs);
  if (tail === undefined) return false;
  const since = lost.filter(({ atMs }) => atMs > tail.atMs && atMs <= bornMs);
  const made = since.filter(({ kind }) => kind === 'void').length;
  return made < speakers.length && since.every(({ kind }) => kind !== 'all');
}

/**
 * With the history lost too, sequences begin at 1 again: who had said nothing yet, and had heard
 * what was lost, could still say it there (docs/reliability.md).
 */
function followsStray(log: LogServer, { heard, atMs }: Append): boolean {
  const all = log.lost.findLast((loss) => loss.kind === 'all' && loss.atMs <= atMs);
  return log.appends.some(
    (one) =>
      one.heard.stream === heard.stream &&
      all !== undefined &&
      one.atMs >= all.atMs &&
      one.atMs <= atMs &&
      wasLost(log, one),
  );
}
