/** The objects that Sluice makes, or changes, for BGP routing, as they are seen. */
import type { Labels } from './labels.ts';

/** One of `status.conditions`, as it stands there. */
export interface SeenCondition {
  readonly type: string;
  /** True, False or Unknown. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** 0 = not there. */
  readonly observedGeneration: number;
  /** `lastTransitionTime` in milliseconds since 1970; 0 = not there. */
  readonly sinceMs: number;
}

/** The kinds of objects that Sluice makes, or changes, for BGP routing. */
export type ManagedKind =
  | 'FRRConfiguration'
  | 'ClusterUserDefinedNetwork'
  | 'RouteAdvertisements'
  | 'Network';

/** An object of such a kind, whoever made it. FRRConfigurations are those of frr-k8s' namespace. */
export interface ManagedObject {
  readonly object: ManagedKind;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly labels: Labels;
  /** Only those named in `core/annotation.ts`. */
  readonly annotations: Labels;
  readonly finalizers: readonly string[];
  readonly deleting: boolean;
  /**
   * The spec as canonical JSON (`core/canonical.ts`). Of a Network only the two fields that Sluice
   * sets; '' for the copies that OVN-Kubernetes makes of FRRConfigurations.
   */
  readonly spec: string;
  readonly conditions: readonly SeenCondition[];
}
