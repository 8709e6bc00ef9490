/** What the publisher senses, and what it does. */
import type { KubeRequest } from '../../core/door.ts';
import type { Notice } from '../../core/decision.ts';
import type { Item } from '../../core/fact.ts';

export type ObjectKind = 'egressip' | 'node';

/** Requests on one object, in order; the first that fails ends the act. */
export interface Act {
  readonly kind: 'Write' | 'Tell';
  readonly object: ObjectKind;
  readonly name: string;
  readonly uid: string;
  readonly requests: readonly KubeRequest[];
  /** How many attempts failed before this one: the door waits accordingly before it reports. */
  readonly failed: number;
}

export type Result =
  /** The server accepted all. */
  | 'done'
  /** The object is gone, or another one has its name: nothing is left to do (NotFound is success). */
  | 'gone'
  /** The server will not have it whatever we try. */
  | 'refused'
  /** It may work later; the door has already waited. */
  | 'failed';

export type Input =
  /** Whether EgressIPs have a status subresource; nothing is written before that is known. */
  | { readonly kind: 'Shape'; readonly statusSubresource: boolean }
  | {
      readonly kind: 'Done';
      readonly act: Act;
      readonly result: Result;
      readonly atMs: number;
      readonly message: string;
    };

/** What a write in flight will leave on the object. */
export interface Write {
  readonly items: readonly Item[];
  readonly mark: number;
  readonly wrote: string;
  /** The sequence of the decision that is carried out. */
  readonly decision: number;
}

/** Notices of one decision on their way to Kubernetes. */
export interface Telling {
  readonly decision: number;
  readonly notices: readonly Notice[];
}

export const EGRESSIPS = '/apis/k8s.ovn.org/v1/egressips';
