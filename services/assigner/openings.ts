/** The nodes that may host an address, if they had room. */
import { hostsWithNetwork } from './candidates.ts';
import { mayTake } from './choice.ts';
import type { Host } from './host.ts';
import type { Seeker } from './reshuffle.ts';
import type { World } from './world.ts';

/** Whoever looks at the same place looks at the same nodes. */
export function placeOf(world: World, { claim, address }: Seeker): string {
  const networks = world.pools.networksOf(address).map(({ text }) => text);
  return `${claim.use?.selector.text} ${address.family} ${networks.join()}`;
}

export function poolFor(world: World, { claim, address }: Seeker): readonly Host[] {
  return hostsWithNetwork(world, claim, address);
}

/** The nodes that may host the seeker, if they had room. */
export function* hostsFor(world: World, seeker: Seeker): Iterable<Host> {
  for (const host of poolFor(world, seeker)) if (isOpen(world, seeker, host)) yield host;
}

/** Of these, the nodes where a sibling of it sits. */
export function siblingHosts(world: World, seeker: Seeker): readonly Host[] {
  const hosts = [...seeker.claim.homes.values()].map(({ node }) => world.host(node));
  return hosts.filter((host) => isOpen(world, seeker, host));
}

function isOpen(world: World, { claim, address, seat }: Seeker, host: Host): boolean {
  if (host === seat || !mayTake(world, claim, address, host)) return false;
  return !host.draining || claim.losses.get(address.text)?.soft !== true;
}
