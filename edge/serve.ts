/**
 * A room as a process: settings, health port, log on NATS, and life after life until it is stopped.
 */
import { accessSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Speaker } from '../core/event.ts';
import type { Room } from '../core/room.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Check, type Health, openHealth } from './health.ts';
import { Lease } from './lease.ts';
import { lifeAfterLife } from './lives.ts';
import { type Logger, openLogger } from './log.ts';
import { metricsOf } from './vitals.ts';
import type { NatsLog } from './nats/log.ts';
import { openLog } from './nats.ts';
import type { LogOptions } from './nats/options.ts';
import { checksOf } from './readiness.ts';
import type { Doors } from './run.ts';
import { tellConnection } from './standing.ts';
import { openTracing } from './trace.ts';
import type { Tracing } from './trace/tracing.ts';
import { freshVitals } from './vitality.ts';

/** What a room's `main.ts` builds on. */
export interface House {
  readonly config: Config;
  readonly logger: Logger;
  /** Ends when the process is asked to stop. */
  readonly signal: AbortSignal;
  /** Whether a request that changes something may be sent now: another replica may lead since. */
  readonly mayWrite: () => boolean;
  /** Where OpenTelemetry is told of what happens. */
  readonly trace: Tracing | undefined;
}

/** What a room has besides the log and the clock. */
export interface Opened<World, Input, Act> {
  readonly room: Room<World, Input, Act>;
  readonly doors: Omit<Doors<Input, Act>, 'log' | 'clock'>;
  /** What is done before each life; returns how often an older copy of the log was found. */
  readonly begin?: (log: NatsLog, signal: AbortSignal) => Promise<number>;
  /** What must be well besides NATS, for `/readyz`. */
  readonly checks?: () => readonly Check[];
  /** What is done at the end, while this replica still leads. */
  readonly last?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}

/** Runs until SIGTERM or SIGINT. A bug ends the process with 1: it is restarted and replays. */
export async function serve<World, Input, Act>(
  name: Speaker,
  open: (house: House) => Promise<Opened<World, Input, Act>>,
): Promise<void> {
  const config = settings();
  const stop = new AbortController();
  for (const ask of ['SIGTERM', 'SIGINT'] as const) process.once(ask, () => stop.abort());
  const logger = openLogger(name, config.logLevel);
  const vitals = freshVitals();
  let log: NatsLog | undefined;
  let lease: Lease | undefined;
  let trace: Tracing | undefined;
  const mayWrite = (): boolean => lease?.mayWrite() === true;
  const metrics = metricsOf(vitals, () => log);
  let more: () => readonly Check[] = () => [];
  const health = await openHealth({
    port: config.healthPort,
    checks: () => [...checksOf(log, lease, vitals), ...more()],
    metrics: () => metrics.page(),
  });
  try {
    trace = await openTracing(process.env, name, (sentence) => logger.warn(sentence));
    const opened = await open({ config, logger, signal: stop.signal, mayWrite, trace });
    more = opened.checks ?? more;
    logger.info('connecting to NATS', { nats: withoutPassword(config.natsUrl) });
    log = await openLog({ ...logOptionsOf(config, name), trace });
    void tellConnection('NATS', log.connected, logger, stop.signal);
    lease = new Lease(log.leaseOf(name), { holder: hostname(), instance: config.instance });
    const replica = { log, lease, vitals, logger, begin: opened.begin };
    await lifeAfterLife(opened.room, opened.doors, replica, stop.signal);
    await opened.last?.();
    await lease.release();
    await opened.close?.();
  } catch (error) {
    await lease?.release();
    if (!stop.signal.aborted) return fail(logger, error);
  }
  await trace?.close();
  await end(log, health);
}

function logOptionsOf(config: Config, name: Speaker): LogOptions {
  const { natsUser: user, natsPassword: password, natsCaFile: caFile } = config;
  // The client would try again for ever, and not say why.
  if (caFile !== '') accessSync(caFile);
  return {
    servers: config.natsUrl.split(','),
    name: `sluice-${name}`,
    prefix: config.prefix,
    replicas: config.logReplicas,
    makes: config.logStreams === 'make',
    ...(user !== '' && { user, password }),
    ...(caFile !== '' && { tls: { caFile } }),
  };
}

function settings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(64);
  }
}

async function end(log: NatsLog | undefined, health: Health): Promise<void> {
  await log?.close();
  await health.close();
}

/** The last line says why; then nothing must keep the process alive. */
function fail(logger: Logger, error: unknown): void {
  logger.error('stopped by an error', { err: error });
  process.exitCode = 1;
  setTimeout(() => process.exit(1), 100).unref();
}

const withoutPassword = (url: string): string => url.replaceAll(/\/\/[^@/]*@/g, '//…@');
