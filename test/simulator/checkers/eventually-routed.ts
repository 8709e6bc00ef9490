/** Eventually: what both custom resources ask for is so, in the cluster and in AWS. */
import type { KubeObject } from '../../../core/door.ts';
import {
  ADVERTISEMENTS,
  CONFIGS,
  FRR_CONFIGURATIONS,
  NAMESPACES,
  NETWORKS,
  ROUTINGS,
  SESSIONS,
} from '../../../edge/simulated/kinds.ts';
import type { Checker } from '../checker.ts';
import {
  configOf,
  cudnOf,
  isLive,
  isOurs,
  metaOf,
  networkOf,
  oursOf,
  routersOf,
  specOf,
  statusOf,
  zoneIn,
} from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';

export const routed = (): Checker => ({
  name: 'eventually-routed',
  eventually: judge,
  finally: judge,
});

function judge(world: Simulation): readonly string[] {
  if (world.field === undefined) return [];
  const config = configOf(world);
  return [
    ...ended(world),
    ...told(world),
    ...(isLive(config) ? sessions(world, config) : []),
    ...(isLive(config) && world.shape.routing === 'aws' ? peers(world, config) : []),
    ...networks(world, config),
    ...leftovers(world, config),
  ];
}

/** Nothing dies for ever. */
function ended(world: Simulation): readonly string[] {
  const routings = world.server.list(ROUTINGS);
  const dying = routings.flatMap((one) => (isLive(one) ? [] : [String(metaOf(one).name)]));
  const config = configOf(world);
  const stuck = config !== undefined && !isLive(config) && routings.length === 0;
  return [...dying, ...(stuck ? ['the config'] : [])].map((name) => `${name} does not end`);
}

function told(world: Simulation): readonly string[] {
  const all = [...world.server.list(CONFIGS), ...world.server.list(ROUTINGS)];
  return all.flatMap((object) => {
    const { name, generation } = metaOf(object);
    const { observedGeneration, phase, conditions } = statusOf(object);
    if (observedGeneration !== generation || !phase)
      return [`${name} is at ${generation}, told was ${observedGeneration} ${phase}`];
    return conditions?.length > 0 ? [] : [`${name} has no conditions`];
  });
}

const neighborsFor = (world: Simulation, config: KubeObject, node: KubeObject): string[] => {
  const { field, shape } = world;
  if (shape.routing === 'named')
    return (specOf(config).bgp.availabilityZones ?? [])
      .filter((zone: { nodeSelector: object }) =>
        JSON.stringify(zone.nodeSelector).includes(zoneIn(node)),
      )
      .flatMap(({ neighbors }: { neighbors: { address: string }[] }) => neighbors)
      .map(({ address }: { address: string }) => address);
  const subnets = field?.made.subnets.filter(({ zone }) => zone === zoneIn(node)) ?? [];
  const ids = new Set(subnets.map(({ id }) => id));
  return (field?.region.endpoints ?? [])
    .filter(({ subnetId }) => ids.has(subnetId))
    .map(({ address }) => address);
};

function sessions(world: Simulation, config: KubeObject): readonly string[] {
  const up = new Set(
    world.server
      .list(SESSIONS)
      .map(statusOf)
      .filter(({ bgpStatus }) => bgpStatus === 'Established')
      .map(({ node, peer }) => `${node} ${peer}`),
  );
  return routersOf(world).flatMap((node) =>
    neighborsFor(world, config, node)
      .filter((peer) => !up.has(`${node.metadata.name} ${peer}`) && !isTaken(world, node, peer))
      .map((peer) => `${node.metadata.name} has no session with ${peer}`),
  );
}

const livePeers = ({ field }: Simulation) =>
  (field?.region.peers ?? []).filter(({ state }) => state !== 'deleted' && state !== 'deleting');

const isOurPeer = (tags: Readonly<Record<string, string>>): boolean =>
  tags['managed-by']?.startsWith('cudn-bgp-routing-operator') === true;

/** Somebody else has a peer there, or had one that we may not touch. */
function isTaken(world: Simulation, node: KubeObject, peer: string): boolean {
  const endpoint = world.field?.region.endpoints.find(({ address }) => address === peer);
  const address = world.field?.machines.get(node.metadata.name)?.address;
  return livePeers(world).some(
    (one) => one.endpointId === endpoint?.id && one.address === address && !isOurPeer(one.tags),
  );
}

function peers(world: Simulation, config: KubeObject): readonly string[] {
  const wanted = new Set(
    routersOf(world).flatMap((node) =>
      neighborsFor(world, config, node)
        .filter((peer) => !isTaken(world, node, peer))
        .map((peer) => `${world.field?.machines.get(node.metadata.name)?.address} at ${peer}`),
    ),
  );
  const { localASN, livenessDetection } = specOf(config).bgp;
  const has = livePeers(world).filter(({ tags }) => isOurPeer(tags));
  const wrong = has.filter((one) => one.asn !== localASN || one.liveness !== livenessDetection);
  const keys = has.map(({ address, endpointId }) => {
    const endpoint = world.field?.region.endpoints.find(({ id }) => id === endpointId);
    return `${address} at ${endpoint?.address}`;
  });
  const open = routersOf(world).flatMap(({ metadata: { name } }) => {
    const id = world.field?.machines.get(name)?.id;
    const eni = world.field?.region.interfaces.find(({ instanceId }) => instanceId === id);
    return eni?.sourceDestCheck === false ? [] : [`the check of ${name} is on`];
  });
  return [
    ...[...wanted].filter((key) => !keys.includes(key)).map((key) => `no peer for ${key}`),
    ...keys.filter((key) => routersOf(world).length > 0 && !wanted.has(key)).map(unwanted),
    ...wrong.map(({ id, asn, liveness }) => `${id} has ${asn} and ${liveness}`),
    ...open,
  ];
}

const unwanted = (key: string): string => `nobody wants the peer for ${key}`;

/** Each network that can be there is there, once, as its holder asks, and advertised. */
function networks(world: Simulation, config: KubeObject | undefined): readonly string[] {
  const live = world.server.list(ROUTINGS).filter(isLive);
  const names = [...new Set(live.map(networkOf))];
  if (!isLive(config) || statusOf(config).phase !== 'Ready' || names.length !== 1) return [];
  const [network = ''] = names;
  if (world.server.get(NAMESPACES, `in-${network}`) === undefined) return [];
  const cudn = cudnOf(world, network);
  if (!isOurs(cudn) || !isLive(cudn)) return [`there is no network ${network}`];
  const ready = live.filter((one) => statusOf(one).phase === 'Ready');
  const kept = JSON.stringify(specOf(cudn).network.layer2.subnets);
  const claims = live.map((one) => JSON.stringify(specOf(one).network.subnets));
  const [ra] = oursOf(world, ADVERTISEMENTS);
  const accepted = JSON.stringify(statusOf(ra)).includes('"status":"True"');
  return [
    ...(claims.includes(kept) && ready.length !== 1
      ? [`${ready.length} of ${live.length} routings of ${network} are Ready`]
      : []),
    ...(accepted ? [] : ['the RouteAdvertisements is not accepted']),
  ];
}

/** Where nobody asks for anything, nothing of ours is left. */
function leftovers(world: Simulation, config: KubeObject | undefined): readonly string[] {
  const routings = world.server.list(ROUTINGS);
  const kinds = [
    ...(config === undefined ? [FRR_CONFIGURATIONS] : []),
    ...(routings.length === 0 ? [NETWORKS, ADVERTISEMENTS] : []),
  ];
  const objects = kinds.flatMap((one) => oursOf(world, one)).map(({ metadata }) => metadata.name);
  const peersLeft = config === undefined ? livePeers(world).filter((p) => isOurPeer(p.tags)) : [];
  return [...objects, ...peersLeft.map(({ id }) => id)].map((what) => `${what} is left`);
}
