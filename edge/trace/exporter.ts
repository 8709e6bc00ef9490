/** Sends spans to a collector, some seconds late and many at once; what cannot be sent is lost. */
import { exportOf, type Span } from './span.ts';
import type { TraceSettings } from './settings.ts';

const EVERY_MS = 5_000;
const MOST = 2_048;

export class Exporter {
  readonly #settings: TraceSettings;
  readonly #complain: (sentence: string) => void;
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #failing = false;

  /** `complain` hears of the first failure, and of the end of it. */
  constructor(settings: TraceSettings, complain: (sentence: string) => void) {
    this.#settings = settings;
    this.#complain = complain;
  }

  /** Never waits; of more than can be kept the newest are lost. */
  add(span: Span): void {
    if (this.#waiting.length < MOST) this.#waiting.push(span);
    this.#timer ??= setTimeout(() => void this.flush(), EVERY_MS).unref();
  }

  /** Sends what waits; never throws. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const spans = this.#waiting.splice(0);
    if (spans.length === 0) return;
    const why = await this.#send(spans);
    if (why !== '' && !this.#failing) this.#complain(`traces are lost: ${why}`);
    if (why === '' && this.#failing) this.#complain('traces arrive again');
    this.#failing = why !== '';
  }

  async #send(spans: readonly Span[]): Promise<string> {
    const { url, headers, resource, timeoutMs } = this.#settings;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(exportOf(resource, spans)),
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.arrayBuffer();
      return answer.ok ? '' : `the collector answered ${answer.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
