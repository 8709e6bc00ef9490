/** Since when a node is as it is: read from what the watcher said of it. */
import type { Event } from '../core/event.ts';
import { token } from '../core/subject.ts';
import type { NodeView } from '../services/assigner/explain.ts';
import { readToEnd, type Readable } from './read.ts';

/** When it began, in milliseconds since 1970, or the oldest that the log still knows. */
export interface Since {
  readonly notReadyMs?: number | undefined;
  readonly unreachableMs?: number | undefined;
}

/** For so many nodes the log is asked. */
const MOST = 30;

/** The times for the nodes that are not ready, or do not answer, by name. */
export async function troublesSince(
  log: Readable,
  nodes: readonly NodeView[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Since>> {
  const ill = nodes.filter(({ matches, ready, reachable }) => matches && !(ready && reachable));
  const found = ill.slice(0, MOST).map(async ({ node, ready, reachable }) => {
    const since: Since = {
      ...(!ready && { notReadyMs: await steadySince(log, `node.${token(node)}`, isReady, signal) }),
      ...(reachable === false && {
        unreachableMs: await steadySince(log, `probe.${token(node)}`, isReachable, signal),
      }),
    };
    return [node, since] as const;
  });
  return new Map(await Promise.all(found));
}

const isReady = (event: Event): boolean => event.kind === 'NodeSeen' && event.node.ready;
const isReachable = (event: Event): boolean => event.kind === 'ReachabilitySeen' && event.reachable;

/** When the last unbroken run of events that are not `well` began; undefined when there is none. */
async function steadySince(
  log: Readable,
  filter: string,
  well: (event: Event) => boolean,
  signal: AbortSignal,
): Promise<number | undefined> {
  let began: number | undefined;
  const past = { streams: ['watcher'], filter, from: 'all' } as const;
  for await (const { event, atMs } of readToEnd(log, past, signal))
    began = well(event) ? undefined : (began ?? atMs);
  return began;
}
