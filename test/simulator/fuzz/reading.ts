/** Addresses, subnets and labels as the specifications read them, by nobody's code but Node's. */
import { isIPv4, isIPv6 } from 'node:net';

export interface Range {
  readonly family: 4 | 6;
  readonly low: bigint;
  readonly high: bigint;
}

/** The number of an address; undefined = it is none. */
function numberOf(text: string): { readonly family: 4 | 6; readonly value: bigint } | undefined {
  if (isIPv4(text)) return { family: 4, value: fourOf(text) };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  // A URL has its host in RFC 5952's form, without any dotted end.
  const host = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const hex = [...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join('');
  return { family: 6, value: BigInt(`0x${hex}`) };
}

const fourOf = (text: string): bigint =>
  text.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);

const dotted = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');

/** Canonical text (`spec/egressip.md` 1.7): IPv4 in IPv6 is the IPv4 address; '' = no address. */
export function addressOf(text: string): string {
  const read = numberOf(text);
  if (read === undefined) return '';
  if (read.family === 4) return dotted(read.value);
  if (read.value >> 32n === 0xffffn) return dotted(read.value & 0xffff_ffffn);
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** A subnet with its prefix length; undefined = it is none. */
export function rangeOf(text: string): Range | undefined {
  const [, address = '', length = ''] = /^([^/]*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const read = numberOf(address);
  const all = read?.family === 4 ? 32 : 128;
  if (read === undefined || Number(length) > all) return undefined;
  const rest = BigInt(all - Number(length));
  const low = (read.value >> rest) << rest;
  return { family: read.family, low, high: low + (1n << rest) - 1n };
}

/** The host bits are zero, and it is written as the API server writes it. */
export function isMasked(text: string): boolean {
  const range = rangeOf(text);
  const [address = ''] = text.split('/');
  const read = numberOf(address);
  return range !== undefined && read?.value === range.low && addressOf(address) === address;
}

export const overlap = (a: Range, b: Range): boolean =>
  a.family === b.family && a.low <= b.high && b.low <= a.high;

const part = /^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/;
const prefix = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** A qualified name, as keys of labels are. */
export function isLabelKey(key: string): boolean {
  const parts = key.split('/');
  const name = parts.pop() ?? '';
  return parts.length < 2 && parts.every((one) => prefix.test(one)) && part.test(name);
}

export const isLabelValue = (value: string): boolean => value === '' || part.test(value);

export const isDnsLabel = (text: string): boolean =>
  text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text);

/** Seconds of Go's duration in hours, minutes and seconds; NaN = it is none. */
export function secondsOf(text: string): number {
  const parts = /^(?=.)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (parts === null) return NaN;
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((one) => Number(one ?? 0));
  return hours * 3600 + minutes * 60 + seconds;
}
