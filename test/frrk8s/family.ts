/** How frr-k8s names a neighbor, and which IP families it takes it to speak. */
import { parseAddress, parseCidr } from '../../core/address.ts';
import type { Neighbor } from './objects.ts';
import { Unacceptable } from './unacceptable.ts';

export type Family = 'ipv4' | 'ipv6' | 'dual' | 'unknown';

export const asnOf = (neighbor: Neighbor): string =>
  neighbor.dynamicASN || String(neighbor.asn ?? 0);

export const nameOf = (neighbor: Neighbor): string =>
  `${asnOf(neighbor)}@${neighbor.address || (neighbor.interface ?? '')}`;

/** Throws Unacceptable for an address that is none. */
export function familyOf(neighbor: Neighbor): Family {
  const { address, dualStackAddressFamily } = neighbor;
  const parsed = address ? parseAddress(address) : undefined;
  if (address && parsed === undefined)
    throw new Unacceptable(
      `failed to find ipfamily for ${address}, ` +
        `IPFamilyForAddresses: Invalid address ["${address}"]`,
    );
  if (neighbor.interface || dualStackAddressFamily) return 'dual';
  if (parsed === undefined) return 'unknown';
  return parsed.family === 4 ? 'ipv4' : 'ipv6';
}

export function familyOfPrefix(prefix: string): Family {
  const cidr = parseCidr(prefix);
  if (cidr === undefined) return 'unknown';
  return cidr.address.family === 4 ? 'ipv4' : 'ipv6';
}
