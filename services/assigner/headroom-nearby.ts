/** What decides on the addresses of a few nodes, as the events that tell it: a world in small. */
import { REBALANCE } from '../../core/annotation.ts';
import type { Event, Heard, Speaker } from '../../core/event.ts';
import type { EgressIP, Fact } from '../../core/fact.ts';
import { candidatesFor } from './candidates.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import type { World } from './world.ts';

/**
 * Events from which a world grows where the loss of `lost` leaves the same addresses without a node
 * as in the whole one. Rivals want what somebody displaced wants; of the other nodes, so many of
 * the best for each address as there are addresses to be seated: more are never needed. On a cloud
 * whoever lives on these nodes takes room there. Of more than `few` addresses everything is near.
 */
export function nearby(world: World, lost: ReadonlySet<Host>, few: number): readonly Heard[] {
  const displaced = [...lost].flatMap((host) => [...host.tenants.values()]);
  if (displaced.length > few) return eventsOf(world, world.hosts.values(), world.claims.values());
  const rivals = rivalsOf(world, displaced);
  const hosts = hostsNear(world, rivals, lost);
  if (!world.cloud) return eventsOf(world, hosts, rivals);
  const others = new Set([...hosts].flatMap((host) => [...host.tenants.values()]));
  return [...eventsOf(world, hosts, rivals), ...ballast(others.difference(rivals), hosts)];
}

/** Who wants an address that they want, who wants one that those want, and so on. */
function rivalsOf(world: World, claims: readonly Claim[]): ReadonlySet<Claim> {
  const rivals = new Set(claims);
  // A set that grows while it is walked is walked to its end.
  for (const rival of rivals)
    for (const address of rival.wants.keys())
      for (const other of world.wanters.of(address)) rivals.add(other);
  return rivals;
}

function hostsNear(
  world: World,
  rivals: ReadonlySet<Claim>,
  lost: ReadonlySet<Host>,
): ReadonlySet<Host> {
  const hosts = new Set(lost);
  const open: { readonly claim: Claim; readonly text: string }[] = [];
  for (const claim of rivals)
    for (const text of claim.wants.keys()) {
      for (const host of world.hostAddresses.of(text)) hosts.add(host);
      const home = world.hosts.get(claim.homes.get(text)?.node ?? '');
      if (home !== undefined) hosts.add(home);
      if (home === undefined || lost.has(home)) open.push({ claim, text });
    }
  for (const { claim, text } of open)
    for (const host of openTo(world, claim, text, open.length, lost)) hosts.add(host);
  return hosts;
}

/** The best `most` nodes outside of `lost` that could take the address of the claim now. */
export function openTo(
  world: World,
  claim: Claim,
  text: string,
  most: number,
  lost: ReadonlySet<Host>,
): readonly Host[] {
  const address = claim.wants.get(text);
  if (address === undefined) return [];
  for (let asked = most + 1; ; asked *= 2) {
    const found = candidatesFor(world, claim, address, asked).map(({ host }) => host);
    const outside = found.filter((host) => !lost.has(host));
    if (outside.length >= most || found.length < asked) return outside.slice(0, most);
  }
}

function eventsOf(world: World, hosts: Iterable<Host>, claims: Iterable<Claim>): readonly Heard[] {
  const facts: Fact[] = [
    { kind: 'PlatformSeen', platform: world.cloud ? 'AWS' : 'None', infrastructureName: '' },
  ];
  const decisions: Event[] = [];
  for (const host of hosts) facts.push(...factsOf(world, host));
  for (const { seen, decided } of claims) {
    if (seen !== undefined) facts.push({ kind: 'EgressIPSeen', egressIP: still(seen) });
    if (decided !== undefined && seen !== undefined) decisions.push(decided);
  }
  const kinds = ['nodes', 'egressips', ...(world.cloudSynced ? ['cloudprivateipconfigs'] : [])];
  facts.push({ kind: 'Synced', kinds, probing: world.probing ?? 'off' });
  return [...facts.map(heard('watcher')), ...decisions.map(heard('assigner'))];
}

function factsOf(world: World, host: Host): readonly Fact[] {
  const { name, uid, seen, answered, reachableBecause: because } = host;
  const facts: Fact[] = seen === undefined ? [] : [{ kind: 'NodeSeen', node: seen }];
  if (answered !== undefined)
    facts.push({ kind: 'ReachabilitySeen', name, uid, reachable: answered, because });
  for (const address of host.cloudAddresses.keys()) {
    const claim = world.cloudClaims.get(address);
    if (claim !== undefined) facts.push({ kind: 'CloudClaimSeen', claim });
  }
  return facts;
}

/** Claims cut down to what they have on these nodes: they take room, and that is all. */
function ballast(claims: ReadonlySet<Claim>, hosts: ReadonlySet<Host>): readonly Heard[] {
  const names = new Set([...hosts].map(({ name }) => name));
  return [...claims].flatMap(({ seen, decided }) => {
    if (seen === undefined || decided === undefined) return [];
    const placements = decided.placements.filter(({ node }) => names.has(node));
    const addresses = placements.map(({ address }) => address);
    return [
      heard('watcher')({ kind: 'EgressIPSeen', egressIP: { ...still(seen), addresses } }),
      heard('assigner')({ ...decided, placements, refusals: [] }),
    ];
  });
}

/** Rebalancing moves addresses by loads, which are not the same in small, and never loses any. */
function still(seen: EgressIP): EgressIP {
  const { [REBALANCE]: _, ...annotations } = seen.annotations;
  return { ...seen, annotations };
}

const heard =
  (stream: Speaker) =>
  (event: Event): Heard => ({ stream, sequence: 0, atMs: 0, causes: [], said: '', event });
