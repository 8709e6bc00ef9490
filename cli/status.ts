/** `sluice status`: how the rooms are, and where each egress IP is. */
import { speakers } from '../core/event.ts';
import { stringifyYaml } from '../edge/yaml.ts';
import type { Settings } from '../services/assigner/input.ts';
import { exit } from './failure.ts';
import { readToEnd, type Readable } from './read.ts';
import { Standing } from './status-report.ts';
import type { StatusReport } from './status-shape.ts';
import { recordOf, textOf } from './status-text.ts';
import { CLEAR, type Terminal } from './terminal.ts';

export interface StatusAsk {
  readonly output: 'table' | 'wide' | 'json' | 'yaml';
  readonly watch: boolean;
  readonly headers: boolean;
  readonly settings: Settings;
  /** Where the log is, for the head line. */
  readonly place: string;
}

/** What comes in quick succession is shown once. */
const GATHER_MS = 200;
const SKEW_MS = 60_000;

/** Exit code 0 when every address has a node, else 1; with `watch` as it was at the end. */
export async function status(log: Readable, ask: StatusAsk, terminal: Terminal): Promise<number> {
  const standing = new Standing(ask.settings);
  const startMs = terminal.nowMs();
  const others = ['watcher', 'aws-sync', 'bgp', 'publisher'] as const;
  const last = { streams: others, from: 'last-per-subject' } as const;
  for await (const read of readToEnd(log, last, terminal.signal)) standing.hear(read);
  // All that is still there of the assigner's words: they tell since when.
  const all = { streams: ['assigner'], from: 'all' } as const;
  for await (const read of readToEnd(log, all, terminal.signal)) standing.hear(read);
  let fine = show(standing, ask, terminal);
  if (!ask.watch) return fine ? exit.fine : exit.notFine;
  const later = { streams: speakers, sinceMs: startMs - SKEW_MS, from: 'all' } as const;
  const gathering = new Gathering(() => (fine = show(standing, ask, terminal)));
  for await (const read of log.read({ ...later, follow: true }, terminal.signal)) {
    standing.hear(read);
    gathering.stir();
  }
  gathering.end();
  return fine ? exit.fine : exit.notFine;
}

/** Calls `show` a moment after the first of several stirs. */
class Gathering {
  readonly #show: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(show: () => void) {
    this.#show = show;
  }

  stir(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#show();
    }, GATHER_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

const shown = new WeakMap<Standing, string>();

/** Prints the report, unless it is the one that was printed last. Tells whether all is fine. */
function show(standing: Standing, ask: StatusAsk, terminal: Terminal): boolean {
  const report = standing.report();
  const key = JSON.stringify(report);
  const before = shown.get(standing);
  if (before === key) return report.fine;
  shown.set(standing, key);
  const between = ask.output === 'yaml' ? '---\n' : '\n';
  const again = before === undefined || ask.output === 'json' ? '' : between;
  const prefix = ask.watch && terminal.screen ? CLEAR : again;
  terminal.out(`${prefix}${rendered(report, ask, terminal)}`);
  return report.fine;
}

function rendered(report: StatusReport, ask: StatusAsk, terminal: Terminal): string {
  switch (ask.output) {
    case 'json':
      return `${JSON.stringify(recordOf(report), null, ask.watch ? undefined : 2)}\n`;
    case 'yaml':
      return stringifyYaml(recordOf(report));
    case 'table':
    case 'wide':
      return textOf(report, ask, terminal.nowMs());
  }
}
