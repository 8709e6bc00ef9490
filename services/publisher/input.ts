/** What the publisher senses, and what it does. */
import type { Resource } from '../../core/bgp-decision.ts';
import type { Failing } from '../../core/bgp-outcome.ts';
import type { KubeObject, KubeRequest } from '../../core/door.ts';
import type { Item } from '../../core/fact.ts';
import type { ManagedKind } from '../../core/managed.ts';
import type { Written } from './world.ts';

export type ObjectKind = 'egressip' | 'node' | Resource;

/**
 * What must be true at the moment of a write that depends on another object: facts may be late, and
 * an address in a status must never outrun the cloud (`spec/egressip.md` 11.8).
 */
export type Look =
  /** The EgressIP's status does not have the address, or there is no such EgressIP. */
  | { readonly kind: 'Absent'; readonly name: string; readonly address: string }
  /** The address' CloudPrivateIPConfig is the owner's, and the cloud has it on the node. */
  | {
      readonly kind: 'Confirmed';
      readonly name: string;
      readonly owner: string;
      readonly node: string;
    };

/** Requests on one object, in order; the first that fails ends the act. */
interface OnObject {
  readonly name: string;
  readonly requests: readonly KubeRequest[];
  /** How many attempts failed before this one: the door waits accordingly before it reports. */
  readonly failed: number;
}

export interface WriteAct extends OnObject {
  readonly kind: 'Write';
  readonly uid: string;
  readonly looks: readonly Look[];
  /**
   * What the server's answer to the last request must show as the status; undefined = not asked.
   */
  readonly items: readonly Item[] | undefined;
  readonly statusSubresource: boolean;
  /**
   * It undoes what somebody did: who it was is read just before, since the write takes the traces
   * away.
   */
  readonly asks: boolean;
}

export interface TellAct extends OnObject {
  readonly kind: 'Tell';
  readonly object: ObjectKind;
  readonly uid: string;
}

export interface ClaimAct extends OnObject {
  readonly kind: 'Claim';
  /** Canonical; `name` is the object's. */
  readonly address: string;
  readonly looks: readonly Look[];
}

/** A write for BGP routing: the door reports at once, and the room waits where it must. */
export interface RoutingAct extends OnObject {
  readonly kind: 'Routing';
  readonly object: ManagedKind | Resource;
  readonly uid: string;
  /** Reads the object first, to learn who did what is undone now. */
  readonly asks: KubeRequest | undefined;
}

/** Reads what was written, and no fact has shown since. */
export interface LookAct {
  readonly kind: 'Look';
  readonly of: Written;
  readonly request: KubeRequest;
  /** When it was due. */
  readonly lookMs: number;
}

export type Act =
  | WriteAct
  | TellAct
  | ClaimAct
  | RoutingAct
  | LookAct
  /** Says after a while what time it is: rooms have no clock. */
  | { readonly kind: 'Wait'; readonly ms: number; readonly until: Until };

/** `again`: something of BGP routing is to be looked at. */
export type Until = 'time' | 'quiet' | 'again';

export type Result =
  /** The server accepted all. */
  | 'done'
  /**
   * The object is gone, or another one has its name: nothing is left to do (NotFound is success).
   */
  | 'gone'
  /** The server will not have it whatever we try. */
  | 'refused'
  /**
   * A look showed that the write would be wrong now, or somebody was faster: the facts are late.
   */
  | 'stale'
  /** The status is not where it was written to: the CRD's shape was asked for again. */
  | 'shape'
  /** It may work later; the door has already waited. */
  | 'failed';

export interface Done {
  readonly kind: 'Done';
  readonly act: WriteAct | TellAct | ClaimAct | RoutingAct;
  readonly result: Result;
  readonly atMs: number;
  /** How long the requests took. */
  readonly tookMs: number;
  readonly message: string;
  /** `metadata.resourceVersion` of the object after the last request, or ''. */
  readonly version: string;
  /** What the server says of the CRD now, where it was asked. */
  readonly statusSubresource?: boolean;
  /** The field manager whose work was undone, where it was asked and is known. */
  readonly stranger?: string;
  /** BGP routing: why it failed, what the server has now, and when to try again. */
  readonly failing?: Failing;
  readonly stored?: KubeObject;
  readonly againMs?: number;
}

export interface Looked {
  readonly kind: 'Looked';
  readonly act: LookAct;
  /** 404 = it is not there; 0 = no answer. */
  readonly status: number;
  readonly stored?: KubeObject;
  readonly atMs: number;
}

export type Input =
  /** Whether EgressIPs have a status subresource; nothing is written before that is known. */
  | { readonly kind: 'Shape'; readonly statusSubresource: boolean; readonly atMs: number }
  | Done
  | Looked
  | { readonly kind: 'Woke'; readonly atMs: number; readonly until: Until };

export const EGRESSIPS = '/apis/k8s.ovn.org/v1/egressips';
export const CLAIMS = '/apis/cloud.network.openshift.io/v1/cloudprivateipconfigs';
