/** Whether a server that a room depends on answers, for `/readyz` and the log. */
import { sleep } from './clock.ts';
import type { Check } from './health.ts';
import type { Logger } from './log.ts';

/** How often it is looked whether the server is back, in milliseconds. */
const LOOK_MS = 500;

export interface Standing {
  /** Something went wrong: it is logged, and the check fails until the server answers again. */
  trouble(sentence: string): void;
  /** The same, but of many that come together only the first is logged. */
  suspect(sentence: string): void;
  check(): Check;
}

/**
 * `answers` is asked only while there is trouble, until it says true. `what` is a name for people:
 * `the Kubernetes API`.
 */
export function openStanding(
  what: string,
  answers: (signal: AbortSignal) => Promise<boolean>,
  logger: Logger,
  signal: AbortSignal,
): Standing {
  let last = '';
  const untilItAnswers = async (): Promise<void> => {
    do await sleep(LOOK_MS, signal);
    while (!signal.aborted && !(await answers(signal)));
    last = '';
    if (!signal.aborted) logger.info(`${what} answers`);
  };
  const trouble = (sentence: string): void => {
    logger.warn(sentence);
    if (last === '') void untilItAnswers();
    last = sentence || what;
  };
  return {
    trouble,
    suspect: (sentence) => last === '' && trouble(sentence),
    check: () => ({ name: what, ok: last === '', state: last === '' ? 'answers' : last }),
  };
}

/** Logs when a connection is lost, and when it is there again, until `signal` aborts. */
export async function tellConnection(
  what: string,
  connected: () => boolean,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  let was = true;
  while (!signal.aborted) {
    const is = connected();
    if (is !== was && is) logger.info(`${what} is connected again`);
    else if (is !== was) logger.warn(`${what} is not connected: waiting for it`);
    was = is;
    await sleep(LOOK_MS, signal);
  }
}
