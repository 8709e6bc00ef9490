/** Joins the watcher to Kubernetes, to the clock and to the nodes' health port. */
import type { Clock, Cluster, Prober, Sighting } from '../../core/door.ts';
import { INFRASTRUCTURES, type Act, type Input, type Settings, type Tuning } from './input.ts';
import { kinds } from './kinds.ts';
import { resourceKinds, routingKinds } from './kinds-bgp.ts';

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

type Watch = AsyncIterable<readonly Sighting[]>;

/** A kind that is not served still counts as missing after so long: a server starts faster. */
const DOUBT_MS = 30_000;

/**
 * Watches the custom resources, and the rest only from the moment when one of them is served: a
 * cluster without them pays nothing but a look now and then.
 */
function routingWatches(cluster: Cluster, clock: Clock, signal: AbortSignal): readonly Watch[] {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watch = (collection: string): Watch =>
    persisting(cluster.watch(collection, signal), clock, signal);
  return [
    ...resourceKinds.map(({ collection }) => opening(watch(collection), resolve)),
    ...routingKinds.map(({ collection }) => gated(promise, () => watch(collection), signal)),
  ];
}

async function* opening(watch: Watch, open: () => void): AsyncGenerator<readonly Sighting[]> {
  for await (const sightings of watch) {
    if (sightings.some(({ kind }) => kind === 'Listed')) open();
    yield sightings;
  }
}

async function* gated(
  gate: Promise<void>,
  watch: () => Watch,
  signal: AbortSignal,
): AsyncGenerator<readonly Sighting[]> {
  const aborted = new Promise<void>((done) => signal.addEventListener('abort', () => done()));
  if (!signal.aborted) await Promise.race([gate, aborted]);
  if (!signal.aborted) yield* watch();
}

/** The door tells once that a kind is not served; this tells it again when it has stayed so. */
async function* persisting(
  watch: Watch,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<readonly Sighting[]> {
  const source = watch[Symbol.asyncIterator]();
  try {
    for (let next = source.next(); ; ) {
      const { done, value } = await next;
      if (done === true) return;
      yield value;
      next = source.next();
      const absent = value.filter(({ kind }) => kind === 'NotServed');
      if (absent.length > 0 && (await staysSo(next, clock, signal))) yield absent;
    }
  } finally {
    await source.return?.();
  }
}

/** Whether nothing else is seen for a while. */
async function staysSo(
  next: Promise<unknown>,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  const seen = new AbortController();
  const stop = (): void => seen.abort();
  void next.then(stop, stop);
  await clock.sleep(DOUBT_MS, AbortSignal.any([signal, seen.signal]));
  return !seen.signal.aborted && !signal.aborted;
}
