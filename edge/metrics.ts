/** The numbers that a room shows to Prometheus. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Page } from './health.ts';

export type MetricLabels = Readonly<Record<string, string>>;

/** A value, and the labels that it goes with. */
export type Sample = readonly [value: number, labels?: MetricLabels];

/** Names are without the prefix `sluice_`, in base units: `_seconds`, `_bytes`. */
export interface Metrics {
  /** Counts up; `name` ends in `_total`. */
  counter(name: string, help: string, labels?: string[]): (by?: number, of?: MetricLabels) => void;
  /** A level, read when Prometheus asks; what is not among the samples any more is not shown. */
  gauge(name: string, help: string, read: () => Iterable<Sample>, labels?: string[]): void;
  /** What counts up elsewhere, read when Prometheus asks. */
  total(name: string, help: string, read: () => Iterable<Sample>, labels?: string[]): void;
  /** How long things take. */
  seconds(name: string, help: string, buckets: number[]): (seconds: number) => void;
  page(): Promise<Page>;
}

/** Upstream's metrics keep their names: dashboards and alerts that know them go on to work. */
const full = (name: string): string => (name.startsWith('ovnkube_') ? name : `sluice_${name}`);

/** @param version is shown as `sluice_build_info`, beside Node's own metrics of the process. */
export function openMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const metrics: Metrics = {
    counter(name, help, labelNames = []) {
      const counter = new Counter({ name: `sluice_${name}`, help, labelNames, registers });
      return (by = 1, of = {}) => counter.inc(of, by);
    },
    gauge(name, help, read, labelNames = []) {
      const options = { name: full(name), help, labelNames, registers };
      new Gauge({
        ...options,
        collect(): void {
          this.reset();
          for (const [value, labels = {}] of read()) this.set(labels, value);
        },
      });
    },
    total: (...what) => openTotal(registers, ...what),
    seconds(name, help, buckets) {
      const histogram = new Histogram({ name: `sluice_${name}`, help, buckets, registers });
      return (seconds) => histogram.observe(seconds);
    },
    async page() {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
  metrics.gauge('build_info', 'The version that runs.', () => [[1, { version }]], ['version']);
  return metrics;
}

function openTotal(registers: Registry[], ...what: Parameters<Metrics['total']>): void {
  const [name, help, read, labelNames = []] = what;
  new Counter({
    name: full(name),
    help,
    labelNames,
    registers,
    collect(): void {
      this.reset();
      for (const [value, labels = {}] of read()) this.inc(labels, value);
    },
  });
}
