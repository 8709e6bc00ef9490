/** Joins the watcher to Kubernetes, to the clock and to the nodes' health port. */
import type { Clock, Cluster, Prober } from '../../core/door.ts';
import { type Act, EGRESSIPS, type Input, NODES, type Settings } from './input.ts';

export function watcherSenses(
  cluster: Cluster,
  clock: Clock,
  settings: Settings,
): (signal: AbortSignal) => readonly AsyncIterable<readonly Input[]>[] {
  return (signal) => [
    cluster.watch(NODES, signal),
    cluster.watch(EGRESSIPS, signal),
    ...(settings.probing === 'off' ? [] : [ticks(clock, settings.intervalMs, signal)]),
  ];
}

async function* ticks(
  clock: Clock,
  intervalMs: number,
  signal: AbortSignal,
): AsyncGenerator<readonly Input[]> {
  while (!signal.aborted) {
    await clock.sleep(intervalMs, signal);
    yield [{ kind: 'Tick' }];
  }
}

export function watcherPerform(prober: Prober): (act: Act, signal: AbortSignal) => Promise<Input> {
  return async (act, signal) => {
    if (act.kind === 'Forget') {
      prober.forget(act.node);
      return { kind: 'Probed', node: act.node, uid: '', reachable: false, because: '' };
    }
    const { reachable, because } = await prober.probe(act.request, signal);
    return { kind: 'Probed', node: act.request.node, uid: act.uid, reachable, because };
  };
}
