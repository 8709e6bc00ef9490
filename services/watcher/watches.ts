/** The watches of BGP routing: none where nobody routes by BGP, and a second look at an absence. */
import type { Clock, Cluster, Sighting } from '../../core/door.ts';
import { resourceKinds, routingKinds } from './kinds-bgp.ts';

type Watch = AsyncIterable<readonly Sighting[]>;

/** A kind that is not served still counts as missing after so long: a server starts faster. */
const DOUBT_MS = 30_000;

/**
 * Watches the custom resources, and the rest only from the moment when one of them is served: a
 * cluster without them pays nothing but a look now and then.
 */
export function routingWatches(
  cluster: Cluster,
  clock: Clock,
  signal: AbortSignal,
): readonly Watch[] {
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
