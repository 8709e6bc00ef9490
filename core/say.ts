/** The sentences that people read: the same words in the tail, in events, in `why` and in logs. */
import type { Refusal } from './decision.ts';

/** `a, b and 3 more`. */
export function list(names: readonly string[], most = 3): string {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** What happened to one address, for the tail: the object's name stands beside it. */
export const said = {
  adopted: (address: string, node: string) => `${address} adopted on ${node}`,
  placed: (address: string, node: string) => `${address} placed on ${node}`,
  moved: (address: string, from: string, to: string, because: string) =>
    `${address} moves ${from} → ${to}: ${because}`,
  released: (address: string, from: string, because: string) =>
    `${address} released from ${from}: ${because}`,
  refused: (address: string, because: string) => `${address} has no node: ${because}`,
  doubled: (address: string) => `${address} stands more than once in the spec and is served once`,
  marked: (mark: number) => `mark ${mark}`,
  gone: () => 'gone, everything released',
};

/** Why an address has no node, as half a sentence. `pool` tells how the matching nodes are. */
export function because(refusal: Refusal, selector: string, pool: string): string {
  switch (refusal.reason) {
    case 'Doubled':
      return 'it stands more than once in the spec';
    case 'InvalidAddress':
      return 'it is no IP address';
    case 'InvalidSelector':
      return `the egressNodeSelector cannot be read: ${pool}`;
    case 'HeldByOther':
      return `EgressIP ${refusal.egressIP} holds it${refusal.node && ` on ${refusal.node}`}`;
    case 'HostConflict':
      return `it is a host address of ${refusal.node}`;
    case 'NoMatchingNode':
      return `no node matches ${selector}`;
    case 'NoAvailableNode':
      return pool;
    case 'NoNetwork':
      return `${pool}; none of the available ones has a network that contains it`;
    case 'NodesFull':
      return `${pool}; the available ones on its network are full`;
    case 'SiblingsEverywhere':
      return `${pool}; each available one on its network hosts another address of this EgressIP`;
  }
}
