/** The EgressIPs as the cluster has them now, read with a kubeconfig. */
import type { EgressIP } from '../core/fact.ts';
import { kubeconfig } from '../edge/kubeconfig.ts';
import { openCluster } from '../edge/kubernetes/cluster.ts';
import { EGRESSIPS } from '../services/watcher/input.ts';
import { egressIPOf } from '../services/watcher/project.ts';
import { exit, Failure } from './failure.ts';

/** Throws Failure 64 when the file cannot be read, 69 when the cluster does not answer. */
export async function egressIPsIn(file: string, signal: AbortSignal): Promise<readonly EgressIP[]> {
  const options = await kubeconfig(file).catch((error: unknown) => {
    throw new Failure(exit.usage, `--kubeconfig ${file}: ${wordsOf(error)}`);
  });
  const cluster = openCluster(options);
  try {
    const objects = await cluster.list(EGRESSIPS, signal);
    return objects.map(egressIPOf);
  } catch (error) {
    throw new Failure(exit.unavailable, `the cluster of ${file}: ${wordsOf(error)}`);
  } finally {
    await cluster.close();
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
