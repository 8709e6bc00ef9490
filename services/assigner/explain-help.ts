/** Which single change would place a homeless address: each is tried with the shipped rules. */
import type { Heard } from '../../core/event.ts';
import type { Claim } from './claim.ts';
import { attemptsFor, type Help } from './explain-attempt.ts';
import { type Picture, settle } from './explain-picture.ts';

/** More first probes under way than this, and what to wait for is clear anyway. */
const MOST_AWAITED = 20;

/** All single changes that place `address`, by kind, then by name of the node. */
export function wouldHelp(picture: Picture, claim: Claim, address: string): readonly Help[] {
  if ((claim.use?.awaited ?? 0) > MOST_AWAITED) return [];
  const near = nearby(picture, claim);
  const helps = attemptsFor(picture, claim, address).filter((attempt) => {
    const world = picture.fold([...(attempt.wide ? wide(picture, near) : near), ...attempt.facts]);
    settle(world);
    return world.claims.get(claim.name)?.homes.has(address) === true;
  });
  return helps.map(({ kind, name, change }) => ({ kind, name, change }));
}

/**
 * What decides on the claim: the claims that want the same addresses, the nodes that host them,
 * have them as their own, or wait for a probe. No other node can take a homeless address as things
 * are, so leaving those out changes nothing, and a trial costs the same in the largest cluster.
 */
function nearby(picture: Picture, claim: Claim): readonly Heard[] {
  const { world } = picture;
  const rivals = new Set([claim]);
  const nodes = new Set<string>();
  for (const address of claim.wants.keys()) {
    for (const rival of world.wanters.of(address)) rivals.add(rival);
    for (const host of world.hostAddresses.of(address)) nodes.add(host.name);
  }
  for (const rival of rivals) for (const { node } of rival.homes.values()) nodes.add(node);
  if ((claim.use?.awaited ?? 0) > 0)
    for (const host of world.hosts.values())
      if (host.awaited && claim.use?.selector.matches(host.labels)) nodes.add(host.name);
  const events = [picture.latest('watcher', 'sync', 'cluster')];
  for (const { name } of rivals)
    events.push(
      picture.latest('watcher', 'egressip', name),
      picture.latest('assigner', 'egressip', name),
    );
  for (const node of nodes) events.push(...picture.factsOf(node));
  return events.filter((heard) => heard !== undefined);
}

/** The same with every node. */
function wide(picture: Picture, near: readonly Heard[]): readonly Heard[] {
  const nodes = [...picture.world.hosts.keys()].flatMap((name) => picture.factsOf(name));
  return [...new Set([...near, ...nodes])];
}
