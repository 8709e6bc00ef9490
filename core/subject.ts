/** The NATS subject of an event: who speaks, of what kind of thing, of which one (law 7). */
import { assert } from './assert.ts';
import type { Event, Speaker } from './event.ts';

const legal = /^[a-z0-9_=-]+$/;

/** A Kubernetes name as one token: '.' becomes '_', ':' becomes '='; names contain neither. */
export function token(name: string): string {
  const text = name.replaceAll('.', '_').replaceAll(':', '=');
  assert(legal.test(text), `"${name}" can be a token of a subject`);
  return text;
}

/** The kind and the name of the thing that an event is about. */
export function topicOf(event: Event): { readonly kind: string; readonly name: string } {
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
  }
}

/** `sluice.assigner.egressip.web` for what the assigner says of EgressIP web. */
export function subjectOf(prefix: string, speaker: Speaker, event: Event): string {
  const { kind, name } = topicOf(event);
  return `${prefix}.${speaker}.${kind}.${token(name)}`;
}
