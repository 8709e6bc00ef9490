/** A log in memory and a terminal that keeps what is written, for commands without a server. */
import type { Heard } from '../../core/event.ts';
import { subjectOf } from '../../core/subject.ts';
import type { Readable } from '../../cli/read.ts';
import type { Terminal } from '../../cli/terminal.ts';

/** Reads as the door does; following goes on with what `later` brings and ends with the signal. */
export function logOf(heard: readonly Heard[], later: AsyncIterable<Heard> = none()): Readable {
  return {
    async *read({ streams, filter, sinceMs, from, follow }, signal) {
      const wanted = (one: Heard): boolean => {
        const subject = subjectOf('sluice', one.stream, one.event);
        const rest = subject.split('.').slice(2).join('.');
        const [kind, name] = (filter ?? '*.*').split('.');
        const like = (pattern: string | undefined, at: number): boolean =>
          pattern === '*' || pattern === rest.split('.')[at];
        const streamed = streams.includes(one.stream) || streams.includes('history');
        return streamed && like(kind, 0) && like(name, 1) && one.atMs >= (sinceMs ?? 0);
      };
      const subjects = new Map<string, Heard>();
      for (const one of heard) subjects.set(subjectOf('sluice', one.stream, one.event), one);
      const last = new Set(subjects.values());
      const past = from === 'new' && sinceMs === undefined ? [] : heard.filter(wanted);
      for (const one of past)
        if (from !== 'last-per-subject' || last.has(one))
          yield { ...one, subject: subjectOf('sluice', one.stream, one.event) };
      if (!follow) return;
      for await (const one of later) {
        if (signal.aborted) return;
        if (wanted(one)) yield { ...one, subject: subjectOf('sluice', one.stream, one.event) };
      }
    },
  };
}

async function* none(): AsyncGenerator<Heard> {}

export interface Screen extends Terminal {
  /** All that was written to `out`. */
  readonly text: () => string;
}

export function screenAt(nowMs: number, more: Partial<Terminal> = {}): Screen {
  const written: string[] = [];
  return {
    out: (text) => void written.push(text),
    err: (text) => void written.push(text),
    colours: false,
    screen: false,
    env: {},
    nowMs: () => nowMs,
    signal: new AbortController().signal,
    ...more,
    text: () => written.join(''),
  };
}
