/** Carries out a write for BGP routing: at once, and without a wait; the room knows when again. */
import type { Cluster, KubeAnswer, KubeObject } from '../../core/door.ts';
import { isObject, property, textOf } from '../../core/json.ts';
import type { Done, RoutingAct } from './input.ts';
import { judge, type Judged, stableWords } from './routing-failure.ts';
import { foreignManager, managedFields, statusFields } from './writers.ts';

/** What the server will not have is tried again so often, in case its mind has changed. */
const REFUSED_MS = 60_000;

export type RoutingCame = Pick<
  Done,
  'result' | 'failing' | 'message' | 'version' | 'stored' | 'stranger' | 'againMs'
>;

/** `backOffMs` = how long to wait after so many failures, for this answer. */
export async function carryOutRouting(
  cluster: Cluster,
  act: RoutingAct,
  backOffMs: (answer: KubeAnswer) => number,
  signal: AbortSignal,
): Promise<RoutingCame> {
  const stranger = act.asks === undefined ? '' : await strangerOn(cluster, act, signal);
  let answer: KubeAnswer = { status: 0, body: undefined, message: '', retryAfterMs: 0 };
  let judged: Judged = { result: 'done', failing: '' };
  for (const request of act.requests) {
    answer = await cluster.request(request, signal);
    judged = judge(answer, request.method);
    if (judged.result !== 'done') break;
  }
  const { body } = answer;
  const done = judged.result === 'done';
  return {
    ...judged,
    message: done ? '' : stableWords(answer.message),
    version: textOf(property(property(body, 'metadata'), 'resourceVersion')),
    ...(done && isKubeObject(body) && { stored: body }),
    stranger,
    againMs: done ? 0 : judged.result === 'refused' ? REFUSED_MS : backOffMs(answer),
  };
}

/** The answer to a delete may be a Status instead. */
const isKubeObject = (body: unknown): body is KubeObject =>
  isObject(body) && textOf(property(property(body, 'metadata'), 'uid')) !== '';

/** Who wrote last what is ours; '' where that cannot be known. */
async function strangerOn(
  cluster: Cluster,
  { asks, object }: RoutingAct,
  signal: AbortSignal,
): Promise<string> {
  if (asks === undefined) return '';
  const { body } = await cluster.request(asks, signal);
  const isResource = object === 'cudnbgpconfig' || object === 'cudnbgprouting';
  return foreignManager(body, isResource ? statusFields : managedFields);
}
