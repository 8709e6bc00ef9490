/** The two custom resources of BGP routing as facts (`spec/bgp-operator.md` 2). */
import { ORPHAN_AWS } from '../../core/annotation.ts';
import type { AwsScope, BgpConfig, BgpRouting, Neighbor, Zone } from '../../core/bgp-fact.ts';
import type { KubeObject } from '../../core/door.ts';
import { isObject, listOf, property, textOf } from '../../core/json.ts';
import { isDeleting, momentOf, pick, textsOf, wholeOf } from '../../core/metadata.ts';
import { seenStatusOf } from '../../core/seen-status.ts';

export function configOf(object: KubeObject): BgpConfig {
  const spec = object['spec'];
  const bgp = property(spec, 'bgp');
  return {
    ...lifeOf(object),
    annotations: pick(property(object.metadata, 'annotations'), [ORPHAN_AWS]),
    localASN: wholeOf(property(bgp, 'localASN')),
    livenessDetection: textOf(property(bgp, 'livenessDetection')) || 'bgp-keepalive',
    connectTime: textOf(property(bgp, 'connectTime')),
    zones: listOf(property(bgp, 'availabilityZones')).map(zoneOf),
    routerNodeSelector: textsOf(property(spec, 'routerNodeSelector')),
    aws: awsOf(property(spec, 'aws')),
    status: seenStatusOf(object['status']),
  };
}

export function routingOf(object: KubeObject): BgpRouting {
  const network = property(object['spec'], 'network');
  return {
    ...lifeOf(object),
    network: textOf(property(network, 'name')),
    subnets: listOf(property(network, 'subnets')).map(String),
    status: seenStatusOf(object['status']),
  };
}

function lifeOf({ metadata }: KubeObject): {
  readonly name: string;
  readonly uid: string;
  readonly createdMs: number;
  readonly generation: number;
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
} {
  return {
    name: metadata.name,
    uid: metadata.uid,
    createdMs: momentOf(property(metadata, 'creationTimestamp')),
    generation: wholeOf(property(metadata, 'generation')),
    deleting: isDeleting(metadata),
    // In the order of the object: a JSON patch names a place in it.
    finalizers: listOf(property(metadata, 'finalizers')).map(String),
  };
}

const zoneOf = (zone: unknown): Zone => ({
  nodeSelector: textsOf(property(zone, 'nodeSelector')),
  neighbors: listOf(property(zone, 'neighbors')).map(neighborOf),
});

const neighborOf = (neighbor: unknown): Neighbor => ({
  address: textOf(property(neighbor, 'address')),
  remoteASN: wholeOf(property(neighbor, 'remoteASN')),
});

/** Where the server has not filled in a default of the CRD, it is filled in here. */
function awsOf(aws: unknown): AwsScope | undefined {
  if (!isObject(aws)) return undefined;
  return {
    region: textOf(property(aws, 'region')),
    routeServerIDs: listOf(property(aws, 'routeServerIDs')).map(String),
    adoptionPolicy: textOf(property(aws, 'adoptionPolicy')) || 'IfMatches',
    sourceDestCheckScope: textOf(property(aws, 'sourceDestCheckScope')) || 'RouterNodes',
    restoreSourceDestCheck: property(aws, 'restoreSourceDestCheck') === true,
  };
}
