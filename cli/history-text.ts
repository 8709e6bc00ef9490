/** The lines of a life: the event as in the tail, beneath it the events that led to it. */
import type { Heard } from '../core/event.ts';
import { timeOf } from '../core/line.ts';
import { topicOf } from '../core/subject.ts';
import { lineOf, recordOf as eventRecordOf } from './tail.ts';
import { paint, printable, type Terminal } from './terminal.ts';

/** Sentences by `watcher 4812`. */
type Known = ReadonlyMap<string, Heard>;

/** `2026-11-29`, in UTC. */
export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** With the day before it when it is another than `day`. */
export function lifeLines(heard: Heard, known: Known, day: string, terminal: Terminal): string {
  const dim = terminal.colours ? paint.dim : (text: string): string => text;
  const today = dayOf(heard.atMs);
  const head = today === day ? [] : [dim(today)];
  const event = lineOf({ ...heard, causes: [] }, 'text', terminal);
  const causes = heard.causes.map(({ stream, sequence }) => {
    const cause = `${stream} ${sequence}`;
    const what = wordsOf(known.get(cause), today);
    return dim(printable(`    ← ${cause.padEnd(15)}  ${what}`));
  });
  return [...head, event, ...causes].map((line) => `${line}\n`).join('');
}

function wordsOf(cause: Heard | undefined, today: string): string {
  if (cause === undefined) return 'not on the log any more';
  const { kind, name } = topicOf(cause.event);
  const day = dayOf(cause.atMs);
  const time = `${day === today ? '' : `${day} `}${timeOf(cause.atMs)}`;
  return `${time}  ${kind}/${name}  ${cause.said}`;
}

/** As the tail writes it, and each cause with its own time, object and sentence. */
export function recordOf(heard: Heard, known: Known): object {
  const causes = heard.causes.map(({ stream, sequence }) => {
    const cause = known.get(`${stream} ${sequence}`);
    if (cause === undefined) return { stream, sequence };
    const { kind, name } = topicOf(cause.event);
    const time = new Date(cause.atMs).toISOString();
    return { stream, sequence, time, object: `${kind}/${name}`, said: cause.said };
  });
  return { ...eventRecordOf(heard), causes };
}
