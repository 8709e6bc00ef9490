/** What the watcher tells of a cluster in AWS, for tests. */
import type { Condition } from '../../core/bgp-decision.ts';
import type { AwsScope, BgpConfig } from '../../core/bgp-fact.ts';
import type { Event } from '../../core/event.ts';
import type { Machine } from '../aws/machine.ts';
import { topology, type Topology, type TopologySize } from '../aws/topology.ts';
import { AwsBench, type BenchOptions } from './aws-bench.ts';

export const OWNER = 'cudn-bgp-routing-operator/test-cluster';

/** When the bench's clock begins. */
export const BEGUN_MS = Date.UTC(2026, 0, 5, 10);

const status = { phase: '', observedGeneration: 0, conditions: [], aws: '' };

/** ASN 65001, keepalive, nodes with the label `bgp_router: "true"`, one Route Server. */
export function config(
  routeServerIDs: readonly string[],
  given: Partial<BgpConfig> = {},
): BgpConfig {
  const aws = {
    ...{ region: 'us-east-1', routeServerIDs, adoptionPolicy: 'IfMatches' },
    ...{ sourceDestCheckScope: 'RouterNodes', restoreSourceDestCheck: false },
  };
  return {
    ...{ name: 'cluster', uid: 'uid-config', createdMs: BEGUN_MS, generation: 1, deleting: false },
    ...{ finalizers: [], annotations: {}, localASN: 65_001, connectTime: '', zones: [] },
    ...{ livenessDetection: 'bgp-keepalive', routerNodeSelector: { bgp_router: 'true' } },
    ...{ aws, status, ...given },
  };
}

export const seen = (of: BgpConfig): Event => ({ kind: 'BgpConfigSeen', config: of });

interface NodeGiven {
  readonly labels?: Readonly<Record<string, string>>;
  readonly providerID?: string;
  readonly internalIPs?: readonly string[];
  readonly uid?: string;
}

/** A router node on a machine, unless its labels say otherwise. */
export function node(name: string, machine: Machine, given: NodeGiven = {}): Event {
  const labels = {
    ...{ bgp_router: 'true', 'topology.kubernetes.io/zone': machine.zone },
    'kubernetes.io/hostname': name,
  };
  const { uid = `uid-${name}`, providerID = machine.providerID } = given;
  return {
    kind: 'NodeSeen',
    node: {
      ...{ name, uid, labels: given.labels ?? labels, ready: true, annotations: {}, providerID },
      internalIPs: given.internalIPs ?? [machine.address],
    },
  };
}

export const gone = (name: string): Event => ({ kind: 'NodeGone', name, uid: `uid-${name}` });

/** All that must be known before anything is done. */
export const synced: readonly Event[] = [
  { kind: 'PlatformSeen', platform: 'AWS', infrastructureName: 'test-cluster' },
  { kind: 'Synced', kinds: ['nodes'], probing: 'off' },
  ...['cudnbgpconfigs', 'cudnbgproutings', 'frrconfigurations'].map(
    (plural): Event => ({ kind: 'KindSeen', plural, served: true }),
  ),
];

export interface Scene {
  readonly bench: AwsBench;
  readonly made: Topology;
  /** worker-0, worker-1, … on the machines of the topology. */
  readonly nodes: readonly Event[];
  config: BgpConfig;
  /** The config changes: another generation. */
  edit(given: Partial<BgpConfig>): void;
}

/** The size of the PoC, unless it is told otherwise; nothing has run yet. */
export function scene(
  options: BenchOptions & {
    readonly size?: TopologySize;
    readonly config?: Partial<BgpConfig>;
    readonly aws?: Partial<AwsScope>;
  } = {},
): Scene {
  const bench = new AwsBench(options);
  const made = topology(bench.region, options.size);
  const nodes = made.nodes.map((machine, index) => node(`worker-${index}`, machine));
  const base = config([made.server.id], options.config);
  const first = base.aws && { ...base, aws: { ...base.aws, ...options.aws } };
  const scene: Scene = {
    bench,
    made,
    nodes,
    config: first ?? base,
    edit: (given) => {
      scene.config = { ...scene.config, ...given, generation: scene.config.generation + 1 };
      bench.hear(seen(scene.config));
    },
  };
  bench.hear(...synced, ...nodes, seen(scene.config));
  return scene;
}

/** The condition of that type as it was judged last. */
export const condition = (bench: AwsBench, type: string): Condition | undefined =>
  bench.last('AwsJudged')?.conditions.find((one) => one.type === type);

/** `False PeerConflict`, or '' where there is none. */
export function standing(bench: AwsBench, type = 'AWSResourcesReconciled'): string {
  const found = condition(bench, type);
  return found === undefined ? '' : `${found.status} ${found.reason}`;
}

/** Peers that are not deleted, as `endpoint index: address state`, in order. */
export const living = ({ bench, made }: Scene): string[] =>
  bench.region
    .livePeers()
    .map(({ endpointId, address, state }) => {
      const index = made.endpoints.findIndex(({ id }) => id === endpointId);
      return `${index}: ${address} ${state}`;
    })
    .sort();

/** How often an action was called, whatever came of it. */
export const calls = ({ bench }: Scene, action: string): number => bench.aws.calls(action).length;
