/**
 * The log's server as the shipped code asks it by JetStream's API: which streams are there, what
 * stands at their end, who leads. What rooms hear and say goes through `log-door.ts`.
 */
import type { Speaker } from '../../core/event.ts';
import { speakers } from '../../core/event.ts';
import { besides, type NatsLog } from '../../edge/nats/log.ts';
import type { Marks } from '../../edge/nats/mark.ts';
import { type Delivery, type Headers, Unanswered, type Wire } from '../../edge/nats/wire.ts';
import type { Faults } from './faults.ts';
import { endOf, type LogServer } from './log-server.ts';
import type { Network } from './network.ts';
import type { Process } from './process.ts';

export interface WireHouse {
  readonly server: LogServer;
  readonly faults: Faults;
  readonly network: Network;
  /** A second process of some room will come: then it matters how long a renewal takes. */
  readonly contested: boolean;
}

/** As `edge/nats.ts`. */
const TIMEOUT_MS = 2_000;
const place = { prefix: 'sluice', replicas: 1, makes: true } as const;
const LEASES = 'SLUICE_LEASE';
const leaseSubject = 'sluice-lease.';

/** All of a log but hearing and speaking. */
export function markedLog(
  house: WireHouse,
  process: Process,
  heard: Marks,
): Omit<NatsLog, 'hear' | 'speak'> {
  return {
    ...besides(wireOf(house, process), place, heard),
    connected: () => true,
    unreadable: () => 0,
    read: () => nothing(),
    close: () => Promise.resolve(),
  };
}

async function* nothing(): AsyncGenerator<never> {}

function wireOf(house: WireHouse, process: Process): Wire {
  let made = 0;
  const never = (): never => {
    throw new Error('the simulated server has no consumers');
  };
  return {
    connected: () => true,
    ready: () => Promise.resolve(),
    unique: () => `${process.name}.${++made}`,
    onChange: () => () => undefined,
    publish: never,
    subscribe: never,
    request: (subject, data, headers) => request(house, process, subject, data, headers ?? {}),
  };
}

/** It lands even when its answer is late; who was frozen meanwhile has waited long enough. */
async function request(
  { server, faults, network, contested }: WireHouse,
  process: Process,
  subject: string,
  data: Uint8Array,
  headers: Headers,
): Promise<Delivery> {
  const { scheduler } = process;
  const sentMs = scheduler.nowMs;
  // Renewals are by far the most of all steps: where nobody waits for their end they cost none.
  const isQuick = !contested && subject.startsWith(leaseSubject);
  if (!isQuick) await network.go(process, subject);
  const away = server.awayUntilMs > scheduler.nowMs;
  const answer = away ? undefined : serve(server, subject, textOf(data), headers);
  const lost = faults.befalls('log acknowledgement lost');
  const isLate = answer === undefined || lost;
  if (!isQuick || isLate) await network.back(process, subject, isLate ? TIMEOUT_MS : 0);
  if (isLate || scheduler.nowMs - sentMs > TIMEOUT_MS) throw new Unanswered(`${subject}: timeout`);
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  return { subject, reply: '', data: bytes, status: 0, header: () => '' };
}

const textOf = (data: Uint8Array): string => new TextDecoder().decode(data);

const refused = (code: number, err_code: number, description: string): object => ({
  error: { code, err_code, description },
});
const noStream = refused(404, 10059, 'stream not found');
const noMessage = refused(404, 10037, 'no message found');

/** Undefined = nobody is there to answer. */
function serve(
  server: LogServer,
  subject: string,
  body: string,
  headers: Headers,
): object | undefined {
  if (subject.startsWith(leaseSubject)) return put(server, subject, headers);
  const [, verb = '', name = ''] =
    /^\$JS\.API\.STREAM\.([A-Z.]+)\.(SLUICE_\S+)$/.exec(subject) ?? [];
  if (name === LEASES) return serveLeases(server, verb, body);
  const speaker = speakers.find((one) => `SLUICE_${one}`.toUpperCase() === name);
  if (speaker === undefined) throw new Error(`the simulated server does not know ${subject}`);
  return serveStream(server, speaker, verb, body);
}

function serveStream(server: LogServer, speaker: Speaker, verb: string, body: string): object {
  const stream = server.stream(speaker);
  if (verb === 'INFO') {
    const { created, events } = stream;
    return { created, state: { messages: events.length, last_seq: endOf(stream) } };
  }
  if (verb === 'DELETE') {
    server.void(speaker);
    return { success: true };
  }
  const { seq } = JSON.parse(body) as { readonly seq: number };
  const heard = server.at(speaker, seq);
  return heard === undefined ? noMessage : stored(seq, { 'ce-id': server.idOf(heard) });
}

function put({ leases }: LogServer, subject: string, headers: Headers): object | undefined {
  if (!leases.exists) return undefined;
  const guard = Number(headers['Nats-Expected-Last-Subject-Sequence']);
  const seq = leases.put(subject.slice(leaseSubject.length), headers, guard);
  return seq === undefined ? refused(400, 10071, 'wrong last sequence') : { seq };
}

function serveLeases({ leases }: LogServer, verb: string, body: string): object {
  if (verb === 'CREATE') leases.make();
  if (!leases.exists) return noStream;
  if (verb !== 'MSG.GET') return { created: '', state: { messages: 0, last_seq: 0 } };
  const { last_by_subj } = JSON.parse(body) as { readonly last_by_subj: string };
  const word = leases.get(last_by_subj.slice(leaseSubject.length));
  return word === undefined ? noMessage : stored(word.revision, word.headers);
}

function stored(seq: number, headers: Headers): object {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const hdrs = Buffer.from(`NATS/1.0\r\n${lines.join('')}\r\n`).toString('base64');
  return { message: { seq, hdrs } };
}
