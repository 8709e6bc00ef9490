/** Invariant I2: no mutation of peers after a list that failed or was left before its end. */
import type { Ask } from './ask.ts';
import { list, text } from './params.ts';

/** What came of a call, as far as the invariants ask. */
export interface Outcome {
  readonly mutates: boolean;
  /** It took effect. */
  readonly applied: boolean;
  /** The client has the whole answer, and it is no error. */
  readonly told: boolean;
  /** There are more pages. */
  readonly more: boolean;
}

const isListing = ({ action, params }: Ask): boolean =>
  (action === 'DescribeRouteServerPeers' && list(params, 'RouteServerPeerId').length === 0) ||
  (action === 'DescribeRouteServerEndpoints' && list(params, 'RouteServerEndpointId').length === 0);

const readerOf = ({ region, key }: Ask): string =>
  `${region.account}/${region.name}/${key?.arn ?? ''}`;

/** A mutation is suspect while a listing of the same reader has not come to its end. */
export function judgeListings(ask: Ask): void {
  const { world, action, nowMs } = ask;
  if (!world.manners.invariants.includes('I2') || action.startsWith('Modify')) return;
  for (const [name, listing] of world.watch.listings) {
    if (listing.complete || !name.startsWith(`${readerOf(ask)}/`)) continue;
    const what = `I2: a mutation although ${name} is incomplete (${action} at ${nowMs} ms)`;
    listing.suspects.push(what);
  }
}

/** A listing that goes on after all was merely slow: what it was suspected of is forgiven. */
export function noteListing(ask: Ask, { told, more }: Outcome): void {
  if (!isListing(ask)) return;
  const { watch } = ask.world;
  const name = `${readerOf(ask)}/${ask.action}`;
  const known = watch.listings.get(name) ?? { complete: true, suspects: [] };
  const complete = told && !more;
  if (text(ask.params, 'NextToken') === '') {
    watch.violations.push(...known.suspects);
    watch.listings.set(name, { complete, suspects: [] });
  } else {
    watch.listings.set(name, { complete, suspects: complete ? [] : known.suspects });
  }
}
