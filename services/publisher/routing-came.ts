/** What came of a write for BGP routing, read in the server's answer. */
import type { KubeAnswer, KubeObject, KubeRequest } from '../../core/door.ts';
import { isObject, property, textOf } from '../../core/json.ts';
import type { Done, RoutingAct } from './input.ts';
import { judge, stableWords } from './routing-failure.ts';
import { foreignManager, managedFields, statusFields } from './writers.ts';

/** What the server will not have is tried again so often, in case its mind has changed. */
const REFUSED_MS = 60_000;

type Came = Pick<
  Done,
  'result' | 'failing' | 'message' | 'version' | 'stored' | 'stranger' | 'againMs'
>;

/** `asked` = the object as it was before the write; `backOffMs` = the wait after this failure. */
export function routingCame(
  { object }: RoutingAct,
  method: KubeRequest['method'],
  answer: KubeAnswer,
  asked: KubeAnswer | undefined,
  backOffMs: number,
): Came {
  const judged = judge(answer, method);
  const { body } = answer;
  const done = judged.result === 'done';
  const isResource = object === 'cudnbgpconfig' || object === 'cudnbgprouting';
  return {
    ...judged,
    message: done ? '' : stableWords(answer.message),
    version: textOf(property(property(body, 'metadata'), 'resourceVersion')),
    ...(done && isKubeObject(body) && { stored: body }),
    stranger: foreignManager(asked?.body, isResource ? statusFields : managedFields),
    againMs: done ? 0 : judged.result === 'refused' ? REFUSED_MS : backOffMs,
  };
}

/** The answer to a delete may be a Status instead. */
export const isKubeObject = (body: unknown): body is KubeObject =>
  isObject(body) && textOf(property(property(body, 'metadata'), 'uid')) !== '';
