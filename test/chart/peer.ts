/** A plain NATS client that finds out what its login may do, without doing anything else. */
import { connect, type ConnectionOptions, ErrorCode, NatsError } from 'nats';

export interface Peer {
  /** Whether the server lets this login publish there; what is allowed is an empty word. */
  mayPublish(subject: string): Promise<boolean>;
  maySubscribe(subject: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface Login {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** The path of a PEM file. */
  readonly ca: string;
}

/** Rejects when the login is refused. */
export async function openPeer({ url, user, password, ca }: Login): Promise<Peer> {
  const inboxPrefix = `_INBOX_sluice-${user === 'sre' ? 'cli' : user}`;
  const login: ConnectionOptions = { servers: url, user, pass: password, inboxPrefix };
  const others = { reconnect: false, noAsyncTraces: true, tls: { caFile: ca } };
  const connection = await connect({ ...login, ...others });
  return {
    /** As a request: it is answered by whoever serves it, by nobody, or by the denial. */
    async mayPublish(subject) {
      try {
        await connection.request(subject, undefined, { timeout: 20_000 });
        return true;
      } catch (error) {
        if (!(error instanceof NatsError)) throw error;
        if (error.code === ErrorCode.NoResponders) return true;
        if (error.code === ErrorCode.PermissionsViolation) return false;
        throw error;
      }
    },
    async maySubscribe(subject) {
      let denied = false;
      const callback = (error: Error | null): void => void (denied ||= error !== null);
      const subscription = connection.subscribe(subject, { callback });
      // The complaint comes before the answer to the ping.
      await connection.flush();
      subscription.unsubscribe();
      return !denied;
    },
    close: () => connection.close(),
  };
}
