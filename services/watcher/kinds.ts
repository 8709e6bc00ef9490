/** The kinds of objects that are watched: how each becomes a fact, and what is told of it. */
import type { Collection, KubeObject } from '../../core/door.ts';
import type { CloudClaim, EgressIP, Fact, Node } from '../../core/fact.ts';
import { CLOUD_CLAIMS, EGRESSIPS, NODES } from './input.ts';
import { resourceKinds, routingKinds } from './kinds-bgp.ts';
import { cloudClaimOf, egressIPOf, nodeOf } from './project.ts';
import { claimNews, egressIPNews, nodeNews } from './words.ts';

export interface Thing {
  readonly name: string;
  readonly uid: string;
}

/** One row per kind; another kind is another row. */
export interface Kind<T extends Thing> {
  readonly collection: Collection;
  /** The kind of its topics: `node` of `node/worker-1`. */
  readonly topic: string;
  /** Its name in `Synced.kinds`. */
  readonly plural: string;
  /**
   * The publisher writes such objects, and remembers what it wrote until a fact says more. Then
   * even a change that was undone since is news: the one in between may have been the publisher's.
   */
  readonly written?: boolean;
  /** `KindSeen` tells when its objects are on the log, or that the server does not serve it. */
  readonly announced?: boolean;
  /** As far as somebody here needs it; undefined = it means nothing to anybody. */
  project(object: KubeObject): T | undefined;
  seen(thing: T): Fact;
  gone(name: string, uid: string): Fact;
  /** What a fact says is there; undefined when it says that nothing is. */
  toldBy(fact: Fact | undefined): T | undefined;
  /** What is new, as a sentence. */
  news(before: T | undefined, now: T): string;
}

export const nodeKind: Kind<Node> = {
  collection: NODES,
  topic: 'node',
  plural: 'nodes',
  project: nodeOf,
  seen: (node) => ({ kind: 'NodeSeen', node }),
  gone: (name, uid) => ({ kind: 'NodeGone', name, uid }),
  toldBy: (fact) => (fact?.kind === 'NodeSeen' ? fact.node : undefined),
  news: nodeNews,
};

/** The same, with more that drains a node: what nobody asked about is no news. */
export const nodeKindWith = (drainOn: readonly string[]): Kind<Node> => ({
  ...nodeKind,
  project: (object) => nodeOf(object, drainOn),
});

export const egressIPKind: Kind<EgressIP> = {
  collection: EGRESSIPS,
  topic: 'egressip',
  plural: 'egressips',
  written: true,
  project: egressIPOf,
  seen: (egressIP) => ({ kind: 'EgressIPSeen', egressIP }),
  gone: (name, uid) => ({ kind: 'EgressIPGone', name, uid }),
  toldBy: (fact) => (fact?.kind === 'EgressIPSeen' ? fact.egressIP : undefined),
  news: egressIPNews,
};

export const cloudClaimKind: Kind<CloudClaim> = {
  collection: CLOUD_CLAIMS,
  topic: 'cloudprivateipconfig',
  plural: 'cloudprivateipconfigs',
  written: true,
  project: cloudClaimOf,
  seen: (claim) => ({ kind: 'CloudClaimSeen', claim }),
  gone: (name, uid) => ({ kind: 'CloudClaimGone', name, uid }),
  toldBy: (fact) => (fact?.kind === 'CloudClaimSeen' ? fact.claim : undefined),
  news: claimNews,
};

/** What every cluster is watched for. */
export const kinds = [nodeKind, egressIPKind, cloudClaimKind] as const;

/** Kinds with nothing but their facts: no part of this room looks into their objects. */
export const plainKinds = [...resourceKinds, ...routingKinds] as const;
