/** Decisions on BGP routing in few words, for tests of the publisher. */
import type { AwsDecision } from '../../core/aws-decision.ts';
import type { BgpDecision, Condition, Phase } from '../../core/bgp-decision.ts';
import { canonicalJson } from '../../core/canonical.ts';
import type { ManagedKind } from '../../core/managed.ts';
import type { Notice } from '../../core/notice.ts';
import { RoutingBench } from './bgp-bench.ts';
import type { Json } from './bgp-model.ts';

type ObjectDecided = Extract<BgpDecision, { kind: 'ObjectDecided' }>;
type ConfigDecided = Extract<BgpDecision, { kind: 'BgpConfigDecided' }>;
type RoutingDecided = Extract<BgpDecision, { kind: 'BgpRoutingDecided' }>;
export type Judgement = Extract<AwsDecision, { kind: 'AwsJudged' }>;

export const LABELS = {
  'app.kubernetes.io/managed-by': 'cudn-bgp-routing-operator',
  'sluice.dev/advertised': 'true',
};

export const frrSpec: Json = {
  nodeSelector: { matchLabels: { bgp_router: 'true' } },
  bgp: {
    routers: [
      {
        asn: 65_001,
        neighbors: [
          {
            ...{ address: '10.0.1.47', asn: 64_512, disableMP: true },
            toReceive: { allowed: { mode: 'all' } },
          },
        ],
      },
    ],
  },
};

/** An object that is to be present; whatever is given is otherwise. */
export function decided(
  object: ManagedKind,
  name: string,
  given: Partial<Omit<ObjectDecided, 'spec'>> & { readonly spec?: Json } = {},
): ObjectDecided {
  const { spec = frrSpec, ...rest } = given;
  return {
    kind: 'ObjectDecided',
    ...{ object, name, uid: '', want: 'present', labels: LABELS, dropped: [] },
    ...{ owner: 'cudnbgpconfig/cluster', condition: 'FRRConfigurationApplied' },
    because: 'zone a wants it',
    ...rest,
    spec: rest.want === 'absent' ? '' : canonicalJson(spec),
  };
}

export const condition = (
  type: string,
  status: Condition['status'] = 'True',
  reason = 'Applied',
  message = 'all is well',
): Condition => ({ type, status, reason, message });

export function configDecided(
  uid: string,
  phase: Phase,
  conditions: readonly Condition[],
  given: Partial<ConfigDecided> = {},
): ConfigDecided {
  return {
    kind: 'BgpConfigDecided',
    ...{ name: 'cluster', uid, generation: 1, phase, conditions },
    ...{ finalizer: true, wasReady: false, sinceMs: 0, notices: [] },
    ...given,
  };
}

export function routingDecided(
  uid: string,
  phase: Phase,
  conditions: readonly Condition[],
  given: Partial<RoutingDecided> = {},
): RoutingDecided {
  return {
    kind: 'BgpRoutingDecided',
    ...{ name: 'prod', uid, generation: 1, network: 'prod', phase, conditions },
    ...{ finalizer: true, holds: true, wasReady: false, sinceMs: 0, notices: [] },
    ...given,
  };
}

export const awsJudged = (
  uid: string,
  phase: Phase,
  conditions: readonly Condition[],
  given: Partial<Judgement> = {},
): Judgement => ({
  kind: 'AwsJudged',
  ...{ name: 'cluster', uid, generation: 1, phase, conditions },
  ...{ status: '', released: false, notices: [] },
  ...given,
});

export const notice = (reason: Notice['reason'], note: string): Notice => ({
  ...{ reason, type: 'Normal', note },
});

const OURS = 'networking.openshift.io/v1alpha1';

/** A CUDNBgpConfig `cluster` in the cluster; returns its uid. */
export function config(bench: RoutingBench, aws = false): string {
  const spec = {
    bgp: { localASN: 65_001, ...(!aws && { availabilityZones: [] }) },
    routerNodeSelector: { bgp_router: 'true' },
    ...(aws && { aws: { region: 'us-east-1', routeServerIDs: ['rs-1'] } }),
  };
  const object = { apiVersion: OURS, kind: 'CUDNBgpConfig', metadata: { name: 'cluster' }, spec };
  return bench.model.put('cudnbgpconfigs', object).metadata.uid;
}

/** A CUDNBgpRouting in the cluster; returns its uid. */
export function routing(bench: RoutingBench, name = 'prod'): string {
  const spec = { network: { name, subnets: ['10.100.0.0/16'] } };
  const object = { apiVersion: OURS, kind: 'CUDNBgpRouting', metadata: { name }, spec };
  return bench.model.put('cudnbgproutings', object).metadata.uid;
}

/** A bench on which an FRRConfiguration az-a was made as decided, with its owner. */
export async function settled(
  defaults?: (plural: string, spec: Json) => Json,
): Promise<RoutingBench> {
  const bench = new RoutingBench();
  if (defaults !== undefined) bench.model.defaults = defaults;
  const uid = config(bench);
  const conditions = [condition('FRRConfigurationApplied')];
  bench.hear('bgp', configDecided(uid, 'Ready', conditions));
  bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
  await bench.rest();
  await redecided(bench);
  bench.writes();
  bench.outcomes();
  return bench;
}

/** bgp has heard what was made, and says the same of the object that there is now. */
export async function redecided(bench: RoutingBench, name = 'az-a'): Promise<void> {
  const uid = bench.model.get('frrconfigurations', name)?.metadata.uid ?? '';
  bench.hear('bgp', decided('FRRConfiguration', name, { uid }));
  await bench.rest();
}

/** A condition as it stands in the config's status. */
export const standing = (bench: RoutingBench, type: string): Json =>
  bench.model
    .get('cudnbgpconfigs', 'cluster')
    .status?.conditions.find((one: Json) => one.type === type);
