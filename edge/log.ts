/** The log of the process, for people and collectors: one JSON object a line on standard output. */
import { destination, pino, stdTimeFunctions, type DestinationStream } from 'pino';
import type { LogLevel } from './config.ts';

/** What else belongs to a line; give an Error as `err`, which keeps its stack and cause. */
export type About = Readonly<Record<string, unknown>>;

/** Each method takes a sentence, without the values that stand in `about`. */
export interface Logger {
  debug(said: string, about?: About): void;
  info(said: string, about?: About): void;
  warn(said: string, about?: About): void;
  error(said: string, about?: About): void;
}

/**
 * @param room is on every line.
 * @param to another destination, for tests. Standard output is written at once, not buffered: the
 * last words before a failed assertion are the ones that are needed.
 */
export function openLogger(
  room: string,
  level: LogLevel,
  to: DestinationStream = destination({ dest: 1, sync: true }),
): Logger {
  const options = {
    level,
    base: { room },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: ['token', 'password', '*.token', '*.password', '*.authorization'],
  };
  const log = pino(options, to);
  return {
    debug: (said, about = {}) => log.debug(about, said),
    info: (said, about = {}) => log.info(about, said),
    warn: (said, about = {}) => log.warn(about, said),
    error: (said, about = {}) => log.error(about, said),
  };
}
