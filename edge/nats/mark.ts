/** How far the log has come, and whether a log is still the one that had come so far. */
import type { Speaker } from '../../core/event.ts';
import { speakers } from '../../core/event.ts';
import { ask, isTransient, notFound, storedMessage, streamInfo, unless } from './api.ts';
import type { Place } from './stream.ts';
import { streamName } from './stream.ts';
import type { Wire } from './wire.ts';

/** The end of a stream. */
export interface Mark {
  /** When the stream was made. */
  readonly created: string;
  readonly sequence: number;
  /** The identity of the last message; '' = there is none. */
  readonly id: string;
}

const MOST_FAILURES = 4;

export type Marks = Readonly<Partial<Record<Speaker, Mark>>>;

/** The ends of all streams that are there. @throws when there is no answer. */
export async function marksOf(wire: Wire, { prefix }: Place): Promise<Marks> {
  const marks: Partial<Record<Speaker, Mark>> = {};
  for (const speaker of speakers) {
    const stream = streamName(prefix, speaker);
    const info = await patiently(() => streamInfo(wire, stream));
    if (info === undefined) continue;
    const { created, state } = info;
    const sequence = state.last_seq;
    const isEmpty = state.messages === 0;
    const end = () => storedMessage(wire, stream, { seq: sequence });
    const last = isEmpty ? undefined : await patiently(end);
    marks[speaker] = { created, sequence, id: last?.header('ce-id') ?? '' };
  }
  return marks;
}

/**
 * What tells that an older copy of the log was restored, as half a sentence, or ''. A stream that
 * is gone, or was made anew since, holds nothing old. A message that made way for newer ones of its
 * subject cannot be compared. @throws when there is no answer.
 */
export async function contradiction(wire: Wire, { prefix }: Place, marks: Marks): Promise<string> {
  for (const speaker of speakers) {
    const mark = marks[speaker];
    const stream = streamName(prefix, speaker);
    const info = mark && (await patiently(() => streamInfo(wire, stream)));
    if (!info || info.created > mark.created) continue;
    if (info.created < mark.created) return `${stream} was replaced by an older one`;
    const { last_seq: last } = info.state;
    if (last < mark.sequence) return `${stream} went back to ${last} from ${mark.sequence}`;
    const stored = () => storedMessage(wire, stream, { seq: mark.sequence });
    const same = mark.id !== '' && (await patiently(stored));
    if (same && same.header('ce-id') !== mark.id)
      return `${stream} tells another story at ${mark.sequence}`;
  }
  return '';
}

/**
 * Deletes what all rooms said; their history stays. They begin anew with what the cluster shows, as
 * after the loss of the whole log (`architecture.md` law 8).
 */
export async function voidLog(wire: Wire, { prefix }: Place): Promise<void> {
  for (const speaker of speakers) {
    const end = () => ask(wire, `STREAM.DELETE.${streamName(prefix, speaker)}`, {});
    await patiently(() => unless(notFound.stream, end()));
  }
}

/** One lost answer among the dozen that is needed here must not cost all the others. */
async function patiently<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  for (let failures = 1; ; failures++)
    try {
      return await question();
    } catch (error) {
      if (failures === MOST_FAILURES || !isTransient(error)) throw error;
    }
}
