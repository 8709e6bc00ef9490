/** `sluice history --at`: an object as it was at some moment, and why. */
import { topicOf } from '../core/subject.ts';
import type { Heard } from '../core/event.ts';
import { Picture } from '../services/assigner/explain-picture.ts';
import { moment } from './age.ts';
import { exit, Failure } from './failure.ts';
import type { HistoryAsk } from './history.ts';
import { type Past, pastOf } from './history-past.ts';
import { unknown } from './history-target.ts';
import type { Readable } from './read.ts';
import { table } from './table.ts';
import { recordOf } from './tail.ts';
import { printable, type Terminal } from './terminal.ts';
import { why } from './why.ts';

/** What `sluice why` answers for, as long as it is there. */
const explained: ReadonlySet<string> = new Set(['EgressIPSeen', 'BgpRoutingSeen']);

/** Exit code 0. Throws Failure 1 when nothing had been said of the object by then. */
export async function historyAt(
  log: Readable,
  ask: HistoryAsk,
  atMs: number,
  terminal: Terminal,
): Promise<number> {
  const { kind, name, kinds } = ask.target;
  const past = await pastOf(log, atMs, terminal.signal);
  const last = past.last.filter(({ event }) => {
    const topic = topicOf(event);
    return kinds.includes(topic.kind) && topic.name === name;
  });
  if (last.length === 0) {
    const failure = await unknown(past, ask.target, terminal.signal);
    throw new Failure(exit.notFine, `${failure.message} By then: ${new Date(atMs).toISOString()}`);
  }
  const isThere = last.some(({ event }) => explained.has(event.kind));
  const because = isThere ? await whyAt(past, ask, atMs, terminal) : '';
  const hosted = kind === 'node' ? hostedBy(past, ask) : [];
  terminal.out(
    ask.output === 'json'
      ? jsonOf(ask, atMs, last, because, hosted)
      : textOf(`${kind}/${name}`, atMs, last, because, hosted),
  );
  return exit.fine;
}

/** What `sluice why` would have said at that time. */
async function whyAt(
  past: Past,
  { target, output, settings }: HistoryAsk,
  atMs: number,
  terminal: Terminal,
): Promise<string> {
  const written: string[] = [];
  const then = { ...terminal, out: (text: string) => void written.push(text), nowMs: () => atMs };
  const { kind, name } = target;
  const ask = { target: `${kind}/${name}`, address: undefined, output, all: false, settings };
  await why(past, ask, then);
  return written.join('');
}

/** The addresses that the node had, each with its EgressIP. */
function hostedBy(past: Past, { target, settings }: HistoryAsk): readonly string[] {
  const picture = new Picture(settings);
  for (const heard of past.last)
    if (heard.stream === 'watcher' || heard.stream === 'assigner') picture.hear(heard);
  const tenants = picture.world.hosts.get(target.name)?.tenants ?? new Map();
  return [...tenants].map(([address, claim]) => `${address} of ${claim.name}`).sort();
}

function textOf(
  object: string,
  atMs: number,
  last: readonly Heard[],
  because: string,
  hosted: readonly string[],
): string {
  const rows = last.map(({ stream, sequence, atMs: saidMs, event, said }) => {
    const { kind, name } = topicOf(event);
    return [moment(saidMs, atMs), `${stream} ${sequence}`, `${kind}/${name}`, printable(said)];
  });
  const hosts = hosted.length === 0 ? '' : `\nIt hosted ${hosted.join(', ')}.\n`;
  const head = `${object} at ${new Date(atMs).toISOString()}, by the last words on it:\n`;
  const end = because === '' ? '' : `\n${because}`;
  return `${head}${table(['TIME', 'SAID BY', 'OBJECT', 'WHAT'], rows)}${hosts}${end}`;
}

function jsonOf(
  { target }: HistoryAsk,
  atMs: number,
  last: readonly Heard[],
  because: string,
  hosted: readonly string[],
): string {
  const record = {
    object: `${target.kind}/${target.name}`,
    at: new Date(atMs).toISOString(),
    said: last.map(recordOf),
    ...(target.kind === 'node' && { hosted }),
    ...(because !== '' && { why: JSON.parse(because) as unknown }),
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}
