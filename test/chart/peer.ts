/** A plain NATS client that finds out what its login may do, without doing anything else. */
import { connect, type ConnectionOptions, Events, type NatsConnection } from 'nats';

export interface Peer {
  /**
   * Whether the server lets this login publish there. What is allowed is published: an empty word.
   */
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
  const options: ConnectionOptions = { servers: url, user, pass: password, reconnect: false };
  const connection = await connect({ ...options, noAsyncTraces: true, tls: { caFile: ca } });
  const denials: string[] = [];
  void follow(connection, denials);
  /** The server complains before it answers the ping that comes after. */
  const denied = async (): Promise<boolean> => {
    await connection.flush();
    // The client's own iterator brings the complaint to us.
    await new Promise((resolve) => setImmediate(resolve));
    return denials.splice(0).length > 0;
  };
  return {
    async mayPublish(subject) {
      connection.publish(subject);
      return !(await denied());
    },
    async maySubscribe(subject) {
      const subscription = connection.subscribe(subject, { callback: () => {} });
      const may = !(await denied());
      subscription.unsubscribe();
      return may;
    },
    close: () => connection.close(),
  };
}

async function follow(connection: NatsConnection, denials: string[]): Promise<void> {
  for await (const { type } of connection.status()) if (type === Events.Error) denials.push(type);
}
