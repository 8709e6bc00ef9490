/** A replica of a room from start to end: it stands by, leads, and lives life after life. */
import { StaleWriter } from '../core/door.ts';
import type { Room } from '../core/room.ts';
import { openClock, sleep } from './clock.ts';
import type { Lease } from './lease.ts';
import type { Logger } from './log.ts';
import type { NatsLog } from './nats/log.ts';
import { type Doors, live } from './run.ts';
import type { Vitals } from './vitality.ts';

/** What a replica has besides its room. */
export interface Replica {
  readonly log: NatsLog;
  readonly lease: Lease;
  readonly vitals: Vitals;
  readonly logger: Logger;
  /** What is done before each life; returns how often an older copy of the log was found. */
  readonly begin: ((log: NatsLog, signal: AbortSignal) => Promise<number>) | undefined;
}

/**
 * A room that lost a race, or whose log was replaced, starts anew after this; it replays the log.
 */
const ANEW_MS = 250;

/** Runs until `signal` aborts. */
export async function lifeAfterLife<World, Input, Act>(
  room: Room<World, Input, Act>,
  doors: Omit<Doors<Input, Act>, 'log' | 'clock'>,
  { log, lease, vitals, logger, begin }: Replica,
  signal: AbortSignal,
): Promise<void> {
  const all = { ...doors, log, clock: openClock() };
  while (!signal.aborted) {
    await lead(lease, logger, signal);
    vitals.leads = lease.leads;
    const within = AbortSignal.any([signal, lease.over]);
    try {
      if (begin !== undefined && lease.leads) vitals.rollbacks = await begin(log, within);
      if (lease.leads) await live(room, all, vitals, within);
    } catch (error) {
      if (!(error instanceof StaleWriter)) throw error;
      logger.warn('starting anew from the log', { because: error.message });
      await sleep(ANEW_MS, within);
    }
    vitals.leads = lease.leads;
    if (lease.leads || signal.aborted) continue;
    logger.warn('another replica leads now');
    // What it last knew is shown by the other now.
    vitals.readings = () => [];
  }
}

async function lead(lease: Lease, logger: Logger, signal: AbortSignal): Promise<void> {
  if (lease.leads) return;
  const waited = new AbortController();
  const either = AbortSignal.any([signal, waited.signal]);
  // Who starts alone leads at once, and says nothing of it.
  const tell = sleep(1_000, either).then(() => {
    if (either.aborted) return;
    logger.info('stands by', { leads: lease.standsBy, trouble: lease.trouble });
    told = true;
  });
  let told = false;
  await lease.lead(signal);
  waited.abort();
  await tell;
  if (told && lease.leads) logger.info('leads now');
}
