/** What the log needs of a NATS connection: one file knows the package, the others know this. */

export type Headers = Readonly<Record<string, string>>;

/** Something that arrived: a message of a stream, an answer, or a word from the server itself. */
export interface Delivery {
  readonly subject: string;
  /** Where an answer would go; on a message of a consumer, where it stands (`placeOf`). */
  readonly reply: string;
  readonly data: Uint8Array;
  /** 0 for a message, else the server's: 100 heartbeat, 408 pull expired, 503 nobody there. */
  readonly status: number;
  /** '' when there is none. Names are case-sensitive, as they are in NATS. */
  header(name: string): string;
}

/** No answer came: it is not known whether the request was served. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

export interface Subscription {
  readonly inbox: string;
  close(): void;
}

export interface Wire {
  connected(): boolean;
  /** Resolves once there is a connection; rejects when `signal` aborts or the wire was closed. */
  ready(signal: AbortSignal): Promise<void>;
  /** Rejects with Unanswered after 2 s, or when nobody listens, or when the connection breaks. */
  request(subject: string, data: Uint8Array, headers?: Headers): Promise<Delivery>;
  /** Without any promise: what is published while the connection is gone is lost. */
  publish(subject: string, data: Uint8Array, headers: Headers, reply?: string): void;
  /** Listens on an inbox of its own. */
  subscribe(listener: (delivery: Delivery) => void): Subscription;
  /** Calls the listener whenever the connection breaks or comes back; returns how to stop that. */
  onChange(listener: (connected: boolean) => void): () => void;
  /** An identifier that no other process will ever make. */
  unique(): string;
}
