/** Reading the log to its end, for commands that answer and go. */
import type { NatsLog } from '../edge/nats/log.ts';
import type { Read, ReadOptions } from '../edge/nats/read.ts';
import { exit, Failure } from './failure.ts';

/** The part of the log door that people's commands use. */
export type Readable = Pick<NatsLog, 'read'>;

/** So long nothing may come before the log counts as not there. */
const SILENCE_MS = 5_000;

/**
 * What is on the log, until its end. Throws Failure 69 when nothing comes for `silenceMs`: the
 * streams are not there, or the server went away; and when `signal` aborts before the end.
 */
export async function* readToEnd(
  log: Readable,
  options: Omit<ReadOptions, 'follow'>,
  signal: AbortSignal,
  silenceMs = SILENCE_MS,
): AsyncGenerator<Read> {
  const silence = new AbortController();
  const within = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    for await (const read of log.read({ ...options, follow: false }, within)) {
      clearTimeout(timer);
      yield read;
      timer = setTimeout(() => silence.abort(), silenceMs);
    }
  } finally {
    clearTimeout(timer);
  }
  // Half of the log would be taken for all of it.
  if (signal.aborted) throw new Failure(INTERRUPTED, 'interrupted');
  if (silence.signal.aborted) throw noLog(silenceMs);
}

/** What a shell reports of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Whether there is a log, known within two seconds; true as well when `signal` aborts before. */
export async function isThere(log: Readable, signal: AbortSignal): Promise<boolean> {
  const last = { streams: ['watcher'], from: 'last-per-subject' } as const;
  try {
    for await (const _ of readToEnd(log, last, signal, 2_000)) return true;
    return true;
  } catch {
    return signal.aborted;
  }
}

const noLog = (silenceMs: number): Failure =>
  new Failure(
    exit.unavailable,
    `the server answers, but there is no log to read (waited ${silenceMs / 1000} s). ` +
      'Are the rooms running? Is --prefix right? See the streams: nats stream ls',
  );
