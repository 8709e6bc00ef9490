/** What the API server answers: success with the object, or a Status with its reason. */
import type { Collection, KubeAnswer, KubeObject } from '../../core/door.ts';

export const success = (status: number, object: KubeObject): KubeAnswer => ({
  status,
  body: object,
  message: '',
  retryAfterMs: 0,
});

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
};

export function failure(status: number, message: string, reason = reasons[status]): KubeAnswer {
  const body = { kind: 'Status', status: 'Failure', reason, message, code: status };
  return { status, body, message, retryAfterMs: 0 };
}

export const noAnswer = (message: string): KubeAnswer => ({
  status: 0,
  body: undefined,
  message,
  retryAfterMs: 0,
});

export interface Place {
  readonly collection: Collection;
  readonly name: string;
  readonly subresource: string;
}

const form =
  /^(\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/[^/]+)?\/[^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/;

/** `/api/v1/nodes/worker-1/status?fieldManager=x` in its parts; undefined where it is no path. */
export function placeOf(path: string): Place | undefined {
  const [, collection, name = '', subresource = ''] = form.exec(path.split('?')[0] ?? '') ?? [];
  return collection === undefined ? undefined : { collection, name, subresource };
}
