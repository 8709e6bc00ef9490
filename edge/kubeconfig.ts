/** The Kubernetes API as a kubeconfig file describes it, with its contexts and plugins. */
import type { RequestOptions } from 'node:https';
import { remembered } from './kubernetes/authorization.ts';
import type { ClusterOptions } from './kubernetes/options.ts';

/**
 * Reads `file`, or without one `$KUBECONFIG` or `~/.kube/config`. Throws when there is no such
 * file, it names no cluster, or it asks for a proxy. The package weighs 100 MB of memory, so it is
 * loaded only here: a pod in the cluster needs no kubeconfig.
 */
export async function kubeconfig(file?: string, context?: string): Promise<ClusterOptions> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  if (file === undefined) config.loadFromDefault();
  else config.loadFromFile(file);
  if (context !== undefined) config.setCurrentContext(context);
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error('the kubeconfig names no cluster');
  if (cluster.proxyUrl) throw new Error(`a proxy (${cluster.proxyUrl}) is not supported`);
  const applied = async (): Promise<RequestOptions> => {
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    return options;
  };
  const tls = await applied();
  return {
    server: cluster.server,
    ca: pem(tls.ca),
    cert: pem(tls.cert),
    key: pem(tls.key),
    serverName: tls.servername,
    insecure: cluster.skipTLSVerify === true,
    authorization: remembered(async () => authorizationOf(await applied())),
  };
}

function pem(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString('utf8') : undefined;
}

function authorizationOf(options: RequestOptions): string | undefined {
  const headers = options.headers as Record<string, string> | undefined;
  const header = headers?.['Authorization'];
  if (header !== undefined) return header;
  if (!options.auth) return undefined;
  return `Basic ${Buffer.from(options.auth).toString('base64')}`;
}
