/** Nodes that fall silent and come back, a watcher that probes them, and the time for all that. */
import type { ProbeAnswer } from '../../core/door.ts';
import type { Settings } from '../../services/watcher/input.ts';
import {
  CLAIMS,
  EGRESSIPS,
  egressIPObject,
  INFRASTRUCTURES,
  listed,
  NODES,
  nodeObject,
  notServed,
  usualProbes,
  Watched,
} from './watcher-bench.ts';

/** From when to when a node is silent, in milliseconds; `to` is excluded, Infinity = dead. */
export interface Silence {
  readonly from: number;
  readonly to: number;
}

/** What the prober remembers of a node (`spec/egressip.md` 6.2). */
interface Line {
  connected: boolean;
  failed: boolean;
}

interface Pending {
  readonly atMs: number;
  readonly node: string;
  readonly ask: number;
  readonly answer: ProbeAnswer;
}

export class Timeline {
  readonly watched: Watched;
  readonly silences = new Map<string, Silence>();
  nowMs = 0;
  readonly #settings: Settings;
  readonly #names: readonly string[];
  #lines = new Map<string, Line>();
  #pending: Pending[] = [];
  #tickMs: number;
  readonly #stepMs: number;

  /** The first probes have been answered when this returns. */
  constructor(nodes: number, settings: Settings = usualProbes, stepMs = 50) {
    this.#settings = settings;
    this.#stepMs = stepMs;
    this.#names = Array.from({ length: nodes }, (_, index) => `worker-${index}`);
    this.watched = new Watched(settings);
    this.#tickMs = this.#slotMs;
    this.#begin();
  }

  get #slotMs(): number {
    return this.#settings.intervalMs / (this.#settings.slots ?? 1);
  }

  #begin(): void {
    this.watched.sense(
      listed(
        NODES,
        this.#names.map((name, index) => nodeObject(name, name, index)),
      ),
      listed(EGRESSIPS, [egressIPObject('web', 'web', '10.0.0.100')]),
      notServed(CLAIMS),
      notServed(INFRASTRUCTURES),
    );
    this.#work();
  }

  /** The watcher starts anew, with no connection to anybody. */
  restart(): this {
    this.#lines = new Map();
    this.#pending = [];
    this.#tickMs = this.nowMs + this.#slotMs;
    this.watched.restart();
    this.#begin();
    return this;
  }

  silence(nodes: readonly string[], silence: Silence): this {
    for (const node of nodes) this.silences.set(node, silence);
    return this;
  }

  run(untilMs: number): this {
    for (; this.nowMs < untilMs; this.#work()) this.nowMs += this.#stepMs;
    return this;
  }

  #work(): void {
    const due = this.#pending.filter(({ atMs }) => atMs <= this.nowMs);
    if (due.length > 0) this.#pending = this.#pending.filter(({ atMs }) => atMs > this.nowMs);
    // One by one, as they come in: what belongs together is for the watcher to know.
    for (const { node, ask, answer } of due)
      this.watched.sense({ kind: 'Probed', node, ask, ...answer });
    if (this.nowMs >= this.#tickMs) {
      this.#tickMs += this.#slotMs;
      this.watched.sense({ kind: 'Tick' });
    }
    for (const act of this.watched.acts.splice(0)) {
      if (act.kind === 'Forget') this.#lines.delete(act.node);
      else this.#probe(act.request.node, act.ask);
    }
  }

  /** An attempt succeeds if the node answers at any moment before the deadline. */
  #probe(node: string, ask: number): void {
    const { deadlineMs, probing } = this.#settings;
    const { from, to } = this.silences.get(node) ?? { from: Infinity, to: Infinity };
    const silent = this.nowMs >= from && this.nowMs < to;
    const answered = !silent || to < this.nowMs + deadlineMs;
    const atMs = !silent ? this.nowMs : Math.min(to, this.nowMs + deadlineMs);
    const answer = probing === 'grpc' ? this.#grpc(node, answered) : { reachable: answered };
    this.#pending.push({ atMs, node, ask, answer: { because: 'a probe', ...answer } });
  }

  #grpc(node: string, answered: boolean): Pick<ProbeAnswer, 'reachable' | 'doubtful'> {
    const line = this.#lines.get(node) ?? { connected: false, failed: false };
    this.#lines.set(node, line);
    if (!line.connected) {
      line.connected = answered;
      return { reachable: answered, ...(answered && line.failed ? { doubtful: true } : {}) };
    }
    const tolerated = !answered && !line.failed;
    line.connected = answered;
    line.failed = !answered;
    return { reachable: answered || tolerated, ...(tolerated ? { doubtful: true } : {}) };
  }

  /** The nodes that count as unreachable. */
  get lost(): readonly string[] {
    const facts = [...this.watched.log.values()];
    return facts.flatMap((fact) =>
      fact.kind === 'ReachabilitySeen' && !fact.reachable ? [fact.name] : [],
    );
  }

  get isolated(): boolean {
    const fact = this.watched.log.get('prober/cluster');
    return fact?.kind === 'ProberSeen' && fact.isolated;
  }

  names(from: number, to: number): readonly string[] {
    return this.#names.slice(from, to);
  }
}
