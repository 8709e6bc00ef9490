/** One open watch: what happens from a version on, as lines, late and in pieces. */
import type { Collection } from '../../core/door.ts';
import type { ApiServer, Change } from './api-server.ts';
import type { Faults } from './faults.ts';
import type { Network } from './network.ts';
import { HARM_MS } from './points.ts';
import type { Process } from './process.ts';

/** Bookmarks come each minute. */
const BOOKMARK_MS = 60_000;

export interface WatchOrder {
  readonly collection: Collection;
  readonly version: number;
  readonly timeoutMs: number;
  readonly bookmarks: boolean;
}

type Chunk = { readonly bytes: Uint8Array } | { readonly end: Error | undefined };

export class ApiWatch {
  readonly #server: ApiServer;
  readonly #order: WatchOrder;
  readonly #faults: Faults;
  readonly #network: Network;
  readonly #process: Process;
  readonly #arrived: Chunk[] = [];
  #sent: number;
  #delivering = false;
  #stalledUntilMs = 0;
  #closed = false;
  #rest = '';
  #wake: () => void = () => undefined;

  constructor(
    server: ApiServer,
    order: WatchOrder,
    faults: Faults,
    network: Network,
    process: Process,
  ) {
    this.#server = server;
    this.#order = order;
    this.#faults = faults;
    this.#network = network;
    this.#process = process;
    this.#sent = order.version;
    this.#later(order.timeoutMs, () => this.#end(undefined));
    if (order.bookmarks) this.#later(BOOKMARK_MS, () => this.#bookmark());
    this.deliver();
  }

  #later(ms: number, run: () => void): void {
    this.#process.scheduler.after(ms, undefined, 'watch', () => {
      if (!this.#closed && !this.#process.dead) run();
    });
  }

  get collection(): Collection {
    return this.#order.collection;
  }

  get isOver(): boolean {
    return this.#closed || this.#process.dead;
  }

  /** There may be news; it is on its way after a while. */
  deliver(): void {
    if (this.#delivering || this.#closed) return;
    this.#delivering = true;
    const nowMs = this.#process.scheduler.nowMs;
    if (this.#faults.befalls('watch stalls')) this.#stalledUntilMs = nowMs + 150_000;
    const waitMs = this.#faults.healed ? 0 : Math.max(0, this.#stalledUntilMs - nowMs);
    this.#later(waitMs + this.#network.latencyMs(), () => {
      this.#delivering = false;
      this.#flush();
    });
  }

  #flush(): void {
    const { frozen } = this.#server;
    const nowMs = this.#process.scheduler.nowMs;
    if (frozen !== undefined && frozen.untilMs > nowMs)
      this.#later(frozen.untilMs - nowMs, () => this.deliver());
    const newest = frozen !== undefined && frozen.untilMs > nowMs ? frozen.version : Infinity;
    if (this.#faults.befalls('watch gone (410)')) return this.#error(410, 'too old');
    const news = this.#aimed(this.#news(newest));
    this.#send(news.map((change) => this.#lineOf(change)).join(''));
    const last = news.at(-1);
    if (last !== undefined) this.#sent = last.version;
    if (this.#faults.befalls('watch cut')) this.#end(new Error('connection reset by peer'));
    else if (this.#faults.befalls('watch ended early')) this.#end(undefined);
  }

  /** What is left of the news when one of them is aimed at. */
  #aimed(news: readonly Change[]): readonly Change[] {
    for (const [index, change] of news.entries()) {
      const harm = this.#faults.points.at('event', this.#process.name);
      if (harm === undefined || harm === 'lose the answer') continue;
      const before = news.slice(0, index);
      if (harm === 'duplicate') return news.toSpliced(index, 0, change);
      const { nowMs } = this.#process.scheduler;
      if (harm === 'delay') {
        this.#stalledUntilMs = nowMs + HARM_MS;
        this.#later(HARM_MS, () => this.deliver());
        return before;
      }
      if (harm === 'stale') {
        const version = Math.max(this.#server.compacted, change.version - 1);
        this.#process.stale = { version, untilMs: nowMs + HARM_MS };
      }
      if (harm !== 'hide') {
        this.#process.crash();
        return harm === 'stale' ? before : news;
      }
      this.#later(HARM_MS, () => this.#error(410, 'too old'));
      return news.toSpliced(index, 1);
    }
    return news;
  }

  #news(newest: number): readonly Change[] {
    const { history } = this.#server;
    let from = history.length;
    while (from > 0 && (history[from - 1]?.version ?? 0) > this.#sent) from--;
    const { collection } = this.#order;
    return history
      .slice(from)
      .filter((change) => change.collection === collection && change.version <= newest);
  }

  #lineOf({ type, object }: Change): string {
    const line = `${JSON.stringify({ type, object })}\n`;
    if (this.#faults.befalls('watch line broken')) return `${line.slice(0, 20)}\n`;
    return type !== 'DELETED' && this.#faults.befalls('watch event twice') ? line + line : line;
  }

  /** A chunk may end within a line; what is left comes with the next one. */
  #send(text: string): void {
    const all = this.#rest + text;
    if (all === '') return;
    const cut = this.#process.draw.chance(0.2) ? this.#process.draw.between(1, all.length) : 0;
    this.#rest = all.slice(all.length - cut);
    this.#push({ bytes: Buffer.from(all.slice(0, all.length - cut)) });
    if (cut > 0) this.#later(this.#network.latencyMs(), () => this.#sendRest());
  }

  #sendRest(): void {
    const rest = this.#rest;
    this.#rest = '';
    if (rest !== '') this.#push({ bytes: Buffer.from(rest) });
  }

  #bookmark(): void {
    this.#later(BOOKMARK_MS, () => this.#bookmark());
    if (this.#stalledUntilMs > this.#process.scheduler.nowMs && !this.#faults.healed) return;
    if (this.#delivering) return;
    const { frozen, version } = this.#server;
    const inPast = frozen !== undefined && frozen.untilMs > this.#process.scheduler.nowMs;
    const shown = Math.max(this.#sent, inPast ? frozen.version : version);
    // A server whose past has ended has not yet shown what happened meanwhile.
    if (this.#news(shown).length > 0) return;
    this.#sent = shown;
    const metadata = { resourceVersion: String(shown) };
    this.#send(`${JSON.stringify({ type: 'BOOKMARK', object: { metadata } })}\n`);
  }

  #error(code: number, message: string): void {
    const object = { kind: 'Status', code, message };
    this.#send(`${JSON.stringify({ type: 'ERROR', object })}\n`);
    this.#sendRest();
    this.#end(undefined);
  }

  #end(end: Error | undefined): void {
    this.#closed = true;
    this.#push({ end });
  }

  #push(chunk: Chunk): void {
    this.#arrived.push(chunk);
    this.#process.scheduler.after(0, this.#process, 'chunk', () => this.#wake());
  }

  /** The connection is lost, now. */
  cut(why: Error): void {
    if (!this.#closed) this.#end(why);
  }

  async *body(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const stop = (): void => this.cut(new Error('stopped'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      for (;;) {
        const next = this.#arrived.shift();
        if (next === undefined) await new Promise<void>((wake) => (this.#wake = wake));
        else if ('bytes' in next) yield next.bytes;
        else if (next.end === undefined) return;
        else throw signal.aborted ? signal.reason : next.end;
      }
    } finally {
      this.#closed = true;
      signal.removeEventListener('abort', stop);
    }
  }
}
