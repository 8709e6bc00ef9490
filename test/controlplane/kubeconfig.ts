/** The text of a kubeconfig file with one cluster and one user. */
import { stringifyYaml } from '../../edge/yaml.ts';

/** `ca` is PEM; the file carries it, so that clients check the server's certificate. */
export function kubeconfigText(access: { server: string; token: string; ca: string }): string {
  const name = 'sluice';
  const authority = Buffer.from(access.ca).toString('base64');
  return stringifyYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name, cluster: { server: access.server, 'certificate-authority-data': authority } },
    ],
    users: [{ name, user: { token: access.token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}
