/** What a good client never does (facts 6, I1–I6), judged after every call. */
import type { Ask } from './ask.ts';
import { bgpOf, zoneOf } from './bgp.ts';
import { judgeListings, noteListing, type Outcome } from './listings.ts';
import type { Invariant } from './manners.ts';
import type { Peer, Thing } from './model.ts';
import { list, tagSpecification, text } from './params.ts';
import type { Region, World } from './state.ts';
import { shelfOf } from './world.ts';

/** The tag by which an owner marks what is its own. */
export const OWNER_TAG = 'managed-by';

const hourMs = 3_600_000;

/** What must be remembered from before the call. */
export interface Before {
  readonly zonesUp: ReadonlySet<string>;
}

/** Judges what is wrong whatever the answer will be; called before the action runs. */
export function judgeBefore(ask: Ask, mutates: boolean): Before {
  if (mutates) {
    judgeListings(ask);
    judgeOwners(ask);
  }
  const deletes = ask.action === 'DeleteRouteServerPeer';
  return { zonesUp: deletes ? zonesUp(ask.region) : new Set() };
}

export function judgeAfter(ask: Ask, before: Before, outcome: Outcome): void {
  noteListing(ask, outcome);
  judgeRest(ask, outcome);
  if (!outcome.applied) return;
  judgePlan(ask);
  if (ask.action === 'CreateRouteServerPeer') {
    judgeDuplicates(ask);
    const owner = tagSpecification(ask.params, 'route-server-peer')[OWNER_TAG];
    if (owner !== undefined) ask.world.watch.ours.add(owner);
  }
  const left = zonesUp(ask.region);
  for (const zone of before.zonesUp) {
    if (!left.has(zone)) violated(ask, 'I6', `${zone} lost its last session that was up`);
  }
}

/** All that was found so far; a listing that was never finished tells against what followed it. */
export function violationsOf({ watch }: World): string[] {
  const suspects = [...watch.listings.values()].flatMap((listing) => listing.suspects);
  return [...watch.violations, ...suspects];
}

function violated({ world, action, nowMs }: Ask, which: Invariant, what: string): void {
  if (!world.manners.invariants.includes(which)) return;
  world.watch.violations.push(`${which}: ${what} (${action} at ${nowMs} ms)`);
}

/** I1: at most one peer that is not deleted per endpoint and address. */
function judgeDuplicates(ask: Ask): void {
  const endpoint = text(ask.params, 'RouteServerEndpointId');
  const address = text(ask.params, 'PeerAddress');
  const same = ask.region.peers
    .all()
    .filter((peer) => peer.endpointId === endpoint && peer.address === address)
    .filter(({ state }) => state !== 'deleted');
  if (same.length > 1)
    violated(ask, 'I1', `${same.length} peers for ${address} on ${endpoint}, not one`);
}

/** I3: nothing that somebody else manages is touched. */
function judgeOwners(ask: Ask): void {
  const { ours } = ask.world.watch;
  for (const thing of targets(ask)) {
    const owner = thing.tags[OWNER_TAG];
    if (owner !== undefined && !ours.has(owner))
      violated(ask, 'I3', `${thing.id} of ${owner} was touched`);
  }
}

function targets({ region, params }: Ask): Thing[] {
  const named = ['RouteServerPeerId', 'NetworkInterfaceId', 'InstanceId'].map((name) =>
    text(params, name),
  );
  const ids = [...named, ...list(params, 'ResourceId')];
  const known = ids.filter((id) => /^(rs|rse|rsp|subnet|i|eni)-/.test(id));
  return known.flatMap((id) => shelfOf(region, id).get(id) ?? []);
}

/** I4: no more mutations than planned, where a test has said how many that are. */
function judgePlan(ask: Ask): void {
  const { plan } = ask.world.watch;
  if (plan === undefined) return;
  const left = (plan.get(ask.action) ?? 0) - 1;
  plan.set(ask.action, left);
  if (left < 0) violated(ask, 'I4', `${-left} more than planned`);
}

/** I5: a world at rest is only read, and seldom. */
function judgeRest(ask: Ask, { mutates }: Outcome): void {
  const { rest } = ask.world.watch;
  if (rest === undefined || ask.nowMs < rest.sinceMs) return;
  if (mutates) return violated(ask, 'I5', 'a mutation in a world at rest');
  rest.calls.push(ask.nowMs);
  while ((rest.calls[0] ?? Infinity) <= ask.nowMs - hourMs) rest.calls.shift();
  if (rest.calls.length === rest.perHour + 1)
    violated(ask, 'I5', `more than ${rest.perHour} calls in an hour at rest`);
}

/** Route Servers and zones with at least one session that is up: I6 looks at what gets lost. */
function zonesUp(region: Region): Set<string> {
  const up = region.peers.all().filter((peer) => bgpOf(region, peer) === 'up');
  const place = (peer: Peer): string =>
    `${region.endpoints.get(peer.endpointId)?.serverId ?? ''} in ${zoneOf(region, peer)}`;
  return new Set(up.map(place));
}
