/** The NATS subject of an event: who speaks, of what kind of thing, of which one (law 7). */
import { assert } from './assert.ts';
import type { AwsDecision, AwsOutcome } from './aws-decision.ts';
import type { AwsFact } from './aws-fact.ts';
import type { BgpDecision } from './bgp-decision.ts';
import type { BgpFact } from './bgp-fact.ts';
import type { BgpOutcome } from './bgp-outcome.ts';
import type { Event, Speaker } from './event.ts';

const legal = /^[a-z0-9_=-]+$/;

/** A Kubernetes name as one token: '.' becomes '_', ':' becomes '='; names contain neither. */
export function token(name: string): string {
  const text = name.replaceAll('.', '_').replaceAll(':', '=');
  assert(legal.test(text), `"${name}" can be a token of a subject`);
  return text;
}

/** The kind and the name of the thing that an event is about. */
export interface Topic {
  readonly kind: string;
  readonly name: string;
}

export function topicOf(event: Event): Topic {
  switch (event.kind) {
    case 'NodeSeen':
      return { kind: 'node', name: event.node.name };
    case 'NodeGone':
    case 'NodeJudged':
    case 'NodePublished':
      return { kind: 'node', name: event.name };
    case 'EgressIPSeen':
      return { kind: 'egressip', name: event.egressIP.name };
    case 'EgressIPGone':
    case 'EgressIPDecided':
    case 'EgressIPForgotten':
    case 'EgressIPPublished':
      return { kind: 'egressip', name: event.name };
    case 'ReachabilitySeen':
    case 'ReachabilityForgotten':
      return { kind: 'probe', name: event.name };
    case 'CloudClaimSeen':
      return { kind: 'cloudprivateipconfig', name: event.claim.name };
    case 'CloudClaimGone':
    case 'CloudClaimPublished':
      return { kind: 'cloudprivateipconfig', name: event.name };
    case 'PlatformSeen':
      return { kind: 'platform', name: 'cluster' };
    case 'ProberSeen':
      return { kind: 'prober', name: 'cluster' };
    case 'Synced':
      return { kind: 'sync', name: 'cluster' };
    default:
      return bgpTopicOf(event);
  }
}

type BgpEvent = BgpFact | BgpDecision | BgpOutcome | AwsFact | AwsDecision | AwsOutcome;
type AwsEvent = Exclude<AwsFact | AwsDecision | AwsOutcome, { kind: 'AwsJudged' }>;

function bgpTopicOf(event: BgpEvent): Topic {
  switch (event.kind) {
    case 'BgpConfigSeen':
      return { kind: 'cudnbgpconfig', name: event.config.name };
    case 'BgpConfigGone':
    case 'BgpConfigDecided':
    case 'AwsJudged':
      return { kind: 'cudnbgpconfig', name: event.name };
    case 'BgpRoutingSeen':
      return { kind: 'cudnbgprouting', name: event.routing.name };
    case 'BgpRoutingGone':
    case 'BgpRoutingDecided':
      return { kind: 'cudnbgprouting', name: event.name };
    case 'ResourceForgotten':
    case 'ResourcePublished':
      return { kind: event.resource, name: event.name };
    case 'ObjectSeen':
      return { kind: event.seen.object.toLowerCase(), name: event.seen.name };
    case 'ObjectGone':
    case 'ObjectDecided':
    case 'ObjectPublished':
      return { kind: event.object.toLowerCase(), name: event.name };
    case 'FrrPodSeen':
      return { kind: 'frrpod', name: event.pod.name };
    case 'FrrPodGone':
      return { kind: 'frrpod', name: event.name };
    case 'NamespaceSeen':
      return { kind: 'namespace', name: event.namespace.name };
    case 'NamespaceGone':
      return { kind: 'namespace', name: event.name };
    case 'SessionSeen':
      return { kind: 'bgpsession', name: event.session.name };
    case 'SessionGone':
      return { kind: 'bgpsession', name: event.name };
    case 'KindSeen':
      return { kind: 'kind', name: event.plural };
    default:
      return awsTopicOf(event);
  }
}

/** What is about one peer goes by its place: there is at most one living peer at each. */
function awsTopicOf(event: AwsEvent): Topic {
  switch (event.kind) {
    case 'NeighborsSeen':
      return { kind: 'neighbors', name: 'cluster' };
    case 'RouteServersSeen':
      return { kind: 'routeservers', name: event.region };
    case 'PeersSeen':
      return { kind: 'routeserverpeers', name: event.endpoint };
    case 'InterfaceSeen':
    case 'InterfaceGone':
      return { kind: 'interface', name: event.node };
    case 'PeerIntended':
    case 'PeerChanged':
      return { kind: 'peer', name: `${event.endpoint}:${event.address}` };
    case 'InterfaceIntended':
    case 'InterfaceChanged':
      return { kind: 'sourcedestcheck', name: event.node };
  }
}

/** `sluice.assigner.egressip.web` for what the assigner says of EgressIP web. */
export function subjectOf(prefix: string, speaker: Speaker, event: Event): string {
  const { kind, name } = topicOf(event);
  return `${prefix}.${speaker}.${kind}.${token(name)}`;
}
