/** What the watcher senses, and what it does. */
import type { ProbeRequest, Sighting } from '../../core/door.ts';
import type { Probing } from '../../core/fact.ts';
import type { Selector } from '../../core/selector.ts';

export interface Settings {
  readonly probing: Probing;
  /** The health port of the nodes: 9107 (gRPC) or 9 (TCP). */
  readonly port: number;
  /** How long one probe may take, for all management addresses together. */
  readonly deadlineMs: number;
  readonly intervalMs: number;
  /** Nodes that are never probed (`--no-hostsubnet-nodes`). */
  readonly excluded: Selector | undefined;
  /** Probes in a row that must fail, or succeed, before a node counts as the other. */
  readonly failures: number;
  readonly recoveries: number;
}

export type Input =
  | Sighting
  /** One probe interval is over. */
  | { readonly kind: 'Tick' }
  | {
      readonly kind: 'Probed';
      readonly node: string;
      readonly uid: string;
      readonly reachable: boolean;
      readonly because: string;
    };

export type Act =
  | { readonly kind: 'Probe'; readonly uid: string; readonly request: ProbeRequest }
  | { readonly kind: 'Forget'; readonly node: string };

export const NODES = '/api/v1/nodes';
export const EGRESSIPS = '/apis/k8s.ovn.org/v1/egressips';
