/**
 * What aws-sync needs of a cloud: discover, list and apply, behind one interface. What is to be
 * done is planned in the room, without any I/O (`docs/providers.md`).
 */

/** Why a call failed: a closed list, so that rooms decide by it and never by texts. */
export type Trouble =
  /** The credentials are refused, expired, or not trusted: they may become good by themselves. */
  | 'identity'
  /** There are no credentials at all: only a restart of the process can bring some. */
  | 'environment'
  /** The identity is known, but may not do this: `action` names what is missing. */
  | 'permission'
  | 'throttled'
  /** No answer: refused, cut, timed out. What a change did is unknown. */
  | 'network'
  /** The cloud itself fails (5xx). What a change did is unknown. */
  | 'server'
  /** The region does not exist, or does not offer the service. */
  | 'configuration'
  | 'gone'
  /** The thing is in a state that does not allow it: later. */
  | 'state'
  /** There is such a peer already. */
  | 'exists'
  | 'quota'
  /** It belongs to somebody else, a fresh look shows: it was not touched. */
  | 'foreign'
  /** It will not do it, whatever we try. */
  | 'refused';

export interface Failure {
  readonly trouble: Trouble;
  /** `ec2:CreateRouteServerPeer`: as the cloud's message names it, else the call's own name. */
  readonly action: string;
  readonly code: string;
  /** Without account ids, request ids and encoded messages. */
  readonly message: string;
}

/** One call that was made, for the numbers. */
export interface Call {
  readonly action: string;
  /** '' = success. */
  readonly code: string;
}

/** What came of an operation, and what it cost. */
export type Answer<T> = {
  readonly calls: readonly Call[];
  /** How long it waited for its turn, so that the cloud need not refuse it. */
  readonly heldUpMs: number;
} & ({ readonly value: T } | { readonly failure: Failure });

export interface CloudServer {
  readonly id: string;
  readonly state: string;
  readonly asn: number;
  readonly persistRoutes: boolean;
}

export interface CloudEndpoint {
  readonly id: string;
  readonly server: string;
  readonly state: string;
  readonly subnet: string;
  readonly address: string;
  readonly because: string;
}

export interface CloudSubnet {
  readonly id: string;
  readonly zone: string;
  readonly cidr: string;
}

export interface CloudPeer {
  readonly id: string;
  readonly server: string;
  readonly endpoint: string;
  readonly address: string;
  readonly asn: number;
  readonly liveness: string;
  readonly state: string;
  readonly bgp: string;
  readonly bfd: string;
  /** Whose it is by its tags; '' = nobody's. */
  readonly owner: string;
  readonly because: string;
}

export interface CloudInstance {
  readonly id: string;
  readonly state: string;
  readonly zone: string;
  /** Of the primary interface: device 0 of card 0; '' = there is none (yet). */
  readonly interface: string;
  readonly subnet: string;
  readonly address: string;
  /** on, off, or '' = the answer did not say. */
  readonly sourceDestCheck: string;
}

/** A region, complete: what is not in it does not exist. */
export interface Picture {
  readonly servers: readonly CloudServer[];
  readonly endpoints: readonly CloudEndpoint[];
  readonly subnets: readonly CloudSubnet[];
  readonly peers: readonly CloudPeer[];
  /** Of the instances that were asked for, those that are known there. */
  readonly instances: readonly CloudInstance[];
  /** Why no instance could be read: a missing permission does not hold up the rest. */
  readonly blind: Failure | undefined;
}

/** A single change. Nothing is chosen here any more. */
export type CloudChange =
  | {
      readonly kind: 'create';
      readonly endpoint: string;
      readonly address: string;
      readonly asn: number;
      readonly liveness: string;
      readonly owner: string;
    }
  /** Only after a fresh look at the peer: it must be the owner's, or `made` and nobody's. */
  | { readonly kind: 'delete'; readonly id: string; readonly owner: string; readonly made: boolean }
  /** Only after a fresh look at the peer: it must be nobody's. */
  | { readonly kind: 'tag'; readonly id: string; readonly owner: string }
  | { readonly kind: 'check'; readonly interface: string; readonly sourceDestCheck: string };

export interface CloudProvider {
  /** Whether the credentials are good; it needs no permission. */
  identify(region: string, signal: AbortSignal): Promise<Answer<null>>;
  /** The whole region, and the instances with these ids. Never throws. */
  discover(
    region: string,
    instances: readonly string[],
    signal: AbortSignal,
  ): Promise<Answer<Picture>>;
  /** All peers of the region. Never throws. */
  list(region: string, signal: AbortSignal): Promise<Answer<readonly CloudPeer[]>>;
  /** One attempt; never throws. The peer as it is afterwards, where the cloud told it. */
  apply(
    region: string,
    change: CloudChange,
    signal: AbortSignal,
  ): Promise<Answer<CloudPeer | null>>;
}
