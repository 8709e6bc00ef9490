/**
 * IP addresses and CIDRs as Go's `net.ParseIP` and `net.ParseCIDR` read them (`spec/egressip.md`
 * 1.7).
 */

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

const octets = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;
const group = /^[0-9a-f]{1,4}$/i;

/** Undefined for anything that is no plain address: zones, prefixes, blanks, leading zeros. */
export function parseAddress(text: string): Address | undefined {
  const four = parseFour(text);
  if (four !== undefined) return toAddress(4, four);
  const six = parseSix(text);
  if (six === undefined) return undefined;
  return six >> 32n === 0xffffn ? toAddress(4, six & 0xffffffffn) : toAddress(6, six);
}

function parseFour(text: string): bigint | undefined {
  const match = octets.exec(text);
  if (match === null) return undefined;
  let sum = 0;
  for (let index = 1; index <= 4; index++) {
    const octet = Number(match[index]);
    if (octet > 255) return undefined;
    sum = sum * 256 + octet;
  }
  return BigInt(sum);
}

function parseSix(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = groupsOf(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? '', true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const all = [...head, ...Array.from({ length: missing }, () => 0), ...tail];
  return all.reduce((sum, part) => (sum << 16n) | BigInt(part), 0n);
}

/** The 16-bit groups of one side of '::'; the last may be a dotted quad when `mayEndDotted`. */
function groupsOf(text: string, mayEndDotted: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    const dotted = mayEndDotted && index === parts.length - 1 ? parseFour(part) : undefined;
    if (dotted !== undefined) groups.push(Number(dotted >> 16n), Number(dotted & 0xffffn));
    else if (group.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

function toAddress(family: 4 | 6, value: bigint): Address {
  return { family, value, text: family === 4 ? textOfFour(value) : textOfSix(value) };
}

function textOfFour(value: bigint): string {
  return dotted(Number(value));
}

function dotted(number: number): string {
  return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
}

/** RFC 5952: lower case, the leftmost longest run of two or more zero groups becomes '::'. */
function textOfSix(value: bigint): string {
  const groups = sixGroups(value);
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((part) => part.toString(16));
  if (best.start < 0) return hex.join(':');
  const left = hex.slice(0, best.start).join(':');
  return `${left}::${hex.slice(best.start + best.length).join(':')}`;
}

/** The eight 16-bit groups of an IPv6 value. */
export function sixGroups(value: bigint): number[] {
  return [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n].map((i) => Number((value >> (16n * i)) & 0xffffn));
}

/** An address with prefix length, host bits allowed; undefined for anything else. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0 || !/^(0|[1-9]\d{0,2})$/.test(text.slice(slash + 1))) return undefined;
  const address = parseAddress(text.slice(0, slash));
  if (address === undefined) return undefined;
  const mapped = address.family === 4 && text.includes(':');
  const bits = Number(text.slice(slash + 1)) - (mapped ? 96 : 0);
  if (bits < 0 || bits > (address.family === 4 ? 32 : 128)) return undefined;
  return { address, bits, network: networkOf(address, bits) };
}

/** The network of `bits` that the address lies in, as text: `10.0.0.0/8`. */
export function networkOf(address: Address, bits: number): string {
  if (address.family === 4) return `${dotted(masked(Number(address.value), bits))}/${bits}`;
  const host = BigInt(128 - bits);
  return `${textOfSix((address.value >> host) << host)}/${bits}`;
}

function masked(value: number, bits: number): number {
  const size = 2 ** (32 - bits);
  return Math.floor(value / size) * size;
}

/** Whether the CIDR's network contains the address; families never mix. */
export function contains(cidr: Cidr, address: Address): boolean {
  if (cidr.address.family !== address.family) return false;
  const host = BigInt((address.family === 4 ? 32 : 128) - cidr.bits);
  return cidr.address.value >> host === address.value >> host;
}

/** The address `offset` above the network's own: the management address of a node subnet is +2. */
export function addressAt(cidr: Cidr, offset: bigint): Address {
  const host = BigInt((cidr.address.family === 4 ? 32 : 128) - cidr.bits);
  return toAddress(cidr.address.family, ((cidr.address.value >> host) << host) + offset);
}
