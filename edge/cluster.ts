/** The Kubernetes API as the settings say: by kubeconfig file, or as a pod of the cluster. */
import type { Config } from './config.ts';
import { type OpenCluster, openCluster } from './kubernetes/cluster.ts';
import { inCluster } from './kubernetes/in-cluster.ts';
import type { ClusterOptions } from './kubernetes/options.ts';

/**
 * `mayWrite` is asked before each request that changes something; a room that only reads needs
 * none.
 * @throws when the kubeconfig cannot be read, or there is neither one nor a ServiceAccount.
 */
export async function clusterOf(
  config: Config,
  onTrouble: (sentence: string) => void,
  mayWrite?: () => boolean,
): Promise<OpenCluster> {
  return openCluster({ ...(await optionsOf(config)), onTrouble, mayWrite });
}

async function optionsOf(config: Config): Promise<ClusterOptions> {
  const pod = config.kubeconfig === '' ? inCluster() : undefined;
  if (pod !== undefined) return pod;
  const { kubeconfig } = await import('./kubeconfig.ts');
  return kubeconfig(config.kubeconfig === '' ? undefined : config.kubeconfig);
}
