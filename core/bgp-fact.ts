/** What was seen of BGP routing: both custom resources, what Sluice makes of them, and sessions. */
import type { Labels } from './labels.ts';
import type { ManagedKind, ManagedObject, SeenCondition } from './managed.ts';

/** The status of a CUDNBgpConfig or CUDNBgpRouting, as it stands there. */
export interface SeenStatus {
  /** Pending, Configuring, Ready, Degraded, or ''. */
  readonly phase: string;
  readonly observedGeneration: number;
  readonly conditions: readonly SeenCondition[];
  /** `status.aws` as canonical JSON (`core/canonical.ts`); '' = not there. */
  readonly aws: string;
}

/** A BGP neighbour of some nodes. */
export interface Neighbor {
  readonly address: string;
  readonly remoteASN: number;
}

/** One of `spec.bgp.availabilityZones`. */
export interface Zone {
  readonly nodeSelector: Labels;
  readonly neighbors: readonly Neighbor[];
}

/** `spec.aws`. */
export interface AwsScope {
  readonly region: string;
  readonly routeServerIDs: readonly string[];
  /** IfMatches, IfUntagged or Never. */
  readonly adoptionPolicy: string;
  /** RouterNodes or AllNodes. */
  readonly sourceDestCheckScope: string;
  readonly restoreSourceDestCheck: boolean;
}

/** A CUDNBgpConfig as far as Sluice needs it (`spec/bgp-operator.md` 2.1). */
export interface BgpConfig {
  readonly name: string;
  readonly uid: string;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
  readonly generation: number;
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
  /** Only those named in `core/annotation.ts`. */
  readonly annotations: Labels;
  readonly localASN: number;
  /** bfd or bgp-keepalive. */
  readonly livenessDetection: string;
  /** `spec.bgp.connectTime` such as `10s`; '' = not set. */
  readonly connectTime: string;
  readonly zones: readonly Zone[];
  readonly routerNodeSelector: Labels;
  readonly aws?: AwsScope | undefined;
  readonly status: SeenStatus;
}

/** A CUDNBgpRouting as far as Sluice needs it (`spec/bgp-operator.md` 2.2). */
export interface BgpRouting {
  readonly name: string;
  readonly uid: string;
  /** Milliseconds since 1970; the older of two claims on a network wins. */
  readonly createdMs: number;
  readonly generation: number;
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
  /** `spec.network.name`. */
  readonly network: string;
  /** `spec.network.subnets`, verbatim. */
  readonly subnets: readonly string[];
  readonly status: SeenStatus;
}

/** A pod of the frr-k8s daemon: one per node. */
export interface FrrPod {
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  /** Its condition Ready is True, and it is not being deleted. */
  readonly ready: boolean;
}

/** A namespace with the label `cluster-udn`. */
export interface UdnNamespace {
  readonly name: string;
  readonly uid: string;
  /** The value of that label: a `spec.network.name`. */
  readonly network: string;
  /** It has the label `k8s.ovn.org/primary-user-defined-network`. */
  readonly primary: boolean;
  readonly deleting: boolean;
}

/** A BGPSessionState: what frr-k8s says of one session. There may be two of one for a moment. */
export interface Session {
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  /** The neighbour's address in canonical text. */
  readonly peer: string;
  /** '' = the default one. */
  readonly vrf: string;
  /** Established, Idle, Active, …; '' = born a moment ago. */
  readonly bgpStatus: string;
  /** Up, Down, N/A, …, or ''. */
  readonly bfdStatus: string;
}

export type BgpFact =
  | { readonly kind: 'BgpConfigSeen'; readonly config: BgpConfig }
  | { readonly kind: 'BgpConfigGone'; readonly name: string; readonly uid: string }
  | { readonly kind: 'BgpRoutingSeen'; readonly routing: BgpRouting }
  | { readonly kind: 'BgpRoutingGone'; readonly name: string; readonly uid: string }
  | { readonly kind: 'ObjectSeen'; readonly seen: ManagedObject }
  | {
      readonly kind: 'ObjectGone';
      readonly object: ManagedKind;
      readonly name: string;
      readonly uid: string;
    }
  | { readonly kind: 'FrrPodSeen'; readonly pod: FrrPod }
  | { readonly kind: 'FrrPodGone'; readonly name: string; readonly uid: string }
  | { readonly kind: 'NamespaceSeen'; readonly namespace: UdnNamespace }
  | { readonly kind: 'NamespaceGone'; readonly name: string; readonly uid: string }
  | { readonly kind: 'SessionSeen'; readonly session: Session }
  | { readonly kind: 'SessionGone'; readonly name: string; readonly uid: string }
  /**
   * A collection was listed, and all of it is on the log before this; or the server does not serve
   * it (yet). `plural` as in `kinds.ts`: `frrconfigurations`, `bgpsessionstates`, `frrpods`, ….
   */
  | { readonly kind: 'KindSeen'; readonly plural: string; readonly served: boolean };
