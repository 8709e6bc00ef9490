/** The door to the Kubernetes API. */
import type { Cluster, Collection, KubeAnswer, KubeObject, KubeRequest } from '../../core/door.ts';
import { openApi } from './api.ts';
import { statusSubresource } from './discovery.ts';
import { listAll } from './list.ts';
import { type ClusterOptions, patienceOf } from './options.ts';
import { reflect } from './reflector.ts';

/** The API did not do what was asked. */
export class KubeFailure extends Error {
  override readonly name = 'KubeFailure';
  readonly answer: KubeAnswer;

  constructor(what: string, answer: KubeAnswer) {
    super(`${what}: ${answer.message}`);
    this.answer = answer;
  }
}

export interface OpenCluster extends Cluster {
  /** Reads one path; one attempt; never throws. */
  get(path: string, signal: AbortSignal): Promise<KubeAnswer>;
  /** The whole collection as it is now; one attempt. Throws KubeFailure. */
  list(collection: Collection, signal: AbortSignal): Promise<readonly KubeObject[]>;
  /** Ends every watch and request, and leaves no connection. */
  close(): Promise<void>;
}

/** Opens no connection until something is asked. */
export function openCluster(options: ClusterOptions): OpenCluster {
  const api = openApi(options);
  const patience = patienceOf(options);
  const onTrouble = options.onTrouble ?? (() => {});
  const closing = new AbortController();
  const orClosed = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, closing.signal]);
  return {
    watch: (collection, signal) =>
      reflect(api, { collection, patience, onTrouble }, orClosed(signal)),
    request: (request: KubeRequest, signal) => api.call(request, signal),
    hasStatusSubresource: (collection, signal) =>
      statusSubresource(api, collection, patience, orClosed(signal)),
    get: (path, signal) => api.call({ method: 'GET', path }, signal),
    list: async (collection, signal) => {
      const listing = await listAll(api, collection, patience.pageSize, signal);
      if (!listing.complete) throw new KubeFailure(`cannot list ${collection}`, listing.answer);
      return listing.objects;
    },
    close: async () => {
      closing.abort(new Error('the door to the cluster was closed'));
      await api.close();
    },
  };
}
