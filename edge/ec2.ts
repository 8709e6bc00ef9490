/** EC2's API (package `@aws-sdk/client-ec2`): one call at a time, answers as plain values. */
import type { EC2Client, EC2ClientConfig } from '@aws-sdk/client-ec2';
import { StaleWriter } from '../core/door.ts';

/** The calls that Sluice makes; the permissions in `docs/aws.md` are just these. */
export const actions = [
  'DescribeRouteServers',
  'DescribeRouteServerEndpoints',
  'DescribeRouteServerPeers',
  'DescribeSubnets',
  'DescribeInstances',
  'CreateRouteServerPeer',
  'DeleteRouteServerPeer',
  'CreateTags',
  'ModifyNetworkInterfaceAttribute',
] as const;
export type Action = (typeof actions)[number];

/** How the client reaches AWS; what is absent is as the SDK's usual environment says. */
export interface Connection {
  readonly region: string;
  /** How long a call may take, and how long a connection, in milliseconds. */
  readonly requestTimeout: number;
  readonly connectionTimeout: number;
  /** For tests: serves requests without a socket. */
  readonly requestHandler?: EC2ClientConfig['requestHandler'];
  readonly credentials?: EC2ClientConfig['credentials'];
  readonly endpoint?: string;
  /** Asked when a call that changes something is about to be sent; default: always. */
  readonly mayWrite?: (() => boolean) | undefined;
}

export interface Ec2 {
  /**
   * One attempt; rejects with the SDK's own error, or with StaleWriter when it would change
   * something and this process may not write any more (`edge/lease.ts`).
   */
  call(action: Action, input: object, signal: AbortSignal): Promise<unknown>;
  /** The same credentials for STS: a token is exchanged once, not twice. */
  readonly credentials: Connection['credentials'];
  close(): void;
}

/**
 * Opens a client. The package is large, hence it is loaded only by who needs it. One attempt per
 * call: the SDK would send a create again after a cut connection, and there is no client token that
 * would make one peer of it (facts 1.2).
 */
export async function openEc2(connection: Connection): Promise<Ec2> {
  const sdk = await import('@aws-sdk/client-ec2');
  const client = new sdk.EC2Client(configOf(connection));
  fence(client, connection.mayWrite ?? (() => true));
  return {
    call: (action, input, signal) => {
      const Command = sdk[`${action}Command`] as unknown as new (of: object) => never;
      return send(client, new Command(input), signal);
    },
    credentials: client.config.credentials,
    close: () => client.destroy(),
  };
}

/** Innermost, after credentials and signature were waited for: the request goes out next. */
function fence(client: EC2Client, mayWrite: () => boolean): void {
  const isWrite = (name: string | undefined): boolean => name?.startsWith('Describe') === false;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (request) => {
        if (isWrite(commandName) && !mayWrite())
          throw new StaleWriter('the lease ran out before AWS was asked to change something');
        return next(request);
      },
    { step: 'deserialize', priority: 'low', name: 'fence' },
  );
}

const send = (client: EC2Client, command: never, abortSignal: AbortSignal): Promise<unknown> =>
  client.send(command, { abortSignal }) as Promise<unknown>;

/** `requestTimeout` alone would only log a warning and wait on. */
function configOf(connection: Connection): EC2ClientConfig {
  const { region, requestTimeout, connectionTimeout, requestHandler } = connection;
  const { credentials, endpoint } = connection;
  return {
    region,
    maxAttempts: 1,
    requestHandler: requestHandler ?? {
      requestTimeout,
      connectionTimeout,
      throwOnRequestTimeout: true,
    },
    ...(credentials !== undefined && { credentials }),
    ...(endpoint !== undefined && { endpoint }),
  };
}
