/** The event log on NATS JetStream (package `nats`; server 2.12 or newer, for atomic batches). */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions, Msg, MsgHdrs, NatsConnection } from 'nats';
import {
  connect,
  createInbox,
  credsAuthenticator,
  ErrorCode,
  Events,
  headers,
  NatsError,
  nuid,
} from 'nats';
import { Line } from './nats/line.ts';
import type { NatsLog } from './nats/log.ts';
import { logOn } from './nats/log.ts';
import type { LogOptions } from './nats/options.ts';
import { inboxPrefixOf, knowsBatches, patience } from './nats/options.ts';
import type { Delivery, Headers, Subscription, Wire } from './nats/wire.ts';
import { Unanswered } from './nats/wire.ts';

const requestTimeoutMs = 2_000;

/** Whether the request was served is not known. Nobody listens while JetStream elects a leader. */
const doubtful: ReadonlySet<string> = new Set([
  ErrorCode.NoResponders,
  ErrorCode.Timeout,
  ErrorCode.Disconnect,
  ErrorCode.ConnectionClosed,
]);

/**
 * Connects, for as long as it takes, and opens the log. Rejects when the login is refused, and when
 * the server is too old: it would ignore the headers of a batch and store its parts one by one.
 */
export async function openLog(options: LogOptions): Promise<NatsLog> {
  const connection = await connect(connectionOptions(options));
  const version = connection.info?.version ?? '';
  if (!knowsBatches(version)) {
    await connection.close();
    throw new Error(`nats-server ${version} is too old: atomic batches need 2.12`);
  }
  const { prefix = 'sluice', replicas = 1, makes = true, trace } = options;
  const place = { prefix, replicas, makes, trace };
  return logOn(wireOver(connection, inboxPrefixOf(options)), place, () => connection.close());
}

function connectionOptions(options: LogOptions): ConnectionOptions {
  const { servers, name, user, password, token, credentials, tls } = options;
  return {
    ...patience,
    servers: [...servers],
    name,
    inboxPrefix: inboxPrefixOf(options),
    noAsyncTraces: true,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(token !== undefined && { token }),
    ...(credentials !== undefined && {
      authenticator: credsAuthenticator(readFileSync(credentials)),
    }),
    ...(tls !== undefined && { tls: { ...tls } }),
  };
}

function wireOver(connection: NatsConnection, inboxPrefix: string): Wire {
  const line = lineOf(connection);
  return {
    connected: () => line.connected(),
    ready: (signal) => line.ready(signal),
    onChange: (listener) => line.onChange(listener),
    unique: () => nuid.next(),
    request: (subject, data, given) => request(connection, line, subject, data, given),
    publish: (subject, data, given, reply) => {
      if (connection.isClosed()) return;
      const where = reply === undefined ? {} : { reply };
      connection.publish(subject, data, { ...headersOption(given), ...where });
    },
    subscribe: (listener) => subscribe(connection, createInbox(inboxPrefix), listener),
  };
}

/** Follows the connection; the client's iterator ends with it. */
function lineOf(connection: NatsConnection): Line {
  const line = new Line();
  const follow = async () => {
    for await (const { type } of connection.status()) {
      if (type === Events.Disconnect) line.change(false);
      if (type === Events.Reconnect) line.change(true);
    }
  };
  void follow();
  void connection.closed().then((error) => {
    line.end(error ?? new Error('the connection was closed'));
  });
  return line;
}

async function request(
  connection: NatsConnection,
  line: Line,
  subject: string,
  data: Uint8Array,
  given: Headers = {},
): Promise<Delivery> {
  const options = { timeout: requestTimeoutMs, ...headersOption(given) };
  const asked = connection.request(subject, data, options);
  // When the line breaks first, nobody awaits the client's own rejection.
  asked.catch(() => {});
  try {
    return deliveryOf(await line.orBroken(asked));
  } catch (error) {
    if (!(error instanceof NatsError) || !doubtful.has(error.code)) throw error;
    throw new Unanswered(`${subject}: ${error.message}`, { cause: error });
  }
}

function subscribe(
  connection: NatsConnection,
  inbox: string,
  listener: (delivery: Delivery) => void,
): Subscription {
  // An error is a permission that is missing: the request that made use of the inbox fails as well.
  const callback = (error: Error | null, message: Msg) => {
    if (error) return;
    // The server's own words come to the inbox by name; looking into all headers would cost much.
    const status = message.subject === inbox ? (message.headers?.code ?? 0) : 0;
    listener(deliveryOf(message, status));
  };
  const subscription = connection.subscribe(inbox, { callback });
  return { inbox, close: () => subscription.unsubscribe() };
}

function deliveryOf(message: Msg, status = 0): Delivery {
  return {
    subject: message.subject,
    reply: message.reply ?? '',
    data: message.data,
    status,
    header: (name) => message.headers?.get(name) ?? '',
  };
}

function headersOption(given: Headers): { headers?: MsgHdrs } {
  const entries = Object.entries(given);
  if (entries.length === 0) return {};
  const made = headers();
  for (const [name, value] of entries) made.append(name, value);
  return { headers: made };
}
