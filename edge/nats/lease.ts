/** A room's lease as the last message of its subject, in a small stream beside the log. */
import type { Speaker } from '../../core/event.ts';
import type { Held, LeaseStore } from '../lease-store.ts';
import { answerOf, ApiError, ask, json, storedMessage, streamInfo } from './api.ts';
import { asciiLine } from './header.ts';
import type { Place } from './stream.ts';
import type { Wire } from './wire.ts';

/** Another revision than the expected one; in a cluster of servers also: two at the same time. */
const refusals: ReadonlySet<number> = new Set([10071, 10164]);
const nameInUse = 10058;

/** `SLUICE_LEASE`, with the subjects `sluice-lease.<room>`: no part of the log. */
export const leaseStream = (prefix: string): string => `${prefix}_lease`.toUpperCase();
export const leaseSubject = (prefix: string, room: string): string => `${prefix}-lease.${room}`;

/** The lease of one room; its words are headers, so that people can read them. */
export function leaseStore(wire: Wire, place: Place, room: Speaker): LeaseStore {
  const stream = leaseStream(place.prefix);
  const subject = leaseSubject(place.prefix, room);
  return {
    read: async () => {
      const found = await storedMessage(wire, stream, { last_by_subj: subject });
      if (found === undefined) await ensure(wire, place);
      const header = (name: string): string => found?.header(name) ?? '';
      const revision = found?.sequence ?? 0;
      const term = header('Term');
      return { revision, holder: header('Holder'), instance: header('Instance'), term };
    },
    put: (words, revision) => put(wire, subject, words, revision),
    unique: () => wire.unique(),
  };
}

async function put(
  wire: Wire,
  subject: string,
  { holder, instance, term }: Omit<Held, 'revision'>,
  revision: number,
): Promise<number | undefined> {
  const headers = {
    Said: holder === '' ? 'nobody leads' : asciiLine(`${holder} leads`),
    Holder: asciiLine(holder),
    Instance: asciiLine(instance),
    Term: term,
    'Nats-Expected-Last-Subject-Sequence': String(revision),
  };
  try {
    const { data } = await wire.request(subject, json({}), headers);
    return answerOf<{ seq: number }>(data).seq;
  } catch (error) {
    if (error instanceof ApiError && refusals.has(error.errCode)) return undefined;
    throw error;
  }
}

/**
 * Without any age: who stands by measures by its own clock how long the lease has not changed. So
 * nobody depends on the server's clock, and a holder that was cut off learns whether another led
 * meanwhile.
 */
async function ensure(wire: Wire, place: Place): Promise<void> {
  const name = leaseStream(place.prefix);
  if (!place.makes || (await streamInfo(wire, name))) return;
  const config = {
    name,
    subjects: [leaseSubject(place.prefix, '*')],
    num_replicas: place.replicas,
    max_msgs_per_subject: 1,
    storage: 'file',
    retention: 'limits',
    discard: 'old',
  };
  try {
    await ask(wire, `STREAM.CREATE.${name}`, config);
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof ApiError && error.errCode === nameInUse)) throw error;
  }
}
