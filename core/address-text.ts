/** How IP addresses are written: from text into numbers, and back (`spec/egressip.md` 1.7). */

const DOT = 46;
const ZERO = 48;
const group = /^[0-9a-f]{1,4}$/i;

/**
 * A dotted quad as a number; undefined for any other text. Sign by sign: each address and each
 * node's networks are read here, and the matches of a pattern would be most of what reading them
 * costs.
 */
export function parseFour(text: string): number | undefined {
  let sum = 0;
  let dots = 0;
  /** The octet so far; -1 before its first digit. */
  let octet = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (octet < 0 || ++dots > 3) return undefined;
      sum = sum * 256 + octet;
      octet = -1;
      continue;
    }
    const digit = code - ZERO;
    if (digit < 0 || digit > 9 || octet === 0) return undefined;
    octet = octet < 0 ? digit : octet * 10 + digit;
    if (octet > 255) return undefined;
  }
  return dots === 3 && octet >= 0 ? sum * 256 + octet : undefined;
}

/** Undefined for anything that is no IPv6 address. */
export function parseSix(text: string): bigint | undefined {
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
    if (dotted !== undefined) groups.push(dotted >>> 16, dotted & 0xffff);
    else if (group.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

/** An IPv4 value as people write it. */
export function dotted(number: number): string {
  return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
}

/** RFC 5952: lower case, the leftmost longest run of two or more zero groups becomes '::'. */
export function textOfSix(value: bigint): string {
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
