/** What the watcher senses, and what it does. */
import type { ProbeAnswer, ProbeRequest, Sighting } from '../../core/door.ts';
import type { Probing } from '../../core/fact.ts';
import type { Selector } from '../../core/selector.ts';

/** What can be changed while the watcher runs. */
export interface Tuning {
  /** How long one probe may take, for all management addresses together. */
  readonly deadlineMs: number;
  readonly intervalMs: number;
  /** Probes in a row that must fail, or succeed, before a node counts as the other. */
  readonly failures: number;
  readonly recoveries: number;
  /** When more of the nodes than this fail together, the prober is at fault; in percent. */
  readonly isolationShare?: number | undefined;
}

export interface Settings extends Tuning {
  readonly probing: Probing;
  /** The health port of the nodes: 9107 (gRPC) or 9 (TCP). */
  readonly port: number;
  /** Nodes that are never probed (`--no-hostsubnet-nodes`). */
  readonly excluded: Selector | undefined;
  /** How many parts an interval has, so that not all nodes are probed at once; absent = 1. */
  readonly slots?: number | undefined;
  /** Besides the annotation: `cordon` and keys of taints, each of which drains a node. */
  readonly drainOn?: readonly string[] | undefined;
  /** The platform type, where it is set and not looked for in the cluster. */
  readonly platform?: string | undefined;
}

export type Input =
  | Sighting
  /** One slot of the probe interval is over. */
  | { readonly kind: 'Tick' }
  | { readonly kind: 'Tuned'; readonly tuning: Tuning }
  | ({
      readonly kind: 'Probed';
      readonly node: string;
      /** Of the act that this is the answer to. */
      readonly ask: number;
    } & ProbeAnswer);

export type Act =
  | { readonly kind: 'Probe'; readonly ask: number; readonly request: ProbeRequest }
  | { readonly kind: 'Forget'; readonly node: string };

export const NODES = '/api/v1/nodes';
export const EGRESSIPS = '/apis/k8s.ovn.org/v1/egressips';
export const CLOUD_CLAIMS = '/apis/cloud.network.openshift.io/v1/cloudprivateipconfigs';
export const INFRASTRUCTURES = '/apis/config.openshift.io/v1/infrastructures';
