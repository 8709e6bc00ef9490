/**
 * What OVN-Kubernetes says of a RouteAdvertisements, and the FRRConfigurations that it makes for it
 * (`spec/frr-ovn-aws-facts.md` 2.7): pure.
 */
import { familyOf, familyOfPrefix } from '../frrk8s/family.ts';
import {
  FRR_NAMESPACE,
  type FrrConfiguration,
  type FrrSpec,
  type Neighbor,
  type Router,
} from '../frrk8s/objects.ts';
import { selectorOf, selects } from '../frrk8s/rules.ts';
import {
  type Condition,
  GENERATED,
  type Network,
  type Node,
  type RouteAdvertisements,
  subnetsOf,
} from './objects.ts';

export interface AdvertisedWorld {
  /** Those that exist in some namespace. */
  readonly networks: readonly Network[];
  readonly nodes: readonly Node[];
  /** All in the namespace of frr-k8s. */
  readonly configs: readonly FrrConfiguration[];
}

export interface Advertised {
  readonly condition: Condition;
  /**
   * What is to be generated, by `<advertisements>/<source>/<node>`; undefined = leave all as is.
   */
  readonly generated: ReadonlyMap<string, FrrSpec> | undefined;
}

const none: ReadonlyMap<string, FrrSpec> = new Map();

/** Waiting for something takes back what was advertised; a mistake leaves it. */
export function advertise(ra: RouteAdvertisements, world: AdvertisedWorld): Advertised {
  const networks = networksOf(ra, world.networks);
  const nodes = world.nodes.filter(({ metadata }) =>
    selectorOf(ra.spec.nodeSelector).matches(metadata.labels ?? {}),
  );
  const selector = selectorOf(ra.spec.frrConfigurationSelector);
  const configs = world.configs.filter(
    ({ metadata }) =>
      !metadata.name.startsWith(GENERATED) && selector.matches(metadata.labels ?? {}),
  );
  if (networks.length === 0) return pending('no networks selected');
  if (nodes.length === 0) return pending('no nodes selected');
  if (configs.length === 0) return pending('no FRRConfigurations selected');
  const problem = configs.map(neighborProblem).find((found) => found !== undefined);
  if (problem !== undefined) return mistaken(problem);
  const generated = new Map<string, FrrSpec>();
  for (const node of nodes)
    for (const config of configs.filter((one) => selects(one, node.metadata.labels ?? {}))) {
      const spec = generatedFor(ra, networks, node, config);
      const names = [config.metadata.name, node.metadata.name];
      if (spec === undefined) return mistaken(noRouter(names[0] ?? '', names[1] ?? ''));
      if (spec.bgp?.routers?.length) generated.set([ra.metadata.name, ...names].join('/'), spec);
    }
  const accepted = conditionOf('True', 'Accepted', 'the resource is valid and is being applied');
  return { condition: accepted, generated };
}

function networksOf(ra: RouteAdvertisements, all: readonly Network[]): Network[] {
  const selectors = ra.spec.networkSelectors.flatMap((one) =>
    one.clusterUserDefinedNetworkSelector === undefined
      ? []
      : [selectorOf(one.clusterUserDefinedNetworkSelector.networkSelector)],
  );
  const selected = all.filter(({ metadata }) =>
    selectors.some((selector) => selector.matches(metadata.labels ?? {})),
  );
  return selected.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

const conditionOf = (status: Condition['status'], reason: string, message: string): Condition => ({
  type: 'Accepted',
  status,
  reason,
  message,
});

const pending = (message: string): Advertised => ({
  condition: conditionOf('False', 'ConfigurationPending', message),
  generated: none,
});

export const mistaken = (message: string, reason = 'ConfigurationError'): Advertised => ({
  condition: conditionOf('False', reason, message),
  generated: undefined,
});

const noRouter = (config: string, node: string): string =>
  `FRRConfiguration "${config}" selected for node "${node}" has no VRF matching the ` +
  'RouteAdvertisements target VRF or any selected network';

/** Older releases refuse disableMP false, newer ones refuse both families on one session. */
function neighborProblem({ metadata, spec }: FrrConfiguration): string | undefined {
  const neighbors = spec?.bgp?.routers?.flatMap((router) => router.neighbors ?? []) ?? [];
  const at = ({ address }: Neighbor): string =>
    `not supported, seen on FRRConfiguration ${FRR_NAMESPACE}/${metadata.name} ` +
    `neighbor ${address ?? ''}`;
  const multi = neighbors.find((neighbor) => neighbor.disableMP !== true);
  if (multi !== undefined) return `DisableMP==false ${at(multi)}`;
  const dual = neighbors.find((neighbor) => neighbor.dualStackAddressFamily === true);
  return dual === undefined ? undefined : `DualStackAddressFamily==true ${at(dual)}`;
}

/** The source with other routers; undefined when it has none in the target VRF. */
function generatedFor(
  ra: RouteAdvertisements,
  networks: readonly Network[],
  node: Node,
  { spec = {} }: FrrConfiguration,
): FrrSpec | undefined {
  const vrf = ra.spec.targetVRF ?? '';
  const sources = spec.bgp?.routers?.filter((router) => (router.vrf ?? '') === vrf) ?? [];
  if (sources.length === 0) return undefined;
  const prefixes = networks.flatMap(subnetsOf).sort();
  const own = node.status?.addresses?.map(({ address }) => address) ?? [];
  const routers = sources.flatMap((source): Router[] => {
    const neighbors = (source.neighbors ?? [])
      .filter(({ address }) => !own.includes(address ?? ''))
      .flatMap((neighbor) => advertisedTo(neighbor, prefixes));
    if (neighbors.length === 0) return [];
    const imports = [{ vrf: vrf === '' ? 'default' : vrf }];
    const importing = networks.map((network) => ({
      asn: source.asn,
      vrf: vrfOf(network),
      imports,
    }));
    return [{ ...source, neighbors, prefixes }, ...importing];
  });
  // A node is known by its host name there.
  const hostname = node.metadata.labels?.['kubernetes.io/hostname'] ?? node.metadata.name;
  return {
    ...spec,
    nodeSelector: { matchLabels: { 'kubernetes.io/hostname': hostname } },
    bgp: { ...spec.bgp, routers },
  };
}

/** A neighbor hears of its own family only, and not at all when there is nothing to hear. */
function advertisedTo(neighbor: Neighbor, all: readonly string[]): Neighbor[] {
  const family = familyOf(neighbor);
  const prefixes = all.filter((prefix) => family === 'dual' || familyOfPrefix(prefix) === family);
  if (prefixes.length === 0) return [];
  return [{ ...neighbor, toAdvertise: { allowed: { mode: 'filtered', prefixes } } }];
}

/** The name of the network where it fits the kernel. */
const vrfOf = ({ metadata: { name, uid } }: Network): string =>
  name.length <= 15 ? name : `mp${Number.parseInt(uid.slice(0, 4), 16)}-udn-vrf`;
