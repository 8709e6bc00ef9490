/** The cloud controller simulator on a real API server, with a cloud that tests can play with. */
import { openClock } from '../../edge/clock.ts';
import { kubeconfig } from '../../edge/kubeconfig.ts';
import { openCluster } from '../../edge/kubernetes/cluster.ts';
import { CloudController } from '../../edge/simulated/cloud-controller.ts';
import { type CloudManners, SimulatedCloud } from '../../edge/simulated/cloud.ts';

export interface RunningCloud {
  readonly cloud: SimulatedCloud;
  /** As kill -9 does: calls under way come to nothing. The cloud keeps its addresses. */
  stop(): Promise<void>;
  /** A controller that was stopped goes on, with what it finds in the cluster. */
  start(): void;
}

/** Starts it in this process. `path` = a kubeconfig file. */
export async function startCloud(
  path: string,
  manners: Partial<CloudManners> = {},
): Promise<RunningCloud> {
  const cloud = new SimulatedCloud(manners);
  const options = await kubeconfig(path);
  let end = async (): Promise<void> => undefined;
  const start = (): void => {
    const stop = new AbortController();
    const cluster = openCluster({ ...options, onTrouble: () => undefined });
    const controller = new CloudController({ cluster, clock: openClock() }, cloud);
    const ended = controller.live(stop.signal);
    end = async () => {
      stop.abort();
      await ended;
      await cluster.close();
    };
  };
  start();
  return { cloud, start, stop: () => end() };
}
