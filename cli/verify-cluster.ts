/** All that Sluice writes as the cluster has it now, read with a kubeconfig. */
import { kubeconfig } from '../edge/kubeconfig.ts';
import { KubeFailure, openCluster } from '../edge/kubernetes/cluster.ts';
import { exit, Failure } from './failure.ts';
import { type Listed, writtenKinds } from './verify-listed.ts';

/** Throws Failure 64 when the file cannot be read, 69 when the cluster does not answer. */
export async function listedIn(file: string, signal: AbortSignal): Promise<readonly Listed[]> {
  const options = await kubeconfig(file).catch((error: unknown) => {
    throw new Failure(exit.usage, `--kubeconfig ${file}: ${wordsOf(error)}`);
  });
  const cluster = openCluster(options);
  try {
    const listed: Listed[] = [];
    for (const kind of writtenKinds) {
      const objects = await cluster.list(kind.collection, signal).catch(noneIfUnserved);
      const things = objects.map((object) => kind.project(object));
      listed.push({ kind, things: things.filter((thing) => thing !== undefined) });
    }
    return listed;
  } catch (error) {
    throw new Failure(exit.unavailable, `the cluster of ${file}: ${wordsOf(error)}`);
  } finally {
    await cluster.close();
  }
}

function noneIfUnserved(error: unknown): readonly [] {
  if (error instanceof KubeFailure && error.answer.status === 404) return [];
  throw error;
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
