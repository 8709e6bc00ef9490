/** How one CUDNBgpRouting stands, and what its network is to be (`spec/bgp-operator.md` 5). */
import { CLUSTER_UDN, PRIMARY_UDN } from '../../core/annotation.ts';
import type { BgpRouting } from '../../core/bgp-fact.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { list } from '../../core/say.ts';
import { cudnOf } from './claims.ts';
import { bad, type Before, calm, good, type Judged, notYet, Waits } from './condition.ts';
import { judgeCudn, TYPE as CUDN, wantCudn } from './cudn.ts';
import { crdOf } from './kinds.ts';
import { foreignWords, standingOf } from './ownership.ts';
import { judgeRouteAdvertisements, TYPE as ADVERTISEMENTS } from './route-advertisements.ts';
import type { Scene } from './scene.ts';
import { routingOwner, untouched, type Want } from './want.ts';
import type { World } from './world.ts';
import { wrongRouting } from './wrong-spec.ts';

export interface RoutingState {
  readonly judged: readonly Judged[];
  readonly want: Want | undefined;
  readonly waits: Waits;
}

const object = 'ClusterUserDefinedNetwork';

/** `wasReady`: it was Ready once. Not for routings that are being deleted. */
export function judgeRouting(
  world: World,
  scene: Scene,
  routing: BgpRouting,
  before: Before | undefined,
  wasReady: boolean,
): RoutingState {
  const waits = new Waits(world, before);
  const cudn = standingOf(world, object, cudnOf(routing));
  const runs = cudn.ours !== undefined || wasReady;
  const refusal = refusalOf(world, scene, routing, runs, cudn.foreign);
  if (refusal !== undefined)
    return { judged: [refusal, later], want: wantNone(scene, routing, cudn.foreign), waits };
  const owner = `cudnbgprouting/${routing.name}`;
  const settle = (judged: Judged): Judged => calm(world, owner, routing.generation, before, judged);
  const created = settle(judgeCudn(routing, cudn.ours, waits));
  const advertised = withLimits(scene, routing, settle(judgeRouteAdvertisements(world, waits)));
  const present = namespacesCondition(scene, routing);
  return { judged: [created, advertised, present], want: wantCudn(routing, cudn.ours), waits };
}

/** Accepted is not advertised: AWS speaks BGP over IPv4 only, for IPv4 prefixes (facts S2). */
function withLimits({ config }: Scene, { subnets }: BgpRouting, judged: Judged): Judged {
  const { condition } = judged;
  const ipv6 = subnets.filter((text) => text.includes(':'));
  if (config?.aws === undefined || ipv6.length === 0 || condition.status !== 'True') return judged;
  const limit = `${list(ipv6)} is not advertised: AWS route servers take IPv4 only`;
  return { ...judged, condition: { ...condition, message: `${condition.message}; ${limit}` } };
}

const later = notYet(ADVERTISEMENTS, 'WaitingForCUDN', 'comes after the network');

/** Only who holds the network has a say on its object. */
function wantNone(
  scene: Scene,
  routing: BgpRouting,
  foreign: ManagedObject | undefined,
): Want | undefined {
  if (foreign === undefined || scene.claims.get(routing.network) !== routing) return undefined;
  const { name, uid } = foreign;
  const owner = routingOwner(routing.name, CUDN);
  return untouched({ object, name, uid, ...owner, because: 'it is not ours' });
}

/** Why nothing is made for it, or undefined. What runs already is kept by fewer conditions. */
function refusalOf(
  world: World,
  scene: Scene,
  routing: BgpRouting,
  runs: boolean,
  foreign: ManagedObject | undefined,
): Judged | undefined {
  const { name, network } = routing;
  // Its own faults come first: those of others may be over tomorrow.
  const wrong = wrongRouting(routing);
  if (wrong !== undefined) return wrong;
  const holder = scene.claims.get(network);
  if (holder !== undefined && holder.name !== name)
    return bad(CUDN, 'DuplicateNetwork', `network ${network} is that of ${holder.name} already`);
  if (foreign !== undefined) return bad(CUDN, 'ForeignObject', foreignWords(object, foreign.name));
  if (!runs && !scene.open) return waitsForConfig(scene);
  const other = scene.overlaps.get(name);
  if (other !== undefined)
    return bad(CUDN, 'SubnetOverlap', `its subnets overlap those of CUDNBgpRouting ${other}`);
  if (!world.isServed('clusteruserdefinednetworks'))
    return notYet(CUDN, 'NotServed', `${crdOf[object]} is not served by this cluster (yet)`);
  return runs || scene.namespaces.has(network) ? undefined : namespaceMissing(network);
}

function waitsForConfig({ config }: Scene): Judged {
  const why =
    config === undefined
      ? 'there is no CUDNBgpConfig named cluster'
      : config.deleting
        ? 'CUDNBgpConfig cluster is being deleted'
        : 'waits for CUDNBgpConfig cluster to be Ready for the first time';
  return { ...notYet(CUDN, 'WaitingForConfig', why), phase: 'Pending' };
}

const namespaceMissing = (network: string): Judged =>
  bad(
    CUDN,
    'NamespaceNotReady',
    `no namespace has the labels ${PRIMARY_UDN} (from its creation) and ${CLUSTER_UDN}=${network}`,
  );

/** Namespaces that vanish later do not take the network with them (W-30). */
function namespacesCondition({ namespaces }: Scene, { network }: BgpRouting): Judged {
  const type = 'NamespacesPresent';
  const names = namespaces.get(network);
  if (names !== undefined)
    return good(type, 'Present', `the network is in namespace ${list(names, 5)}`);
  const message = `no namespace is in network ${network} any more; the network stays`;
  return { ...bad(type, 'NamespaceNotReady', message), phase: 'Ready' };
}
