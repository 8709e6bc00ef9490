/** The plan for one region: a pure function of what is wanted and what was seen. */
import type { CloudPeer } from '../../core/cloud-door.ts';
import { planChecks } from './checks.ts';
import { groupsOf } from './groups.ts';
import { ownerOf } from './ledger.ts';
import { Draft, type Plan } from './plan.ts';
import type { Region } from './region.ts';
import { Removals } from './removals.ts';
import { routersOf } from './routers.ts';
import { missingServers, type Mode } from './scope.ts';
import { stagesOf } from './stage.ts';
import type { Standing } from './standing.ts';
import { nodeOf, oursIn, removeUnwanted } from './unwanted-peers.ts';
import { WantedPeers } from './wanted-peers.ts';
import { type Wish, wishesOf } from './wishes.ts';
import type { World } from './world.ts';

/** `mode` is `keep` or `clean`; the region was seen completely. */
export function planRegion(world: World, mode: Mode, region: Region): Plan {
  const draft = new Draft(world.nowMs);
  const removals = new Removals(world, region, draft);
  const isHome = mode.kind === 'keep' && mode.scope.region === region.name;
  const routers = isHome ? routersOf(world, mode.config, region) : [];
  if (isHome) noteEmpty(world, routers);
  const groups = isHome ? groupsOf(world, mode.scope, region, routers) : [];
  const keeps = (peer: CloudPeer): boolean =>
    ownerOf(world, peer) !== 'ours' || isFrozen(world, routers, peer);
  const wanted = wishesOf(groups, region, world.settings.peersPerEndpoint, keeps);
  const { wishes, crowded } = wanted;
  const stages =
    mode.kind === 'keep' ? stagesOf(world, mode.config, region, groups, wishes) : new Map();
  if (isHome) {
    const peers = new WantedPeers(world, region, mode.config, mode.scope, draft, removals);
    for (const wish of wishes)
      for (const extra of peers.settle(wish, stages.get(wish.group)))
        removals.remove(extra, wish.node, 'there is another one at its place', true);
  }
  for (const name of crowded) {
    const because = `its endpoints have ${world.settings.peersPerEndpoint} peers each`;
    draft.fail(`peers of ${name}`, 'PeerQuotaExceeded', because);
  }
  const wished = new Set(wishes.map(({ place }) => place));
  const settled = isSettled(world, mode);
  removeUnwanted(world, region, { mode, wished, routers, settled }, draft, removals);
  planChecks(world, mode, region, draft);
  const held = oursIn(world, region).map(({ id, address }) => `${id} (${address})`);
  const { steps, items, pending, nextMs } = draft;
  const uncovered = isHome ? uncoveredOf(routers, wishes, crowded) : [];
  const whole = { steps, items, pending, nextMs, wanted: wishes.length, held };
  return { ...whole, groups, stages, routers, uncovered, crowded };
}

/**
 * No router node at all may be a mistake in labels: it is remembered since when (`docs/aws.md`).
 */
function noteEmpty(world: World, routers: readonly Standing[]): void {
  if (routers.length > 0) world.emptySinceMs = 0;
  else if (world.emptySinceMs === 0) world.emptySinceMs = world.nowMs;
}

function isFrozen(world: World, routers: readonly Standing[], peer: CloudPeer): boolean {
  const node = nodeOf(world, peer);
  return routers.some(
    ({ state, node: of }) =>
      (state === 'frozen' || state === 'unseen') &&
      (of.name === node || of.internalIPs.includes(peer.address)),
  );
}

/** The configured Route Servers are all found: what is of an old scope may go. */
function isSettled(world: World, mode: Mode): boolean {
  if (mode.kind !== 'keep') return true;
  const region = world.region(mode.scope.region);
  return region.trusted && missingServers(mode.scope, region).length === 0;
}

function uncoveredOf(
  routers: readonly Standing[],
  wishes: readonly Wish[],
  crowded: readonly string[],
): readonly Standing[] {
  const served = new Set([...wishes.map(({ node }) => node), ...crowded]);
  return routers.filter(({ state, node }) => state === 'ready' && !served.has(node.name));
}
