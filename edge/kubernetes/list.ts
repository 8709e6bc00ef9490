/** A complete and consistent listing of a collection, page by page. */
import type { Collection, KubeAnswer, KubeObject } from '../../core/door.ts';
import type { Api } from './api.ts';
import { field, kubeObject, text } from './json.ts';

export type Listing =
  | { readonly complete: true; readonly objects: readonly KubeObject[]; readonly version: string }
  | { readonly complete: false; readonly answer: KubeAnswer };

/**
 * Without a resourceVersion the server answers from a quorum, and all pages show the version of
 * the first. One page that fails fails the list: half a collection would look like deletions.
 */
export async function listAll(
  api: Api,
  collection: Collection,
  pageSize: number,
  signal: AbortSignal,
): Promise<Listing> {
  const objects: KubeObject[] = [];
  let next = '';
  for (;;) {
    const query = { limit: String(pageSize), ...(next === '' ? {} : { continue: next }) };
    const answer = await api.call({ method: 'GET', path: withQuery(collection, query) }, signal);
    const items = field(answer.body, 'items');
    const version = text(answer.body, 'metadata', 'resourceVersion');
    if (answer.status !== 200) return { complete: false, answer };
    if (!Array.isArray(items) || version === '') {
      return { complete: false, answer: { ...answer, message: 'the answer is not a list' } };
    }
    for (const item of items) {
      const object = kubeObject(item);
      if (object !== undefined) objects.push(object);
    }
    next = text(answer.body, 'metadata', 'continue');
    if (next === '') return { complete: true, objects, version };
  }
}

/** The path with more parameters; it may have some already. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query).toString()}`;
}
