/** How commands reach the log: options, environment, and a clear word when it is not there. */
import type { OptionSpec, Options } from '../edge/command.ts';
import { openLog } from '../edge/nats.ts';
import type { NatsLog } from '../edge/nats/log.ts';
import type { LogOptions } from '../edge/nats/options.ts';
import { compile, parseSelector } from '../core/selector.ts';
import type { Settings } from '../services/assigner/input.ts';
import { exit, Failure } from './failure.ts';
import { logOptionsOf } from './login.ts';
import { reach } from './reach.ts';
import type { Terminal } from './terminal.ts';

/** People wait in front of the screen: longer than this a connection may not take. */
const PATIENCE_MS = 2_000;

export const connectionOptions: readonly OptionSpec[] = [
  {
    flags: '--server <urls>',
    description: 'NATS server, or several separated by commas',
    env: 'NATS_URL',
    initial: 'nats://127.0.0.1:4222',
  },
  {
    flags: '--prefix <word>',
    description: 'first word of all subjects of the log',
    env: 'SLUICE_PREFIX',
    initial: 'sluice',
  },
];

export const excludedOption: OptionSpec = {
  flags: '--excluded-nodes <selector>',
  description: 'nodes that never host: what the assigner was told',
  env: 'SLUICE_NO_HOSTSUBNET_NODES',
};

/** The assigner's settings, so that its rules answer here as they do there. Throws Failure 64. */
export function settingsOf(options: Options): Settings {
  const text = String(options['excludedNodes'] ?? '');
  if (text === '') return { excluded: undefined };
  const parsed = parseSelector(text);
  const selector = parsed === undefined ? undefined : compile(parsed);
  if (selector !== undefined && selector.problem === undefined) return { excluded: selector };
  const why = selector?.problem ?? 'a=b,c!=d,e in (f,g),h,!i is the form';
  throw new Failure(exit.usage, `--excluded-nodes ${text}: no label selector: ${why}`);
}

/** Where the log is, for people: without a password. */
export function placeOf(options: Options): string {
  const { servers, prefix } = logOptionsOf(options, {});
  return `${servers.join(',')}/${prefix ?? ''}`;
}

/** Opens the log, lets `use` work with it, closes it. Throws Failure 69 when it is not reached. */
export async function withLog<T>(
  options: Options,
  terminal: Terminal,
  use: (log: NatsLog) => Promise<T>,
): Promise<T> {
  const settings = logOptionsOf(options, terminal.env);
  await reachAny(settings.servers);
  const log = await opened(settings);
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}

/** The first server that takes connections is enough; else the reason of the first one. */
async function reachAny(servers: readonly string[]): Promise<void> {
  const reasons = await Promise.all(servers.map((server) => reach(server, PATIENCE_MS)));
  const why = reasons.find((reason) => reason !== undefined);
  if (why === undefined || reasons.includes(undefined)) return;
  throw unreachable(servers, why);
}

function unreachable(servers: readonly string[], why: string): Failure {
  return new Failure(
    exit.unavailable,
    `cannot reach NATS at ${servers.join(',')} (${why}). Set NATS_URL or --server; ` +
      'in a cluster: kubectl -n sluice port-forward svc/sluice-nats 4222',
  );
}

async function opened(settings: LogOptions): Promise<NatsLog> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(unreachable(settings.servers, 'no answer within 2 s'));
    timer = setTimeout(fail, PATIENCE_MS);
  });
  try {
    return await Promise.race([openLog(settings), late]);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw refused(settings, error);
  } finally {
    clearTimeout(timer);
  }
}

function refused({ servers, credentials }: LogOptions, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  const place = servers.join(',');
  if (/ENOENT|EACCES/.test(why)) {
    const hint = 'See NATS_CREDS, NATS_CA';
    return new Failure(exit.usage, `cannot read a file of the login (${why}). ${hint}`);
  }
  if (!/authori[sz]ation|authentication/i.test(why))
    return new Failure(exit.unavailable, `cannot use NATS at ${place} (${why})`);
  const hint =
    credentials === undefined
      ? 'Set NATS_USER and NATS_PASSWORD, or NATS_CREDS'
      : 'See the file that NATS_CREDS names';
  return new Failure(exit.unavailable, `NATS at ${place} refused the login (${why}). ${hint}`);
}
