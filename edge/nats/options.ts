/** How the log is reached, and how patiently. */
import type { TraceHook } from '../trace/tracing.ts';

export interface LogOptions {
  /** `nats://host:4222`, one or several of the same cluster. */
  readonly servers: readonly string[];
  /** Shown in the server's list of connections, and the beginning of the inboxes' names. */
  readonly name: string;
  /** First word of every subject; `sluice` by default. */
  readonly prefix?: string;
  /** Copies of a stream that has to be made; 1 by default. */
  readonly replicas?: 1 | 3;
  /** Whether missing streams are made, or waited for (who may make them is the server's affair). */
  readonly makes?: boolean;
  /** Gives messages the header `traceparent`, and takes note of it. */
  readonly trace?: TraceHook | undefined;
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  /** Path of a `.creds` file. */
  readonly credentials?: string;
  /** Paths of PEM files. */
  readonly tls?: Tls;
}

export interface Tls {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

/**
 * What the client would do otherwise: give up after ten attempts, notice a dead server after four
 * minutes, and hang for 20 s on a connection that was begun in a network that lost packets.
 */
export const patience = {
  maxReconnectAttempts: -1,
  waitOnFirstConnect: true,
  reconnectTimeWait: 500,
  reconnectJitter: 200,
  timeout: 3_000,
  pingInterval: 10_000,
  maxPingOut: 2,
} as const;

/** Of its own, so that the server's permissions can keep others from reading the answers. */
export function inboxPrefixOf({ name }: LogOptions): string {
  return `_INBOX_${name.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`;
}

/** Atomic batches came with nats-server 2.12 (ADR-50 of NATS). */
export function knowsBatches(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 2 || (major === 2 && minor >= 12);
}
