/** Which single change would place a homeless address: each is tried with the shipped rules. */
import type { Heard } from '../../core/event.ts';
import type { Claim } from './claim.ts';
import { attemptsFor, type Help } from './explain-attempt.ts';
import { type Picture, settle } from './explain-picture.ts';
import type { World } from './world.ts';

/** More first probes under way than this, and what to wait for is clear anyway. */
const MOST_AWAITED = 20;

/** All single changes that place `address`, by kind, then by name of the node. */
export function wouldHelp(picture: Picture, claim: Claim, address: string): readonly Help[] {
  if ((claim.use?.awaited ?? 0) > MOST_AWAITED) return [];
  const rivals = rivalsOf(picture.world, claim);
  const near = nearby(picture, rivals);
  const helps = attemptsFor(picture, claim, address).filter((attempt) => {
    const everywhere = attempt.wide || freesRival(picture.world, rivals, attempt.name);
    const world = picture.fold([...(everywhere ? wide(picture, near) : near), ...attempt.facts]);
    settle(world);
    return world.claims.get(claim.name)?.homes.has(address) === true;
  });
  return helps.map(({ kind, name, change }) => ({ kind, name, change }));
}

/**
 * What decides on the claim: its rivals, the nodes that host what they want, have it as their own,
 * or make them wait. No other node can take a homeless address as things are, so leaving those out
 * changes nothing, and a trial costs the same in the largest cluster.
 */
function nearby(picture: Picture, rivals: ReadonlySet<Claim>): readonly Heard[] {
  const { world } = picture;
  const nodes = new Set<string>();
  for (const rival of rivals) {
    for (const { node } of rival.homes.values()) nodes.add(node);
    for (const address of rival.wants.keys())
      for (const host of world.hostAddresses.of(address)) nodes.add(host.name);
    for (const name of awaitedBy(world, rival)) nodes.add(name);
  }
  const events = ['sync', 'platform', 'prober'].map((kind) =>
    picture.latest('watcher', kind, 'cluster'),
  );
  for (const { name } of rivals)
    events.push(
      picture.latest('watcher', 'egressip', name),
      picture.latest('assigner', 'egressip', name),
    );
  for (const node of nodes) events.push(...picture.factsOf(node));
  return events.filter((heard) => heard !== undefined);
}

/** Nodes whose first probe a claim waits for: two, so that it still waits when one answers. */
function awaitedBy(world: World, { use }: Claim): readonly string[] {
  if (use === undefined || use.awaited === 0) return [];
  const hosts = world.hosts.values().filter((host) => host.awaited);
  return [...hosts.filter((host) => use.selector.matches(host.labels)).take(2)].map(
    ({ name }) => name,
  );
}

/** The claim, who wants an address that it wants, who wants one that those want, and so on. */
function rivalsOf(world: World, claim: Claim): ReadonlySet<Claim> {
  const rivals = new Set([claim]);
  // A set that grows while it is walked is walked to its end.
  for (const rival of rivals)
    for (const address of rival.wants.keys())
      for (const other of world.wanters.of(address)) rivals.add(other);
  return rivals;
}

/** A change of the node may take a rival's home, or end its wait: then it may go anywhere. */
function freesRival(world: World, rivals: ReadonlySet<Claim>, node: string): boolean {
  const host = world.hosts.get(node);
  if (host === undefined) return false;
  const waits = ({ use }: Claim): boolean => use?.selector.matches(host.labels) === true;
  if (host.awaited && [...rivals].some(waits)) return true;
  return [...host.tenants.values()].some((tenant) => rivals.has(tenant));
}

/** The same with every node. */
function wide(picture: Picture, near: readonly Heard[]): readonly Heard[] {
  const nodes = [...picture.world.hosts.keys()].flatMap((name) => picture.factsOf(name));
  return [...new Set([...near, ...nodes])];
}
