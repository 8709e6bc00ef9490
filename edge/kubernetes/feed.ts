/** One watch: from the version that is known until it ends, for whatever reason. */
import type { Collection, KubeAnswer } from '../../core/door.ts';
import { sentenceOf } from './answer.ts';
import type { Api } from './api.ts';
import { Lines } from './lines.ts';
import { withQuery } from './list.ts';
import { type Batch, Mailbox } from './mailbox.ts';
import type { Patience } from './options.ts';
import { type WatchEvent, watchEvent } from './watch-event.ts';

export type Ending =
  /** The server had held it for as long as it was asked to. */
  | { readonly kind: 'Ended' }
  | { readonly kind: 'Cut'; readonly message: string }
  | { readonly kind: 'Refused'; readonly answer: KubeAnswer }
  | Extract<WatchEvent, { kind: 'Error' | 'Unreadable' }>;

export interface Watched {
  readonly ending: Ending;
  /** For how long it was open. */
  readonly lastedMs: number;
}

export interface Feed {
  /** What arrived since the last call; undefined when the watch is over. */
  take(): Promise<Batch | undefined>;
  /** Cuts the watch if it is still open, and waits until nothing of it is left. */
  stop(): Promise<Watched>;
}

export interface FeedOrder {
  readonly collection: Collection;
  readonly version: string;
  readonly patience: Patience;
}

/** Opens a watch; what it brings is kept until it is taken. */
export function openFeed(api: Api, order: FeedOrder, signal: AbortSignal): Feed {
  const mailbox = new Mailbox(order.version, order.patience.maxWaiting);
  const control = new AbortController();
  const cut = (): void => control.abort(new Error('stopped'));
  if (signal.aborted) cut();
  signal.addEventListener('abort', cut, { once: true });
  const done = receive(api, order, mailbox, control).finally(() => {
    signal.removeEventListener('abort', cut);
    mailbox.close();
  });
  return {
    take: async () => {
      const batch = await mailbox.take();
      return signal.aborted ? undefined : batch;
    },
    stop: () => {
      cut();
      return done;
    },
  };
}

async function receive(
  api: Api,
  order: FeedOrder,
  mailbox: Mailbox,
  control: AbortController,
): Promise<Watched> {
  const { silenceMs } = order.patience;
  const silent = (): void => control.abort(new Error(`silent for ${silenceMs} ms`));
  const silence = setTimeout(silent, silenceMs);
  let openedMs = Number.POSITIVE_INFINITY;
  try {
    const stream = await api.stream(pathOf(order), control.signal);
    if (!stream.open) return { ending: { kind: 'Refused', answer: stream.answer }, lastedMs: 0 };
    openedMs = performance.now();
    const ending = await readAll(stream.body, order, mailbox, silence);
    return { ending, lastedMs: performance.now() - openedMs };
  } catch (error) {
    const message = sentenceOf(control.signal.aborted ? control.signal.reason : error);
    return { ending: { kind: 'Cut', message }, lastedMs: performance.now() - openedMs };
  } finally {
    clearTimeout(silence);
  }
}

/** The server ends each watch after 5 to 10 minutes, at random so that not all end together. */
function pathOf(order: FeedOrder): string {
  return withQuery(order.collection, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: order.version,
    timeoutSeconds: String(300 + Math.floor(Math.random() * 301)),
  });
}

async function readAll(
  body: AsyncIterable<Uint8Array>,
  order: FeedOrder,
  mailbox: Mailbox,
  silence: NodeJS.Timeout,
): Promise<Ending> {
  const lines = new Lines();
  let version = order.version;
  for await (const chunk of body) {
    silence.refresh();
    const sightings = [];
    let ending: Ending | undefined;
    for (const line of lines.push(chunk)) {
      const event = watchEvent(order.collection, line);
      if (event.kind === 'Error' || event.kind === 'Unreadable') {
        ending = event;
        break;
      }
      version = event.version;
      if (event.kind === 'Seen') sightings.push(event.sighting);
    }
    if (version !== order.version || sightings.length > 0) mailbox.push(sightings, version);
    if (ending !== undefined) return ending;
  }
  return { kind: 'Ended' };
}
