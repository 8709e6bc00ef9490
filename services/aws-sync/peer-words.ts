/** How a wanted peer stands, as half sentences for conditions. */
import type { PeerChange } from '../../core/aws-decision.ts';
import type { CloudPeer } from '../../core/cloud-door.ts';
import { type Attributes, differs } from './verdict.ts';
import type { Wish } from './wishes.ts';

export function conflictOf(peer: CloudPeer, target: Attributes): string {
  const { asn, liveness } = target;
  const whose = peer.owner === '' ? 'is not ours' : `belongs to ${peer.owner}`;
  const is = `has ASN ${peer.asn} and ${peer.liveness} instead of ${asn} and ${liveness}`;
  return `the peer ${peer.id} there ${whose}${differs(peer, target) ? ` and ${is}` : ''}`;
}

export const titleOf = ({ address, endpoint, node }: Wish): string =>
  `peer ${address} at ${endpoint.id} (${node})`;

export const troubleOf = ({ id, state, because }: CloudPeer): string =>
  `the peer ${id} is ${state}${because === '' ? '' : `: ${because}`}`;

export function waitingFor(
  result: string | undefined,
  { change }: PeerChange,
  dueMs: number,
): string {
  if (result === 'open' || result === 'unknown') return 'it is not known yet what came of a call';
  if (result === undefined && dueMs === Infinity)
    return 'the log was lost: what was made last may not be listed yet';
  return change === 'create' ? 'it is to be made' : 'it is to be tagged';
}
