/** How far the log had come when the cluster was last written to, kept in the cluster. */
import { type Cluster, type KubeAnswer, StaleWriter } from '../core/door.ts';
import { property, textOf } from '../core/json.ts';
import { sleep } from './clock.ts';
import type { Logger } from './log.ts';
import type { MarkedLog } from './nats/log.ts';
import type { Marks } from './nats/mark.ts';

/** So long after a write the log is marked; what comes meanwhile is marked with it. */
const AFTER_MS = 1_000;
const AGAIN_MS = 1_000;
const patient = new AbortController().signal;

/** What the record says, and what the check at a start found. */
export interface Book {
  readonly marks: Marks;
  /** How often an older copy of the log was found, ever. */
  readonly rollbacks: number;
}

/**
 * The ConfigMap of the record. A write of it follows a write to the cluster, so a cluster at rest
 * stays at rest. Without a `path` there is no record, and nothing is compared.
 */
export class LogRecord {
  readonly #path: string;
  readonly #cluster: Pick<Cluster, 'request'>;
  readonly #logger: Logger;
  #log: MarkedLog | undefined;
  #rollbacks = 0;
  #due = false;

  /** `name` = `namespace/name` of the ConfigMap, or ''. */
  constructor(name: string, cluster: Pick<Cluster, 'request'>, logger: Logger) {
    const [namespace = '', own = ''] = name.split('/');
    this.#path = name === '' ? '' : `/api/v1/namespaces/${namespace}/configmaps/${own}`;
    this.#cluster = cluster;
    this.#logger = logger;
  }

  /** The cluster, such that each accepted change of it is followed by a mark. */
  watching<C extends Pick<Cluster, 'request'>>(cluster: C): C {
    const request: Cluster['request'] = async (asked, signal) => {
      const answer = await cluster.request(asked, signal);
      // Without an answer it may have been written all the same.
      const maybe = answer.status === 0 || (answer.status >= 200 && answer.status < 300);
      if (asked.method !== 'GET' && maybe) this.#wrote();
      return answer;
    };
    return { ...cluster, request };
  }

  /**
   * Compares the log with the record before a life begins; an older copy is made void. Goes on when
   * it has both answers, or `signal` aborts. Returns how often older copies were found, ever.
   */
  async check(log: MarkedLog, signal: AbortSignal): Promise<number> {
    this.#log = log;
    while (this.#path !== '' && !signal.aborted) {
      try {
        const answer = await this.#ask();
        if (answer.status === 200) return await this.#compare(log, bookOf(answer));
        this.#logger.warn('cannot read the record of the log', { because: answer.message });
        // Who may not have one, or has none, works without.
        if (answer.status === 404 || answer.status === 403) break;
      } catch (error) {
        this.#logger.warn('cannot compare the log with its record', { err: error });
      }
      await sleep(AGAIN_MS, signal);
    }
    return this.#rollbacks;
  }

  /** Marks at once what is still to be marked. */
  async close(): Promise<void> {
    if (!this.#due) return;
    this.#due = false;
    await this.#mark();
  }

  async #compare(log: MarkedLog, { marks, rollbacks }: Book): Promise<number> {
    // What was found before, and could not be written down yet, counts.
    this.#rollbacks = Math.max(rollbacks, this.#rollbacks);
    const because = await log.contradiction(marks);
    if (because === '') return this.#rollbacks;
    this.#rollbacks += 1;
    this.#logger.error('an older copy of the log was found and is made void', { because });
    await log.void();
    await this.#write({ marks: {}, rollbacks: this.#rollbacks });
    return this.#rollbacks;
  }

  #wrote(): void {
    if (this.#due || this.#path === '') return;
    this.#due = true;
    void sleep(AFTER_MS, patient).then(() => this.close());
  }

  /** A mark that fails is made up for by the next one, or by the next write. */
  async #mark(): Promise<void> {
    try {
      if (this.#log === undefined) return;
      const marks = await this.#log.marks();
      const answer = await this.#write({ marks, rollbacks: this.#rollbacks });
      if (answer.status === 200) return;
      this.#logger.warn('cannot write the record of the log', { because: answer.message });
    } catch (error) {
      if (error instanceof StaleWriter) return;
      this.#logger.warn('cannot mark how far the log has come', { err: error });
    }
  }

  #ask(): Promise<KubeAnswer> {
    const read = { method: 'GET', path: this.#path, contentType: '', body: undefined } as const;
    return this.#cluster.request(read, patient);
  }

  #write(book: Book): Promise<KubeAnswer> {
    const body = { data: { log: JSON.stringify(book) } };
    const path = `${this.#path}?fieldManager=sluice`;
    const contentType = 'application/merge-patch+json';
    return this.#cluster.request({ method: 'PATCH', path, contentType, body }, patient);
  }
}

/** Whatever people wrote into it: what cannot be read says nothing. */
function bookOf({ body }: KubeAnswer): Book {
  try {
    const book = JSON.parse(textOf(property(property(body, 'data'), 'log'))) as Partial<Book>;
    return { marks: book.marks ?? {}, rollbacks: book.rollbacks ?? 0 };
  } catch {
    return { marks: {}, rollbacks: 0 };
  }
}
