/**
 * What the rooms' shells need of the world; `edge/` opens these doors, tests and rehearsals play
 * them.
 */
import type { Heard, Saying, Speaker } from './event.ts';

/** Some events of one stream, in order. `pending` = how many more were there when it was read. */
export interface HeardBatch {
  readonly stream: Speaker;
  readonly events: readonly Heard[];
  readonly pending: number;
}

/** The stream's last sequence is not the expected one, or the stream was replaced: replay. */
export class StaleWriter extends Error {
  override readonly name = 'StaleWriter';
}

/** The event log: one stream per speaker. */
export interface Log {
  /**
   * The last event of each subject of each stream, in order of sequence, then live ones for ever.
   * An empty stream yields one batch without events and pending 0. Ends when `signal` aborts;
   * throws when a stream was deleted or replaced under the reader.
   */
  hear(streams: readonly Speaker[], signal: AbortSignal): AsyncIterable<HeardBatch>;
  /**
   * Appends all or nothing (cut into batches of 1,000 where there are more, in order), guarded by
   * the stream's last sequence. Returns the sequence of each saying. Waits out an unreachable
   * server. Throws StaleWriter when somebody else spoke on the stream.
   */
  speak(
    speaker: Speaker,
    says: readonly Saying[],
    last: number,
    signal: AbortSignal,
  ): Promise<readonly number[]>;
}

export interface Clock {
  nowMs(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Lets other work of the event loop run. */
  breathe(): Promise<void>;
}

/** The path of a collection: `/api/v1/nodes`, `/apis/k8s.ovn.org/v1/egressips`. */
export type Collection = string;

/** A Kubernetes object as JSON; what is inside is for the projection to find out. */
export interface KubeObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
  readonly [field: string]: unknown;
}

/** What a reflector saw. Everything is a level: a lost intermediate one is harmless. */
export type Sighting =
  /** The complete collection; whatever is not in it does not exist. */
  | {
      readonly kind: 'Listed';
      readonly collection: Collection;
      readonly objects: readonly KubeObject[];
    }
  | { readonly kind: 'Put'; readonly collection: Collection; readonly object: KubeObject }
  | {
      readonly kind: 'Gone';
      readonly collection: Collection;
      readonly name: string;
      readonly uid: string;
    }
  /** The server does not serve this kind (yet); it is looked for again now and then. */
  | { readonly kind: 'NotServed'; readonly collection: Collection };

export interface KubeRequest {
  /** GET looks at one object before a write that depends on it; its body is undefined. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly contentType: string;
  readonly body: unknown;
}

/** `status` 0 = no answer at all (refused, cut, timed out). `retryAfterMs` as the server asked. */
export interface KubeAnswer {
  readonly status: number;
  readonly body: unknown;
  /** What a person should read when it was not a success. */
  readonly message: string;
  readonly retryAfterMs: number;
}

/** The Kubernetes API. */
export interface Cluster {
  /** Lists, then watches for ever: reconnects with backoff, relists when it must. */
  watch(collection: Collection, signal: AbortSignal): AsyncIterable<readonly Sighting[]>;
  /** One attempt; never throws. */
  request(request: KubeRequest, signal: AbortSignal): Promise<KubeAnswer>;
  /** Whether the collection's objects have a status subresource; waits until the kind is served. */
  hasStatusSubresource(collection: Collection, signal: AbortSignal): Promise<boolean>;
}

export interface ProbeRequest {
  readonly node: string;
  /** Management addresses, canonical, all tried in parallel within the deadline. */
  readonly addresses: readonly string[];
  readonly mode: 'tcp' | 'grpc';
  readonly port: number;
  readonly deadlineMs: number;
}

export interface ProbeAnswer {
  readonly reachable: boolean;
  /** `port 9107 answered SERVING`, `10.128.0.2:9107 silent for 1000 ms`: half a sentence. */
  readonly because: string;
  /** Reachable for now: a failure was tolerated, or since one only a connection has been seen. */
  readonly doubtful?: boolean;
}

/** The health port of nodes (`spec/egressip.md` 6). */
export interface Prober {
  /** One attempt; never throws. May keep the connection for the next attempt. */
  probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeAnswer>;
  /** Drops the connections to a node that is not probed any more. */
  forget(node: string): void;
}
