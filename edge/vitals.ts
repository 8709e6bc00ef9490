/** What Prometheus sees of a room's life. */
import type { Reading } from '../core/room.ts';
import type { Page } from './health.ts';
import { type Metrics, openMetrics, type Sample } from './metrics.ts';
import type { Vitals } from './vitality.ts';

const VERSION = '0.1.0';

/** How a room's log is doing, as its numbers tell it. */
export interface LogState {
  connected(): boolean;
  unreadable(): number;
}

/**
 * The page for Prometheus. What the room itself shows is registered when it first shows it. `log`
 * gives undefined until the log is opened.
 */
export function metricsOf(
  vitals: Vitals,
  log: () => LogState | undefined = () => undefined,
): Pick<Metrics, 'page'> {
  const metrics = openMetrics(VERSION);
  const show = (name: string, help: string, read: () => number): void =>
    metrics.gauge(name, help, () => [[read()]]);
  show('leader', 'Whether this replica of the room is the one that speaks.', () =>
    Number(vitals.leads),
  );
  metrics.total('log_rollbacks_total', 'Older copies of the log that were found, ever.', () => [
    [vitals.rollbacks],
  ]);
  show('caught_up', 'Whether the room has heard all that is on the log.', () =>
    Number(vitals.caughtUp),
  );
  show('events_heard', 'Events heard since the start.', () => vitals.heard);
  show('events_spoken', 'Events put on the log since the start.', () => vitals.spoke);
  show('log_last_sequence', "The last sequence on the room's own stream.", () => vitals.last);
  show('log_connected', 'Whether the room is connected to NATS.', () =>
    Number(log()?.connected() === true),
  );
  show('log_unreadable_events', 'Events that could not be decoded since the start.', () =>
    Number(log()?.unreadable() ?? 0),
  );
  show('acts_in_flight', 'Writes or probes under way.', () => vitals.acting);
  show('decide_seconds', 'How long the last decision took.', () => vitals.decideMs / 1000);
  const known = new Set<string>();
  return {
    page: (): Promise<Page> => {
      for (const reading of vitals.readings()) register(metrics, vitals, known, reading);
      return metrics.page();
    },
  };
}

function register(metrics: Metrics, vitals: Vitals, known: Set<string>, first: Reading): void {
  const { name, help, kind, labels = {} } = first;
  if (known.has(name)) return;
  known.add(name);
  const read = (): Iterable<Sample> => samples(vitals, name);
  const labelNames = Object.keys(labels);
  if (kind === 'gauge') metrics.gauge(name, help, read, labelNames);
  else metrics.total(name, help, read, labelNames);
}

function* samples(vitals: Vitals, wanted: string): Generator<Sample> {
  for (const { name, value, labels = {} } of vitals.readings())
    if (name === wanted) yield [value, labels];
}
