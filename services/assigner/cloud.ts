/** What the assigner knows of the cloud: which addresses are where, and which nodes failed. */
import { addressOfCloudName } from '../../core/cloudname.ts';
import type { Cause } from '../../core/event.ts';
import type { CloudClaim } from '../../core/fact.ts';
import { isCloud } from '../../core/platform.ts';
import type { Claim, Failure } from './claim.ts';
import { seeNode } from './nodes.ts';
import type { World } from './world.ts';

/** The cloud controller retries by itself: a claim is given up when it has failed for so long. */
const PATIENCE_MS = 5_000;
/** A node that failed for an address is not asked again for so long. */
const REST_MS = 15 * 60_000;

export function seePlatform(world: World, platform: string, cause: Cause): void {
  const cloud = isCloud(platform);
  if (world.cloud === cloud) return;
  world.cloud = cloud;
  for (const host of world.hosts.values()) seeNode(world, host.name, host.seen, cause);
  for (const claim of world.claims.values()) world.stir(claim, cause);
}

/**
 * Takes in a CloudPrivateIPConfig, or its end: room on nodes changes, and claims may have failed.
 */
export function seeCloudClaim(
  world: World,
  name: string,
  seen: CloudClaim | undefined,
  atMs: number,
  cause: Cause,
): void {
  const address = addressOfCloudName(name);
  if (address === undefined) return;
  const { text, family } = address;
  const before = world.cloudClaims.get(text);
  if (seen === undefined) world.cloudClaims.delete(text);
  else world.cloudClaims.set(text, seen);
  const now = nodesOf(seen);
  const left = nodesOf(before).filter((node) => !now.includes(node));
  for (const node of left) leave(world, node, text);
  for (const node of now) world.host(node).cloudAddresses.set(text, family);
  for (const node of left) world.stirWaitingFor(node, cause);
  noteFailure(world, text, seen, atMs);
  world.stirWanters(text, cause);
}

/** A node that is gone is forgotten once the cloud has nothing there any more. */
function leave(world: World, node: string, address: string): void {
  const host = world.host(node);
  host.cloudAddresses.delete(address);
  if (!host.exists) world.hostsToTell.add(host);
}

/** Where the cloud has the address, and where it is to have it. */
function nodesOf(claim: CloudClaim | undefined): readonly string[] {
  if (claim === undefined) return [];
  return [...new Set([claim.node, claim.statusNode])].filter((node) => node !== '');
}

/** Remembers since when the claim has failed on its node; the time comes back as an alarm. */
function noteFailure(
  world: World,
  address: string,
  seen: CloudClaim | undefined,
  atMs: number,
): void {
  const failed = seen?.assigned === 'False' && seen.statusNode === seen.node && !seen.deleting;
  if (!failed) return void world.failures.delete(address);
  const known = world.failures.get(address);
  if (known?.node === seen.node) return;
  const sinceMs = seen.sinceMs > 0 ? Math.min(seen.sinceMs, atMs) : atMs;
  const failure: Failure = { node: seen.node, overMs: sinceMs + PATIENCE_MS, why: seen.message };
  world.failures.set(address, failure);
  world.setAlarm(failure.overMs, address);
}

/** Why the cloud cannot have the address where it lives, once patience is over; else undefined. */
export function failureOf(world: World, claim: Claim, address: string): string | undefined {
  const failure = world.failures.get(address);
  if (failure === undefined || failure.node !== claim.homes.get(address)?.node) return undefined;
  if (failure.overMs > world.nowMs) return undefined;
  const why = failure.why === '' ? '' : ` (${failure.why})`;
  return `the cloud cannot assign it on ${failure.node}${why}`;
}

/** The node is left in peace for this address for a while. */
export function rest(world: World, claim: Claim, address: string, node: string): void {
  const untilMs = world.nowMs + REST_MS;
  const others = claim.rests.filter((one) => one.address !== address || one.node !== node);
  claim.rests = [...others, { address, node, untilMs }];
  world.setAlarm(untilMs, address);
}

export function isResting(world: World, claim: Claim, address: string, node: string): boolean {
  return claim.rests.some(
    (one) => one.address === address && one.node === node && one.untilMs > world.nowMs,
  );
}
