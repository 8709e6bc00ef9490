/** How the API server answers lists, page by page, and questions about what it serves. */
import type { KubeAnswer } from '../../core/door.ts';
import { EGRESSIPS } from '../../edge/simulated/admission.ts';
import { failure } from '../../edge/simulated/answer.ts';
import type { ApiServer } from './api-server.ts';

const groups = /^\/api(s\/[^/]+)?\/v\d+$/;

/** What is served of a group and version; undefined when the path is none. */
export function discoveryAnswer(server: ApiServer, path: string): KubeAnswer | undefined {
  if (!groups.test(path)) return undefined;
  const served = server.isServed(EGRESSIPS) && EGRESSIPS.startsWith(path);
  const names = served
    ? ['egressips', ...(server.statusSubresource ? ['egressips/status'] : [])]
    : [];
  const resources = names.map((name) => ({ name }));
  return { status: 200, body: { resources }, message: '', retryAfterMs: 0 };
}

/** `past` = the version that a server in the past shows; undefined when the path is no list. */
export function listAnswer(
  server: ApiServer,
  path: string,
  past: number | undefined,
): KubeAnswer | undefined {
  const place = new URL(path, 'http://api');
  if (!place.searchParams.has('limit')) return undefined;
  if (!server.isServed(place.pathname))
    return failure(404, 'the server could not find the requested resource');
  const limit = Number(place.searchParams.get('limit'));
  const [version = 0, from = 0] = (place.searchParams.get('continue') ?? '')
    .split(':')
    .filter((part) => part !== '')
    .map(Number);
  if (version !== 0 && version < server.compacted) return failure(410, 'expired', 'Expired');
  const of = version === 0 ? (past ?? server.version) : version;
  const { objects } = server.listAt(place.pathname, of);
  const more = objects.length > from + limit ? { continue: `${of}:${from + limit}` } : {};
  const metadata = { resourceVersion: String(of), ...more };
  const items = objects.slice(from, from + limit);
  return { status: 200, body: { metadata, items }, message: '', retryAfterMs: 0 };
}
