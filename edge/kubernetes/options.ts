/** Where the Kubernetes API is, who asks, and the patience with which it is asked. */

/**
 * The value of the `authorization` header; `fresh` asks for one that is not taken from memory,
 * since the server has just refused the last one. Undefined means that a certificate speaks.
 */
export type Authorization = (fresh: boolean) => Promise<string | undefined>;

export interface Patience {
  /** A request, or a page of a list, that has no answer by then counts as unanswered. */
  readonly deadlineMs: number;
  /** A watch on which not even a bookmark arrives for so long is dead. They come each minute. */
  readonly silenceMs: number;
  /** The pause after the first failure; it doubles with each further one, up to the cap. */
  readonly backoffMs: number;
  readonly backoffCapMs: number;
  /** A watch that lasted for less is a failure, however politely it ended. */
  readonly steadyMs: number;
  /** How often a kind that is not served is looked for. */
  readonly absentMs: number;
  /** Objects per page of a list. */
  readonly pageSize: number;
  /** With more sightings waiting for a busy reader, only the latest of each object is kept. */
  readonly maxWaiting: number;
}

export interface ClusterOptions extends Partial<Patience> {
  /** `https://10.0.0.1:443`, with a path where the API lives under one. */
  readonly server: string;
  readonly authorization?: Authorization | undefined;
  /** PEM. Without it the certificate authorities of the system are trusted. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name that the server's certificate must carry, where it is not the one in `server`. */
  readonly serverName?: string | undefined;
  /** Believes any certificate: for development, and only when a kubeconfig says so. */
  readonly insecure?: boolean | undefined;
  /** Asked when a request that changes something is about to be sent; default: always. */
  readonly mayWrite?: (() => boolean) | undefined;
  /** A sentence for people about something that went wrong and is being retried. */
  readonly onTrouble?: ((sentence: string) => void) | undefined;
}

const usual: Patience = {
  deadlineMs: 30_000,
  silenceMs: 90_000,
  backoffMs: 500,
  backoffCapMs: 30_000,
  steadyMs: 1_000,
  absentMs: 5_000,
  pageSize: 500,
  maxWaiting: 1_000,
};

/** The usual patience, where nothing else is asked for. */
export function patienceOf(options: Partial<Patience>): Patience {
  return { ...usual, ...options };
}
