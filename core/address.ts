/**
 * IP addresses and CIDRs as Go's `net.ParseIP` and `net.ParseCIDR` read them (`spec/egressip.md`
 * 1.7).
 */

import { dotted, parseFour, parseSix, textOfSix } from './address-text.ts';

export { sixGroups } from './address-text.ts';

/** An address. IPv4-mapped IPv6 (`::ffff:1.2.3.4`) is the IPv4 address. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** Canonical: dotted IPv4, or IPv6 after RFC 5952. */
  readonly text: string;
}

/** An interface address with its prefix, as `192.168.126.202/24`. */
export interface Cidr {
  readonly address: Address;
  readonly bits: number;
  /** The masked network, as `192.168.126.0/24`. */
  readonly network: string;
}

const prefix = /^(0|[1-9]\d{0,2})$/;

/** Undefined for anything that is no plain address: zones, prefixes, blanks, leading zeros. */
export function parseAddress(text: string): Address | undefined {
  const four = parseFour(text);
  // Without leading zeros there is one way to write it: the text is canonical.
  if (four !== undefined) return { family: 4, value: BigInt(four), text };
  const six = parseSix(text);
  if (six === undefined) return undefined;
  return six >> 32n === 0xffffn ? toAddress(4, six & 0xffffffffn) : toAddress(6, six);
}

function toAddress(family: 4 | 6, value: bigint): Address {
  return { family, value, text: family === 4 ? dotted(Number(value)) : textOfSix(value) };
}

/** An address with prefix length, host bits allowed; undefined for anything else. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const length = slash < 0 ? undefined : prefixLength(text.slice(slash + 1));
  if (length === undefined) return undefined;
  const address = parseAddress(text.slice(0, slash));
  if (address === undefined) return undefined;
  const mapped = address.family === 4 && text.includes(':');
  const bits = length - (mapped ? 96 : 0);
  if (bits < 0 || bits > (address.family === 4 ? 32 : 128)) return undefined;
  return { address, bits, network: networkOf(address, bits) };
}

function prefixLength(text: string): number | undefined {
  return prefix.test(text) ? Number(text) : undefined;
}

/** The network of `bits` that the address lies in, as text: `10.0.0.0/8`. */
export function networkOf(address: Address, bits: number): string {
  if (address.family === 4) return `${dotted(masked(Number(address.value), bits))}/${bits}`;
  const host = BigInt(128 - bits);
  return `${textOfSix((address.value >> host) << host)}/${bits}`;
}

/**
 * Equal for addresses of the same family that lie in the same network of `bits`; unlike the
 * network's text it costs nothing to make where the family is 4.
 */
export function networkKey(address: Address, bits: number): number | string {
  return address.family === 4 ? masked(Number(address.value), bits) : networkOf(address, bits);
}

function masked(value: number, bits: number): number {
  const size = 2 ** (32 - bits);
  return Math.floor(value / size) * size;
}

/** Whether the CIDR's network contains the address; families never mix. */
export function contains(cidr: Cidr, address: Address): boolean {
  if (cidr.address.family !== address.family) return false;
  if (address.family === 4)
    return networkKey(cidr.address, cidr.bits) === networkKey(address, cidr.bits);
  const host = BigInt(128 - cidr.bits);
  return cidr.address.value >> host === address.value >> host;
}

/** The address `offset` above the network's own: the management address of a node subnet is +2. */
export function addressAt(cidr: Cidr, offset: bigint): Address {
  const host = BigInt((cidr.address.family === 4 ? 32 : 128) - cidr.bits);
  return toAddress(cidr.address.family, ((cidr.address.value >> host) << host) + offset);
}
