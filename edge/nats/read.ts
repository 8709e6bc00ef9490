/** Reading the log for people: from any point, in order of time over several streams. */
import type { Heard, Speaker } from '../../core/event.ts';
import { speakers } from '../../core/event.ts';
import type { Start } from './consumer.ts';
import type { Scope } from './hear.ts';
import { heardOf, startReaders } from './hear.ts';
import type { Delivered, Reading } from './reading.ts';
import type { StreamOf } from './stream.ts';
import { originSequence } from './stream.ts';

export interface ReadOptions {
  /** `history` holds what all said, for 30 days; the others only the last 64 of each subject. */
  readonly streams: readonly StreamOf[];
  /** What follows the speaker in the subject: `egressip.web`, `egressip.*`, `node.>`. */
  readonly filter?: string;
  /** Only what was stored since then, in milliseconds since 1970; overrides `from`. */
  readonly sinceMs?: number;
  readonly from: 'last-per-subject' | 'all' | 'new';
  /** Goes on with what will be said, for ever; else it ends at the end. */
  readonly follow: boolean;
}

export type Read = Heard & { readonly subject: string };

/** Where a read starts. */
export function startOf({ from, sinceMs }: ReadOptions): Start {
  return sinceMs === undefined ? { at: from } : { at: 'time', sinceMs };
}

/** What was read, the earliest first. What is said while it reads comes as it comes. */
export async function* read(
  readings: readonly Omit<Reading, 'ring'>[],
  follow: boolean,
  scope: Scope,
): AsyncGenerator<Read> {
  const lines = readings.map(() => ({ waiting: [] as Read[], behind: true }));
  const readers = startReaders(readings, scope);
  try {
    while (await readers.arrived()) {
      for (let more = true; more; ) {
        more = false;
        for (const [index, line] of lines.entries()) {
          if (line.waiting.length > 0) continue;
          const arrived = readers.take(index);
          if (!arrived) continue;
          line.waiting = arrived.messages.flatMap((message) => readOf(message, scope));
          line.behind = arrived.pending > 0;
          more = true;
        }
        yield* ordered(lines);
      }
      const done = lines.every(({ behind, waiting }) => !behind && waiting.length === 0);
      if (done && !follow) return;
    }
  } finally {
    await readers.stop();
  }
}

/** The earliest of the heads, for as long as no earlier one can still come from behind. */
function* ordered(lines: readonly { waiting: Read[]; readonly behind: boolean }[]) {
  while (lines.every(({ waiting, behind }) => waiting.length > 0 || !behind)) {
    const heads = lines.filter(({ waiting }) => waiting.length > 0);
    const earliest = heads.sort((a, b) => timeOf(a.waiting) - timeOf(b.waiting))[0];
    const next = earliest?.waiting.shift();
    if (!next) return;
    yield next;
  }
}

function timeOf(waiting: readonly Read[]): number {
  return waiting[0]?.atMs ?? 0;
}

/** The speaker is the second word of the subject; on the history a header knows the sequence. */
function readOf({ delivery, sequence }: Delivered, scope: Pick<Scope, 'skip'>): Read[] {
  const speaker = delivery.subject.split('.')[1] as Speaker;
  if (!speakers.includes(speaker)) return [];
  const source = delivery.header('Nats-Stream-Source');
  const own = source === '' ? sequence : originSequence(source);
  const heard = heardOf(speaker, { delivery, sequence: own }, { skip: scope.skip });
  return heard.map((event) => ({ ...event, subject: delivery.subject }));
}
