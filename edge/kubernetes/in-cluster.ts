/** The Kubernetes API as a pod finds it: by its environment and its service account's files. */
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { tokenFile } from './authorization.ts';
import type { ClusterOptions } from './options.ts';

const mounted = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Undefined when this is not a pod. Throws when it is one without a service account's files. */
export function inCluster(
  env: Readonly<Record<string, string | undefined>> = process.env,
  files: string = mounted,
): ClusterOptions | undefined {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) return undefined;
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    ca: readFileSync(join(files, 'ca.crt'), 'utf8'),
    authorization: tokenFile(join(files, 'token')),
  };
}
