/** Token buckets with EC2's documented numbers (facts 1.5), per account and region. */
import { filters, list, type Params, text } from './params.ts';

export interface Bucket {
  tokens: number;
  atMs: number;
}

export interface Limit {
  readonly name: string;
  readonly size: number;
  readonly perSecond: number;
}

const reading: Limit = { name: 'non-mutating', size: 100, perSecond: 20 };
const bareReading: Limit = { name: 'unfiltered', size: 50, perSecond: 10 };
const mutating: Limit = { name: 'mutating', size: 50, perSecond: 5 };
const tagging: Limit = { name: 'tagging', size: 100, perSecond: 10 };
const attribute: Limit = { name: 'interface-attribute', size: 100, perSecond: 5 };
const sts: Limit = { name: 'sts', size: 600, perSecond: 600 };

/** Calls whose unfiltered and unpaginated form has a smaller bucket. */
const costly = ['DescribeInstances', 'DescribeNetworkInterfaces'];

/** The bucket that a call takes from. */
export function limitOf(action: string, service: string, params: Params): Limit {
  if (service === 'sts') return sts;
  if (/^(Create|Delete)Tags$/.test(action)) return tagging;
  if (action === 'ModifyNetworkInterfaceAttribute') return attribute;
  if (!/^(Describe|Get)/.test(action)) return mutating;
  return costly.includes(action) && isBare(params) ? bareReading : reading;
}

function isBare(params: Params): boolean {
  if (text(params, 'MaxResults') !== '' || text(params, 'NextToken') !== '') return false;
  const ids = [...list(params, 'InstanceId'), ...list(params, 'NetworkInterfaceId')];
  return ids.length === 0 && filters(params).length === 0;
}

/** Takes `count` tokens; false when there are not so many, and then takes none. */
export function take(
  buckets: Map<string, Bucket>,
  name: string,
  limit: Limit,
  nowMs: number,
  count = 1,
): boolean {
  const known = buckets.get(name) ?? { tokens: limit.size, atMs: nowMs };
  const grown = (Math.max(0, nowMs - known.atMs) / 1000) * limit.perSecond;
  const tokens = Math.min(limit.size, known.tokens + grown);
  const enough = tokens >= count;
  buckets.set(name, { tokens: enough ? tokens - count : tokens, atMs: nowMs });
  return enough;
}

/** Somebody else takes `count` tokens, or all there are. */
export function spend(
  buckets: Map<string, Bucket>,
  name: string,
  limit: Limit,
  nowMs: number,
  count: number,
): void {
  take(buckets, name, limit, nowMs, 0);
  const bucket = buckets.get(name);
  if (bucket !== undefined) bucket.tokens = Math.max(0, bucket.tokens - count);
}

/** The name of a bucket: of the action alone, or of all actions of its category. */
export const bucketName = (shared: boolean, action: string, { name }: Limit): string =>
  shared ? name : `${action} ${name}`;

/** All buckets that calls of an action take from. */
export const limitsOf = (action: string): readonly Limit[] =>
  costly.includes(action) ? [reading, bareReading] : [limitOf(action, 'ec2', new Map())];
