/** Joins the watcher to Kubernetes, to the clock and to the nodes' health port. */
import type { Clock, Cluster, Prober } from '../../core/door.ts';
import { INFRASTRUCTURES, type Act, type Input, type Settings, type Tuning } from './input.ts';
import { kinds } from './kinds.ts';
import { routingWatches } from './watches.ts';

/** Yields what the tuning is at first, when it is not as in the settings, and each change of it. */
export type Tunings = (signal: AbortSignal) => AsyncIterable<Tuning>;

export function watcherSenses(
  cluster: Cluster,
  clock: Clock,
  settings: Settings,
  tunings?: Tunings,
): (signal: AbortSignal) => readonly AsyncIterable<readonly Input[]>[] {
  return (signal) => {
    const pace = { slotMs: slotMsOf(settings, settings) };
    const collections = [...kinds.map(({ collection }) => collection), INFRASTRUCTURES];
    const watches = [
      ...collections.map((collection) => cluster.watch(collection, signal)),
      ...routingWatches(cluster, clock, signal),
    ];
    if (settings.probing === 'off') return watches;
    const tuned = tunings === undefined ? [] : [tune(tunings(signal), settings, pace)];
    return [...watches, ticks(clock, pace, signal), ...tuned];
  };
}

interface Pace {
  slotMs: number;
}

const slotMsOf = (tuning: Tuning, { slots = 1 }: Settings): number => tuning.intervalMs / slots;

async function* ticks(
  clock: Clock,
  pace: Pace,
  signal: AbortSignal,
): AsyncGenerator<readonly Input[]> {
  while (!signal.aborted) {
    await clock.sleep(pace.slotMs, signal);
    yield [{ kind: 'Tick' }];
  }
}

/** A new interval holds from the next slot on. */
async function* tune(
  tunings: AsyncIterable<Tuning>,
  settings: Settings,
  pace: Pace,
): AsyncGenerator<readonly Input[]> {
  for await (const tuning of tunings) {
    pace.slotMs = slotMsOf(tuning, settings);
    yield [{ kind: 'Tuned', tuning }];
  }
}

export function watcherPerform(prober: Prober): (act: Act, signal: AbortSignal) => Promise<Input> {
  return async (act, signal) => {
    if (act.kind === 'Forget') {
      prober.forget(act.node);
      return { kind: 'Probed', node: act.node, ask: 0, reachable: false, because: '' };
    }
    const answer = await prober.probe(act.request, signal);
    return { kind: 'Probed', node: act.request.node, ask: act.ask, ...answer };
  };
}
