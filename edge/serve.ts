/**
 * A room as a process: settings, health port, log on NATS, and life after life until it is stopped.
 */
import type { Log } from '../core/door.ts';
import { StaleWriter } from '../core/door.ts';
import type { Speaker } from '../core/event.ts';
import type { Room } from '../core/room.ts';
import { openClock, sleep } from './clock.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Check, type Health, openHealth } from './health.ts';
import { type Logger, openLogger } from './log.ts';
import { metricsOf } from './vitals.ts';
import type { NatsLog } from './nats/log.ts';
import { openLog } from './nats.ts';
import { tellConnection } from './standing.ts';
import { type Doors, live } from './run.ts';
import { freshVitals, type Vitals } from './vitality.ts';

/** What a room's `main.ts` builds on. */
export interface House {
  readonly config: Config;
  readonly logger: Logger;
  /** Ends when the process is asked to stop. */
  readonly signal: AbortSignal;
}

/** What a room has besides the log and the clock. */
export interface Opened<World, Input, Act> {
  readonly room: Room<World, Input, Act>;
  readonly doors: Omit<Doors<Input, Act>, 'log' | 'clock'>;
  /** What must be well besides NATS, for `/readyz`. */
  readonly checks?: () => readonly Check[];
  readonly close?: () => Promise<void>;
}

/**
 * A room that lost a race, or whose log was replaced, starts anew after this; it replays the log.
 */
const ANEW_MS = 250;

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
  const metrics = metricsOf(vitals);
  let log: NatsLog | undefined;
  let more: () => readonly Check[] = () => [];
  const health = await openHealth({
    port: config.healthPort,
    checks: () => [...checksOf(log, vitals), ...more()],
    metrics: () => metrics.page(),
  });
  try {
    const opened = await open({ config, logger, signal: stop.signal });
    more = opened.checks ?? more;
    logger.info('connecting to NATS', { nats: withoutPassword(config.natsUrl) });
    log = await openLog({
      servers: config.natsUrl.split(','),
      name: `sluice-${name}`,
      prefix: config.prefix,
    });
    void tellConnection('NATS', log.connected, logger, stop.signal);
    await lifeAfterLife(opened, log, vitals, logger, stop.signal);
    await opened.close?.();
  } catch (error) {
    if (!stop.signal.aborted) return fail(logger, error);
  }
  await end(log, health);
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

async function lifeAfterLife<World, Input, Act>(
  { room, doors }: Opened<World, Input, Act>,
  log: Log,
  vitals: Vitals,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const clock = openClock();
  while (!signal.aborted) {
    try {
      await live(room, { ...doors, log, clock }, vitals, signal);
    } catch (error) {
      if (!(error instanceof StaleWriter)) throw error;
      logger.warn('starting anew from the log', { because: error.message });
      await sleep(ANEW_MS, signal);
    }
  }
}

function checksOf(log: NatsLog | undefined, vitals: Vitals): readonly Check[] {
  const connected = log?.connected() === true;
  const ready = vitals.caughtUp && vitals.waits === '';
  return [
    { name: 'nats', ok: connected, state: connected ? 'connected' : 'not connected' },
    {
      name: 'caught up',
      ok: ready,
      state: ready
        ? `yes, ${vitals.heard} heard, ${vitals.spoke} spoken`
        : `waits for ${vitals.waits}`,
    },
  ];
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
