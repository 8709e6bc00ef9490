/** Traces across the log: a span for each turn that says something, and for each write. */
import type { Cluster, KubeAnswer, KubeRequest } from '../../core/door.ts';
import type { Cause, Heard, Saying, Speaker } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { Exporter } from './exporter.ts';
import type { TraceSettings } from './settings.ts';
import {
  below,
  type Context,
  contextOf,
  type Span,
  type Traceparent,
  traceparentOf,
} from './span.ts';

/** An event by its place on the log. */
type Said = Pick<Heard, 'stream' | 'sequence' | 'event'>;

/** What the log's door asks for; without one no message bears the header. */
export interface TraceHook {
  heard(heard: Said, traceparent: Traceparent): void;
  /** A turn is said: the header of its messages, and what is called when it has landed. */
  turn(
    speaker: Speaker,
    says: readonly Saying[],
  ): { readonly traceparent: Traceparent; end(error?: Error | string): void };
}

/** So many events are remembered, to be found as causes. */
const MOST = 20_000;
const MOST_LINKS = 32;

export class Tracing implements TraceHook {
  readonly #settings: TraceSettings;
  readonly #exporter: Exporter;
  /** By `stream sequence`, and by `kind/name` of what the last word on it said. */
  readonly #known = new Map<string, Context>();

  constructor(settings: TraceSettings, complain: (sentence: string) => void) {
    this.#settings = settings;
    this.#exporter = new Exporter(settings, complain);
  }

  heard({ stream, sequence, event }: Said, traceparent: Traceparent): void {
    const context = contextOf(traceparent);
    if (context === undefined) return;
    this.#remember(keyOf({ stream, sequence }), context);
    const { kind, name } = topicOf(event);
    this.#remember(`${kind}/${name}`, context);
  }

  turn(speaker: Speaker, says: readonly Saying[]): ReturnType<TraceHook['turn']> {
    const startMs = says[0]?.atMs ?? Date.now();
    const contexts = this.#contextsOf(says.flatMap(({ causes }) => causes));
    const [parent, ...links] = contexts;
    const attributes = { 'sluice.room': speaker, 'sluice.events': says.length };
    const begun = { name: `${speaker} turn`, kind: 'producer', attributes, startMs } as const;
    const { context, end } = this.#begin(begun, parent, links.slice(0, MOST_LINKS));
    return { traceparent: traceparentOf(context), end };
  }

  /** The cluster, with a span for each request that changes something. */
  watching<C extends Pick<Cluster, 'request'>>(cluster: C): C {
    const request = async (asked: KubeRequest, signal: AbortSignal): Promise<KubeAnswer> => {
      if (asked.method === 'GET') return cluster.request(asked, signal);
      const { method } = asked;
      const [path = ''] = asked.path.split('?');
      const attributes = { 'http.request.method': method, 'url.path': path };
      const kind = collectionOf(path);
      const begun = { name: `${method} ${kind}`, kind: 'client', attributes } as const;
      const { end } = this.#begin({ ...begun, startMs: Date.now() }, this.#lastOn(asked), []);
      try {
        const answer = await cluster.request(asked, signal);
        end(answer.message || undefined);
        return answer;
      } catch (error) {
        end(error instanceof Error ? error : String(error));
        throw error;
      }
    };
    return { ...cluster, request };
  }

  close(): Promise<void> {
    return this.#exporter.flush();
  }

  #begin(
    begun: Pick<Span, 'name' | 'kind' | 'attributes' | 'startMs'>,
    parent: Context | undefined,
    links: readonly Context[],
  ): { readonly context: Context; end(error?: Error | string): void } {
    const context = below(parent, this.#settings.ratio, this.#settings.followsParent);
    const end = (error?: Error | string): void => {
      if (!context.sampled) return;
      const why = error instanceof Error ? error.message : (error ?? '');
      this.#exporter.add({ ...begun, ...context, parent, links, endMs: Date.now(), error: why });
    };
    return { context, end };
  }

  /** Each once, in the order of the causes. */
  #contextsOf(causes: readonly Cause[]): readonly Context[] {
    const contexts = causes.flatMap((cause) => this.#known.get(keyOf(cause)) ?? []);
    return [...new Map(contexts.map((context) => [context.spanId, context])).values()];
  }

  /** What was last said of the object that is written: that is why it is written. */
  #lastOn({ path, body }: KubeRequest): Context | undefined {
    const regarding = (body as { regarding?: { kind?: string; name?: string } } | undefined)
      ?.regarding;
    if (regarding?.kind !== undefined)
      return this.#known.get(`${regarding.kind.toLowerCase()}/${regarding.name}`);
    const name =
      path
        .split('?')[0]
        ?.replace(/\/status$/, '')
        .split('/')
        .at(-1) ?? '';
    return this.#known.get(`${collectionOf(path).replace(/s$/, '')}/${decodeURIComponent(name)}`);
  }

  #remember(key: string, context: Context): void {
    this.#known.delete(key);
    this.#known.set(key, context);
    if (this.#known.size <= MOST) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}

const keyOf = ({ stream, sequence }: Cause): string => `${stream} ${sequence}`;

/** `/apis/k8s.ovn.org/v1/egressips/web/status` is of `egressips`. */
function collectionOf(path: string): string {
  const words = (path.split('?')[0] ?? '').replace(/^\/apis?\/([^/]+\/)?v[^/]+\//, '').split('/');
  return (words[0] === 'namespaces' ? words[2] : words[0]) ?? '';
}
