/** What Prometheus sees of a room's life. */
import { type Metrics, openMetrics } from './metrics.ts';
import type { Vitals } from './vitality.ts';

const VERSION = '0.1.0';

export function metricsOf(vitals: Vitals): Metrics {
  const metrics = openMetrics(VERSION);
  const show = (name: string, help: string, read: () => number): void =>
    metrics.gauge(name, help, () => [[read()]]);
  show('caught_up', 'Whether the room has heard all that is on the log.', () =>
    Number(vitals.caughtUp),
  );
  show('events_heard', 'Events heard since the start.', () => vitals.heard);
  show('events_spoken', 'Events put on the log since the start.', () => vitals.spoke);
  show('log_last_sequence', "The last sequence on the room's own stream.", () => vitals.last);
  show('acts_in_flight', 'Writes or probes under way.', () => vitals.acting);
  show('decide_seconds', 'How long the last decision took.', () => vitals.decideMs / 1000);
  return metrics;
}
