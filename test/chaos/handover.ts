/** Who of two publishers led when, and whose requests came to the API server at the wrong time. */
import { readFileSync } from 'node:fs';
import type { Audited } from '../controlplane/audit.ts';

/** The one that led was harmed; what came of it. */
export interface Handover {
  /** Its user. */
  readonly old: string;
  /** The harm, in milliseconds since 1970. */
  readonly atMs: number;
  /** How long it was frozen, in milliseconds; 0 = it was ended. */
  readonly frozenMs: number;
  /** Requests of it that were sent before the harm and answered behind it. */
  readonly inFlight: number;
  /** From the harm until another led, in milliseconds; -1 = it went on itself. */
  readonly takeoverMs: number;
  /** Requests of it that came, or were answered, when another led; and how many were accepted. */
  readonly late: number;
  readonly accepted: number;
}

/** From `fromMs` on this one leads, until the next term begins. */
export interface Term {
  readonly by: string;
  readonly fromMs: number;
}

/** When a publisher that had stood by said that it leads: its word follows its lease by moments. */
export function termsOf(by: string, logFile: string): Term[] {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  return lines
    .filter((line) => line.includes('"msg":"leads now"'))
    .map((line) => ({ by, fromMs: Date.parse((JSON.parse(line) as { time: string }).time) }));
}

/**
 * The requests that the API server got, or had not answered yet, while a term of somebody else ran.
 * `terms` in order of time. Accepted or not: a request that is refused should not have been sent.
 */
export function outOfTerm(terms: readonly Term[], requests: readonly Audited[]): Audited[] {
  return requests.filter(({ user, atMs, doneMs }) =>
    terms.some(({ by, fromMs }, index) => {
      const endMs = terms[index + 1]?.fromMs ?? Infinity;
      return by !== user && atMs < endMs && doneMs >= fromMs;
    }),
  );
}

export const isAccepted = ({ status }: Audited): boolean => status >= 200 && status < 300;
