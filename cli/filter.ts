/** Filters of the tail: `assigner`, `egressip`, `egressip/prod-*`, `node/worker-1`. */
import type { Heard, Speaker } from '../core/event.ts';
import { speakers } from '../core/event.ts';
import { token, topicOf } from '../core/subject.ts';
import type { StreamOf } from '../edge/nats/stream.ts';
import { didYouMean, exit, Failure } from './failure.ts';

/** The kinds that are spoken of, by the words that people use for them. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  egressip: ['egressip'],
  egressips: ['egressip'],
  eip: ['egressip'],
  // What a probe found is something about the node.
  node: ['node', 'probe'],
  nodes: ['node', 'probe'],
  probe: ['probe'],
  cloudprivateipconfig: ['cloudprivateipconfig'],
  platform: ['platform'],
  prober: ['prober'],
  sync: ['sync'],
  kind: ['kind'],
  cudnbgpconfig: ['cudnbgpconfig'],
  cudnbgprouting: ['cudnbgprouting'],
  cudnbgproutings: ['cudnbgprouting'],
  frrconfiguration: ['frrconfiguration'],
  frrconfigurations: ['frrconfiguration'],
  clusteruserdefinednetwork: ['clusteruserdefinednetwork'],
  cudn: ['clusteruserdefinednetwork'],
  routeadvertisements: ['routeadvertisements'],
  network: ['network'],
  namespace: ['namespace'],
  frrpod: ['frrpod'],
  bgpsession: ['bgpsession'],
  neighbors: ['neighbors'],
  routeservers: ['routeservers'],
  // What was seen on an endpoint, and what is done with each of its peers.
  peer: ['routeserverpeers', 'peer'],
  sourcedestcheck: ['interface', 'sourcedestcheck'],
};

interface Topic {
  readonly kinds: readonly string[];
  /** `*` and `?` as in a shell. */
  readonly name: string;
}

export interface Filter {
  /** Empty = whoever speaks. */
  readonly speakers: readonly Speaker[];
  /** Empty = whatever is spoken of. */
  readonly topics: readonly Topic[];
}

/** Speakers narrow topics and the other way round; several of one sort widen. Throws Failure. */
export function parseFilter(words: readonly string[]): Filter {
  const isSpeaker = (word: string): word is Speaker => speakers.some((one) => one === word);
  return {
    speakers: words.filter(isSpeaker),
    topics: words.filter((word) => !isSpeaker(word)).map(parseTopic),
  };
}

function parseTopic(word: string): Topic {
  const slash = word.indexOf('/');
  const kind = (slash < 0 ? word : word.slice(0, slash)).toLowerCase();
  const name = slash < 0 ? '*' : word.slice(slash + 1);
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (known !== undefined && name !== '') return { kinds: known, name };
  const hint = didYouMean(kind, [...Object.keys(kinds), ...(slash < 0 ? speakers : [])]);
  throw new Failure(
    exit.usage,
    `"${word}" is no filter.${hint} Filters are a speaker (${speakers.join(', ')}), a kind ` +
      '(egressip, node, cudnbgprouting, peer, …) or KIND/NAME such as egressip/prod-*',
  );
}

export function passes(filter: Filter, heard: Heard): boolean {
  const { kind, name } = topicOf(heard.event);
  if (filter.speakers.length > 0 && !filter.speakers.includes(heard.stream)) return false;
  if (filter.topics.length === 0) return true;
  return filter.topics.some((topic) => topic.kinds.includes(kind) && isLike(topic.name, name));
}

function isLike(pattern: string, name: string): boolean {
  const literal = (text: string): string => text.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  const source = literal(pattern).replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(name);
}

/** The streams to be read; on the history the speaker cannot be told from the subject filter. */
export const streamsOf = (filter: Filter): readonly StreamOf[] =>
  filter.speakers.length > 0 ? filter.speakers : speakers;

/** What the server can sort out already: the rest of the subject, or undefined = everything. */
export function subjectRest({ topics }: Filter): string | undefined {
  const [first] = topics;
  const [kind] = first?.kinds ?? [];
  if (first === undefined || kind === undefined || topics.length > 1 || first.kinds.length > 1)
    return undefined;
  return `${kind}.${/^[a-z0-9.:-]+$/.test(first.name) ? token(first.name) : '*'}`;
}
