/**
 * What a cluster does by itself after a decision: first probes answer, the cloud carries it out.
 */
import { parseAddress } from '../../core/address.ts';
import { cloudName } from '../../core/cloudname.ts';
import { managementAddresses } from '../../core/annotated.ts';
import type { CloudClaim, Fact } from '../../core/fact.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import type { World } from './world.ts';

/**
 * The facts that would be heard next if all goes well; none when the cluster is at rest. A node
 * that was not probed yet is taken to answer, and the cloud to grant whatever it has room for; a
 * claim that fails now goes on failing.
 */
export function follow(world: World): readonly Fact[] {
  return [...probesOf(world), ...(world.cloud ? cloudOf(world) : [])];
}

function probesOf(world: World): readonly Fact[] {
  if (world.probing === 'off' || world.probing === undefined) return [];
  const uses = [...world.uses];
  const isWanted = ({ labels }: Host): boolean =>
    uses.some(({ selector }) => selector.matches(labels));
  return [...world.hosts.values()].flatMap((host) => probeOf(host, isProbed(host, isWanted)));
}

/**
 * The rule of the watcher (`spec/egressip.md` 6): probed is who is Ready and wanted by a selector.
 */
function probeOf(host: Host, probed: boolean): readonly Fact[] {
  const { name, uid } = host;
  if (probed)
    return host.answered === undefined
      ? [{ kind: 'ReachabilitySeen', name, uid, reachable: true, because: 'taken to answer' }]
      : [];
  return host.answered === undefined ? [] : [{ kind: 'ReachabilityForgotten', name }];
}

function isProbed(host: Host, isWanted: (host: Host) => boolean): boolean {
  if (!host.exists || host.excluded || !host.ready) return false;
  if (managementAddresses(host.seen?.annotations ?? {}).value === undefined) return false;
  return isWanted(host);
}

function cloudOf(world: World): readonly Fact[] {
  const facts: Fact[] = [];
  for (const claim of world.claims.values())
    for (const [address, { node }] of claim.homes)
      facts.push(...grant(world, claim, address, node));
  for (const [address, seen] of world.cloudClaims)
    if (seen.owner !== '' && !world.owners.has(address))
      facts.push({ kind: 'CloudClaimGone', name: seen.name, uid: seen.uid });
  return facts;
}

/** The CloudPrivateIPConfig is made or moved; one of somebody else is left alone. */
function grant(world: World, claim: Claim, text: string, node: string): readonly Fact[] {
  const seen = world.cloudClaims.get(text);
  const address = parseAddress(text);
  if (address === undefined || seen?.owner === '') return [];
  const isAsked = seen?.node === node && seen.owner === claim.name && !seen.deleting;
  if (isAsked && (seen.statusNode === node || seen.assigned === 'False')) return [];
  const done: CloudClaim = {
    name: seen?.name ?? cloudName(address),
    uid: seen?.uid ?? `planned-${text}`,
    owner: claim.name,
    node,
    statusNode: node,
    assigned: 'True',
    message: '',
    sinceMs: 0,
    deleting: false,
  };
  return [{ kind: 'CloudClaimSeen', claim: done }];
}
