/** What the cloud controller writes into a CloudPrivateIPConfig: its status and its finalizer. */
import type { Clock, Cluster, KubeObject, KubeRequest } from '../../core/door.ts';
import type { JsonObject } from '../../core/json.ts';
import { CLOUD_CLAIMS } from './admission.ts';
import type { CloudBook } from './cloud-book.ts';
import { CLOUD_FINALIZER, type CloudStatus, finalizersOf, statusObject } from './cloud-protocol.ts';

/** How long it waits after the API server refused a write, in milliseconds. */
const REFUSED_MS = 200;

export interface WriterDoors {
  readonly cluster: Pick<Cluster, 'request'>;
  readonly clock: Clock;
}

export class CloudWriter {
  readonly #doors: WriterDoors;
  readonly #book: CloudBook;

  constructor(doors: WriterDoors, book: CloudBook) {
    this.#doors = doors;
    this.#book = book;
  }

  report(object: KubeObject, status: CloudStatus, signal: AbortSignal): Promise<boolean> {
    const body = { status: statusObject(status, this.#doors.clock.nowMs()) };
    return this.#write(object, '/status', body, {}, signal);
  }

  hold(object: KubeObject, signal: AbortSignal): Promise<boolean> {
    const finalizers = [...finalizersOf(object), CLOUD_FINALIZER];
    return this.#write(object, '', {}, { finalizers }, signal);
  }

  async letGo(object: KubeObject, signal: AbortSignal): Promise<void> {
    const finalizers = finalizersOf(object).filter((one) => one !== CLOUD_FINALIZER);
    if (await this.#write(object, '', {}, { finalizers }, signal)) this.#book.forget(object);
  }

  /** Whether it was written; if not, what is there now is to be looked at, after a while. */
  async #write(
    object: KubeObject,
    subresource: string,
    body: JsonObject,
    metadata: JsonObject,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { cluster, clock } = this.#doors;
    const { name, uid } = object.metadata;
    const request: KubeRequest = {
      method: 'PATCH',
      path: `${CLOUD_CLAIMS}/${name}${subresource}`,
      contentType: 'application/merge-patch+json',
      body: { ...body, metadata: { ...metadata, uid } },
    };
    const { status, body: written } = await cluster.request(request, signal);
    if (status >= 200 && status < 300) {
      this.#book.put(CLOUD_CLAIMS, written as KubeObject);
      return true;
    }
    if (status === 404) this.#book.forget(object);
    await clock.sleep(REFUSED_MS, signal);
    return false;
  }
}
