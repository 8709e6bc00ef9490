/** What was seen. Each fact carries the whole of its subject, so hearing it twice is harmless. */
import type { AwsFact } from './aws-fact.ts';
import type { BgpFact } from './bgp-fact.ts';
import type { Drained } from './drained.ts';
import type { Labels } from './labels.ts';

export type { Labels } from './labels.ts';

/** A Node as far as Sluice needs it (`spec/egressip.md` 1). */
export interface Node {
  readonly name: string;
  readonly uid: string;
  readonly labels: Labels;
  /** The first condition of type Ready has status True. */
  readonly ready: boolean;
  /** Only the annotations named in `core/annotation.ts`, verbatim; an absent key is absent here. */
  readonly annotations: Labels;
  /** `spec.providerID`, verbatim, or ''. */
  readonly providerID: string;
  /** Every address of type InternalIP in the order of the status, verbatim. */
  readonly internalIPs: readonly string[];
  /** Why its addresses are to leave it, or ''; absent = nobody looked (`core/drained.ts`). */
  readonly drained?: Drained;
}

/** One entry of `status.items`, verbatim. */
export interface Item {
  readonly egressIP: string;
  readonly node: string;
}

export interface Requirement {
  readonly key: string;
  /** In, NotIn, Exists or DoesNotExist; the CRD's schema admits any text. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** A Kubernetes LabelSelector as it stands in an object; it may be invalid. */
export interface LabelSelector {
  readonly matchLabels: Labels;
  readonly matchExpressions: readonly Requirement[];
}

/** An EgressIP as far as Sluice needs it (`spec/egressip.md` 2.1). */
export interface EgressIP {
  readonly name: string;
  readonly uid: string;
  /** `metadata.creationTimestamp` in milliseconds since 1970; the older of two claims wins. */
  readonly createdMs: number;
  /** `spec.egressIPs`, verbatim: any text may stand here. */
  readonly addresses: readonly string[];
  /** Absent means the default selector. */
  readonly nodeSelector?: LabelSelector | undefined;
  readonly items: readonly Item[];
  /** Only the annotations named in `core/annotation.ts`. */
  readonly annotations: Labels;
}

/** A CloudPrivateIPConfig as far as Sluice needs it (`spec/egressip.md` 2.2). */
export interface CloudClaim {
  /** The object's name: an IPv4 address, or eight groups of four hex digits joined by dots. */
  readonly name: string;
  readonly uid: string;
  /** `k8s.ovn.org/egressip-owner-ref`: the EgressIP that it was made for; '' = not ours. */
  readonly owner: string;
  /** `spec.node`: where it is wanted. */
  readonly node: string;
  /** `status.node`: where the cloud has it, or ''. */
  readonly statusNode: string;
  /** The condition Assigned: True = done, False = failed, Unknown = under way, '' = not there. */
  readonly assigned: string;
  /** The message of that condition. */
  readonly message: string;
  /** `lastTransitionTime` of that condition in milliseconds since 1970; 0 = not there. */
  readonly sinceMs: number;
  /** It has a deletion timestamp: the cloud is releasing the address. */
  readonly deleting: boolean;
}

/** How the watcher probes: `off` means that every node counts as reachable. */
export type Probing = 'off' | 'tcp' | 'grpc';

export type Fact =
  | BgpFact
  | AwsFact
  | { readonly kind: 'NodeSeen'; readonly node: Node }
  | { readonly kind: 'NodeGone'; readonly name: string; readonly uid: string }
  | { readonly kind: 'EgressIPSeen'; readonly egressIP: EgressIP }
  | { readonly kind: 'EgressIPGone'; readonly name: string; readonly uid: string }
  | { readonly kind: 'CloudClaimSeen'; readonly claim: CloudClaim }
  | { readonly kind: 'CloudClaimGone'; readonly name: string; readonly uid: string }
  /** `Infrastructure/cluster` says where the cluster runs, or a setting does: `AWS`, `None`, … */
  | {
      readonly kind: 'PlatformSeen';
      readonly platform: string;
      /** `status.infrastructureName` of `Infrastructure/cluster`, or ''. */
      readonly infrastructureName: string;
    }
  /** Most probes fail together while the nodes are Ready: the prober doubts itself and holds. */
  | { readonly kind: 'ProberSeen'; readonly isolated: boolean; readonly because: string }
  /** A probed node answers, or does not. A node without this fact was not probed yet. */
  | {
      readonly kind: 'ReachabilitySeen';
      readonly name: string;
      readonly uid: string;
      readonly reachable: boolean;
      readonly because: string;
    }
  /**
   * No EgressIP wants the node, or it is not Ready: it is not probed, and what was known is void.
   */
  | { readonly kind: 'ReachabilityForgotten'; readonly name: string }
  /** The first complete picture of these kinds is on the log; before it nobody decides. */
  | { readonly kind: 'Synced'; readonly kinds: readonly string[]; readonly probing: Probing };
