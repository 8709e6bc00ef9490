/** Whether what was seen in AWS last is as aws-sync judged it, as far as the log tells it. */
import type { SeenPeer } from '../core/aws-fact.ts';
import type { Event, Heard } from '../core/event.ts';
import { topicOf } from '../core/subject.ts';
import { type Finding, findingOn } from './verify-finding.ts';
import type { Picture } from './verify-picture.ts';

/** AWS lists what is new, or gone, late; and calls are tried again for a while. */
const GRACE_MS = 300_000;

type Of<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>;
type Said<Kind extends Event['kind']> = Omit<Heard, 'event'> & { readonly event: Of<Kind> };

/** Nothing where aws-sync never spoke. */
export function awsFindings({ heard }: Picture, nowMs: number): readonly Finding[] {
  const own = heard.filter(({ stream, atMs }) => stream === 'aws-sync' && atMs <= nowMs - GRACE_MS);
  return [
    ...own.filter(isIntent).flatMap((one) => openIntent(one, own)),
    ...own.filter((one) => isOf(one, 'AwsJudged')).flatMap((one) => contradicted(one, own)),
    ...own.filter((one) => isOf(one, 'PeersSeen')).flatMap((one) => unexplained(one, own)),
  ];
}

const isOf = <Kind extends Event['kind']>(one: Heard, kind: Kind): one is Said<Kind> =>
  one.event.kind === kind;

const isIntent = ({ event }: Heard): boolean =>
  event.kind === 'PeerIntended' || event.kind === 'InterfaceIntended';

/** A complete listing since then tells what came of it; an outcome would stand in its place. */
function openIntent(intent: Heard, own: readonly Heard[]): readonly Finding[] {
  const isSince = (one: Heard): boolean => one.sequence > intent.sequence && tellsOf(one, intent);
  if (own.some(isSince)) return [];
  return [findingOn('aws', intent, `${intent.said}; nothing tells what came of it`)];
}

function tellsOf({ event }: Heard, { event: intent }: Heard): boolean {
  if (intent.kind === 'PeerIntended')
    return event.kind === 'PeersSeen' && event.endpoint === intent.endpoint;
  if (intent.kind !== 'InterfaceIntended') return false;
  const isThere = event.kind === 'InterfaceSeen' || event.kind === 'InterfaceGone';
  return isThere && event.node === intent.node;
}

/** A judgement that all is well, or that nothing is left, against the peers that were seen. */
function contradicted(judged: Said<'AwsJudged'>, own: readonly Heard[]): readonly Finding[] {
  const { phase, released, status } = judged.event;
  const words = released ? 'nothing of ours is left in AWS' : 'all is Ready';
  // What was let go as it is has kept its status.
  if (released ? status !== '' : phase !== 'Ready') return [];
  const wrong = own
    .filter((one) => isOf(one, 'PeersSeen'))
    .flatMap(({ event }) => event.peers.filter((peer) => peer.ours && peer.state !== 'deleting'))
    .filter(({ state }) => released || state === 'failed');
  return wrong.map(({ id, address, state }) =>
    findingOn('aws', judged, `says that ${words}, but peer ${id} (${address}) is ${state}`),
  );
}

/** A peer with our tag that is for no node, and that nobody is about to delete. */
function unexplained(seen: Said<'PeersSeen'>, own: readonly Heard[]): readonly Finding[] {
  const isNobodys = ({ ours, node, state, address }: SeenPeer): boolean =>
    ours && node === '' && state !== 'deleting' && !isDecidedOn(seen.event.endpoint, address, own);
  return seen.event.peers
    .filter(isNobodys)
    .map(({ id, address }) =>
      findingOn('aws', seen, `peer ${id} (${address}) has our tag, but no decision is on it`),
    );
}

const isDecidedOn = (endpoint: string, address: string, own: readonly Heard[]): boolean =>
  own.some(({ event }) => {
    const { kind, name } = topicOf(event);
    return kind === 'peer' && name === `${endpoint}:${address}`;
  });
