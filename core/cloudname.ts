/** How CloudPrivateIPConfigs are named after their addresses (`spec/egressip.md` 2.2). */
import { type Address, parseAddress, sixGroups } from './address.ts';

/**
 * The name of an address' CloudPrivateIPConfig (`spec/egressip.md` 2.2): IPv6 as eight full groups.
 */
export function cloudName(address: Address): string {
  if (address.family === 4) return address.text;
  const groups = sixGroups(address.value).map((part) => part.toString(16).padStart(4, '0'));
  return groups.join('.');
}

/** The address that a CloudPrivateIPConfig is named after; undefined where it is none. */
export function addressOfCloudName(name: string): Address | undefined {
  return parseAddress(name) ?? parseAddress(name.replaceAll('.', ':'));
}
