/** Keeps a reader up to date on a collection for ever: lists it, watches it, and begins again. */
import type { Collection, KubeAnswer, Sighting } from '../../core/door.ts';
import type { Api } from './api.ts';
import { pause } from './deadline.ts';
import { openFeed, type Watched } from './feed.ts';
import { listAll } from './list.ts';
import type { Patience } from './options.ts';
import { Pace } from './pace.ts';

/**
 * Maintained: `version` is one whose every sighting the reader has taken and come back from, so
 * that a watch from there loses nothing. Undefined means that only a list can help.
 */
interface Position {
  version: string | undefined;
  /** Undefined until the server has said whether it serves the kind. */
  served: boolean | undefined;
}

export interface Reflected {
  readonly collection: Collection;
  readonly patience: Patience;
  readonly onTrouble: (sentence: string) => void;
}

/** With these the server says that it cannot go on from the version that it was given. */
const versionRefused: readonly number[] = [400, 404, 410, 504];

/**
 * Yields what is seen of the collection until `signal` aborts; then, and when the reader leaves,
 * it ends only once nothing of it is open any more. Never throws: troubles are told and retried.
 */
export async function* reflect(
  api: Api,
  what: Reflected,
  signal: AbortSignal,
): AsyncGenerator<readonly Sighting[], void, void> {
  const position: Position = { version: undefined, served: undefined };
  const pace = new Pace(what.patience, Math.random);
  while (!signal.aborted) {
    const step = position.version === undefined ? relist : follow;
    const waitMs = yield* step(api, what, position, pace, signal);
    if (waitMs > 0) await pause(waitMs, signal);
  }
}

/** Lists once; returns how many milliseconds to wait before the next step. */
async function* relist(
  api: Api,
  what: Reflected,
  position: Position,
  pace: Pace,
  signal: AbortSignal,
): AsyncGenerator<readonly Sighting[], number, void> {
  const { collection, patience } = what;
  const listing = await listAll(api, collection, patience.pageSize, signal);
  if (signal.aborted) return 0;
  if (listing.complete) {
    yield [{ kind: 'Listed', collection, objects: listing.objects }];
    position.version = listing.version;
    position.served = true;
    return 0;
  }
  if (listing.answer.status === 404) {
    if (position.served !== false) yield [{ kind: 'NotServed', collection }];
    position.served = false;
    return patience.absentMs;
  }
  what.onTrouble(`${collection} cannot be listed: ${listing.answer.message}`);
  return listing.answer.status === 410 ? pace.expired() : pace.failed(listing.answer.retryAfterMs);
}

/** Watches until the watch is over; returns how many milliseconds to wait before the next step. */
async function* follow(
  api: Api,
  what: Reflected,
  position: Position,
  pace: Pace,
  signal: AbortSignal,
): AsyncGenerator<readonly Sighting[], number, void> {
  const { collection, patience } = what;
  const order = { collection, patience, version: position.version ?? '' };
  const feed = openFeed(api, order, signal);
  try {
    for (let batch = await feed.take(); batch !== undefined; batch = await feed.take()) {
      if (batch.sightings.length > 0) yield batch.sightings;
      position.version = batch.version;
    }
  } finally {
    await feed.stop();
  }
  if (signal.aborted) return 0;
  return afterWatch(what, position, pace, await feed.stop());
}

function afterWatch(what: Reflected, position: Position, pace: Pace, watched: Watched): number {
  const { ending, lastedMs } = watched;
  const steady = lastedMs >= what.patience.steadyMs;
  if (steady) pace.steady();
  if (ending.kind === 'Ended' && steady) return 0;
  what.onTrouble(`the watch of ${what.collection} ${sentenceOfEnding(watched)}`);
  if (ending.kind === 'Cut' || ending.kind === 'Ended') return pace.failed(0);
  if (ending.kind === 'Refused') return afterRefusal(ending.answer, position, pace);
  position.version = undefined;
  return ending.kind === 'Error' ? pace.expired() : pace.failed(0);
}

function afterRefusal(answer: KubeAnswer, position: Position, pace: Pace): number {
  if (!versionRefused.includes(answer.status)) return pace.failed(answer.retryAfterMs);
  position.version = undefined;
  return pace.expired();
}

function sentenceOfEnding({ ending, lastedMs }: Watched): string {
  switch (ending.kind) {
    case 'Ended':
      return `ended after ${Math.round(lastedMs)} ms`;
    case 'Cut':
      return `was cut: ${ending.message}`;
    case 'Refused':
      return `was refused: ${ending.answer.message}`;
    case 'Error':
      return `failed: ${ending.code} ${ending.message}`;
    case 'Unreadable':
      return `brought a line that cannot be read: ${ending.line}`;
  }
}
