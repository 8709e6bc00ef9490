/** The sentences on the log. */
import type { AwsFact, SeenPeer, SeenRouteServer } from '../../core/aws-fact.ts';
import type {
  AwsDecision,
  AwsOutcome,
  InterfaceChange,
  PeerChange,
} from '../../core/aws-decision.ts';
import { count } from '../../core/say.ts';

type Of<E extends { kind: string }, Kind extends E['kind']> = Extract<E, { kind: Kind }>;

export function serversSeen(servers: readonly SeenRouteServer[]): string {
  const endpoints = servers.flatMap((server) => server.endpoints);
  const bad = endpoints.filter(({ state }) => state !== 'available');
  const not = bad.map(({ id, state }) => `, ${id} is ${state}`).join('');
  return `${count(servers.length, 'Route Server')}, ${count(endpoints.length, 'endpoint')}${not}`;
}

export function peersSeen(peers: readonly SeenPeer[]): string {
  if (peers.length === 0) return 'no peers';
  const states = new Map<string, number>();
  for (const { state } of peers) states.set(state, (states.get(state) ?? 0) + 1);
  const up = peers.filter(({ bgp }) => bgp === 'up').length;
  const parts = [...states]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([state, number]) => `${number} ${state}`);
  return `${count(peers.length, 'peer')}: ${parts.join(', ')}; ${up} up`;
}

export function interfaceSeen({
  instance,
  state,
  interface: id,
  sourceDestCheck,
}: Of<AwsFact, 'InterfaceSeen'>): string {
  const check = sourceDestCheck === '' ? 'unknown' : sourceDestCheck;
  return `${instance} is ${state}, source/destination check of ${id || 'no interface'} ${check}`;
}

const verbs: Readonly<Record<PeerChange['change'], string>> = {
  ...{ create: 'create', tag: 'take over', delete: 'delete' },
};

const peerWords = ({ change, id, node }: PeerChange): string =>
  `${verbs[change]} the peer${id && ` ${id}`}${node && ` of ${node}`}`;

export const intendedPeer = (event: Of<AwsDecision, 'PeerIntended'>): string =>
  `is to ${peerWords(event)}: ${event.because}`;

const endings = { done: 'done', gone: 'it was gone', refused: 'refused', unknown: 'not known' };

export const changedPeer = (event: Of<AwsOutcome, 'PeerChanged'>): string =>
  `${peerWords(event)}: ${endings[event.result]}${why(event)}`;

const checkWords = ({ sourceDestCheck, interface: id }: InterfaceChange): string =>
  `turn the source/destination check of ${id} ${sourceDestCheck}`;

export const intendedInterface = (event: Of<AwsDecision, 'InterfaceIntended'>): string =>
  `is to ${checkWords(event)}: ${event.because}`;

export const changedInterface = (event: Of<AwsOutcome, 'InterfaceChanged'>): string =>
  `${checkWords(event)}: ${endings[event.result]}${why(event)}`;

const why = ({ code, message }: { code: string; message: string }): string =>
  code === '' ? '' : `, ${code}: ${message}`;
