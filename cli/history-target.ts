/** Whose life `sluice history` tells: the object, and the kinds of events that are about it. */
import { speakers } from '../core/event.ts';
import { token, topicOf } from '../core/subject.ts';
import { didYouMean, exit, Failure } from './failure.ts';
import { readToEnd, type Readable } from './read.ts';

export interface Target {
  /** As people write it: `egressip`. */
  readonly kind: string;
  readonly name: string;
  /** The kinds of its topics, its own first. */
  readonly kinds: readonly string[];
}

/** What is told of a thing under another name is part of its life. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  egressip: ['egressip'],
  cudnbgprouting: ['cudnbgprouting'],
  cudnbgpconfig: ['cudnbgpconfig'],
  node: ['node', 'probe', 'interface', 'sourcedestcheck'],
  cloudprivateipconfig: ['cloudprivateipconfig'],
};

const aliases: Readonly<Record<string, string>> = { eip: 'egressip' };

/** `egressip/web`, `web` for the same, `node/worker-1`. Throws Failure 64. */
export function targetOf(text: string): Target {
  const slash = text.indexOf('/');
  const word = slash < 0 ? 'egressip' : text.slice(0, slash).toLowerCase();
  const name = text.slice(slash + 1);
  const kind = aliases[word] ?? word.replace(/s$/, '');
  const own = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (own !== undefined && /^[a-z0-9.:-]+$/.test(name)) return { kind, name, kinds: own };
  const hint = own === undefined ? didYouMean(kind, Object.keys(kinds)) : '';
  const known = Object.keys(kinds).map((one) => `${one}/NAME`);
  throw new Failure(exit.usage, `"${text}" has no history.${hint} Allowed: ${known.join(', ')}`);
}

/** The subjects, behind the speaker, of everything that is about it. */
export const subjectsOf = ({ kinds: own, name }: Target): readonly string[] =>
  own.map((kind) => `${kind}.${token(name)}`);

/** For an object that nobody ever spoke of: a Failure 1 that knows the names that are near. */
export async function unknown(
  log: Readable,
  { kind, name }: Target,
  signal: AbortSignal,
): Promise<Failure> {
  const names = new Set<string>();
  const last = { streams: speakers, filter: `${kind}.*`, from: 'last-per-subject' } as const;
  for await (const { event } of readToEnd(log, last, signal)) names.add(topicOf(event).name);
  const hint = didYouMean(name, names);
  return new Failure(exit.notFine, `nothing was ever said of ${kind}/${name}.${hint}`);
}
