/** Who we are to AWS (package `@aws-sdk/client-sts`): the one call that needs no permission. */
import type { STSClientConfig } from '@aws-sdk/client-sts';
import type { Connection } from './ec2.ts';

/**
 * Resolves when the credentials are good; rejects with the SDK's own error. The region makes STS a
 * regional one. What it answers is not looked at: account ids are nobody's business.
 */
export async function callerIdentity(connection: Connection, signal: AbortSignal): Promise<void> {
  const { STSClient, GetCallerIdentityCommand } = await import('@aws-sdk/client-sts');
  const client = new STSClient(configOf(connection));
  try {
    await client.send(new GetCallerIdentityCommand({}), { abortSignal: signal });
  } finally {
    client.destroy();
  }
}

function configOf(connection: Connection): STSClientConfig {
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
