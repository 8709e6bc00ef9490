/**
 * A collection as the API server tells it: what there is now, and every write since the beginning.
 */
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane } from '../controlplane/controlplane.ts';

export interface Seen {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** One write, as a watcher sees it. */
export interface Change<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
}

/** How long after a lost connection the server is asked again, in milliseconds. */
const againMs = 50;

export class Watched<T extends Seen> {
  readonly objects = new Map<string, T>();
  /** Every change since the first list, oldest first. */
  readonly history: Change<T>[] = [];
  readonly #plane: ControlPlane;
  readonly #path: string;
  readonly #stop = new AbortController();
  readonly #hearers = new Set<() => void>();
  #listed = false;

  constructor(plane: ControlPlane, path: string) {
    this.#plane = plane;
    this.#path = path;
  }

  /** Resolves when the first list is there; goes on watching until `stop`. */
  async start(): Promise<this> {
    const first = new Promise<void>((heard) => this.onChange(heard));
    void this.#follow();
    await first;
    return this;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Calls back after each change; returns how to end that. */
  onChange(hear: () => void): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#watch(await this.#list());
      } catch {
        // The server is down or cut us off: this is what tests do to it.
      }
      await sleep(againMs);
    }
  }

  async #list(): Promise<string> {
    const list = await this.#plane.api.get(this.#path);
    const names = new Set<string>();
    for (const object of list.items as T[]) {
      names.add(object.metadata.name);
      const known = this.objects.get(object.metadata.name);
      const type = known === undefined ? 'ADDED' : 'MODIFIED';
      if (known?.metadata.resourceVersion !== object.metadata.resourceVersion)
        this.#take({ type, object });
    }
    for (const [name, object] of this.objects)
      if (!names.has(name)) this.#take({ type: 'DELETED', object });
    this.#listed = true;
    this.#ring();
    return list.metadata.resourceVersion;
  }

  #take(change: Change<T>): void {
    const { name } = change.object.metadata;
    if (change.type === 'DELETED') this.objects.delete(name);
    else this.objects.set(name, change.object);
    if (this.#listed) this.history.push(change);
  }

  #ring(): void {
    for (const hear of this.#hearers) hear();
  }

  #watch(version: string): Promise<void> {
    const { server, token, ca } = this.#plane;
    const url = new URL(`${this.#path}?watch=1&resourceVersion=${version}`, server);
    const headers = { authorization: `Bearer ${token}` };
    return new Promise((resolve, reject) => {
      const sent = request(url, { ca, headers, signal: this.#stop.signal }, (response) => {
        createInterface({ input: response })
          .on('line', (line) => this.#hear(line))
          .on('error', reject)
          .on('close', resolve);
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  #hear(line: string): void {
    const { type, object } = JSON.parse(line);
    if (!['ADDED', 'MODIFIED', 'DELETED'].includes(type)) return;
    this.#take({ type, object });
    this.#ring();
  }
}
