/** What a support bundle holds of the log: the status, and what happened lately. */
import type { NatsLog } from '../edge/nats/log.ts';
import { status } from './status.ts';
import type { Piece } from './support-bundle.ts';
import { redact, redactText } from './support-bundle-redact.ts';
import { tail } from './tail.ts';
import type { Terminal } from './terminal.ts';

/** `withLog` opens it for each piece; a piece throws when the log is not there. */
export function logPieces(
  withLog: (use: (log: NatsLog) => Promise<number>) => Promise<number>,
  sinceMs: number,
  terminal: Terminal,
): readonly Piece[] {
  const settings = { excluded: undefined };
  const ask = { watch: false, headers: true, settings, place: 'log' } as const;
  const filter = { speakers: [], topics: [] };
  const written = async (use: (log: NatsLog, to: Terminal) => Promise<number>): Promise<string> => {
    const parts: string[] = [];
    const out = (text: string): void => void parts.push(text);
    await withLog((log) => use(log, { ...terminal, colours: false, screen: false, out }));
    return parts.join('');
  };
  return [
    {
      name: 'status.txt',
      about: 'the rooms and all addresses',
      read: async () =>
        redactText(await written((log, to) => status(log, { ...ask, output: 'wide' }, to))),
    },
    {
      name: 'log.jsonl',
      about: `the log since ${new Date(sinceMs).toISOString()}, one JSON object a line`,
      read: async () => {
        const lately = { filter, sinceMs, follow: false, output: 'json' } as const;
        return redactLines(await written((log, to) => tail(log, lately, to)));
      },
    },
  ];
}

const redactLines = (text: string): string =>
  text.replaceAll(/^.+$/gm, (line) => JSON.stringify(redact(JSON.parse(line))));
