/** A server or room as a child process that a test can kill, freeze and start again. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { childMark, forgetChild, rememberChild } from './leftovers.ts';
import { eventually } from './wait.ts';

export interface ChildSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Receives stdout and stderr; a restart appends. */
  readonly logFile: string;
  /** Whether it serves; asked again and again after a start. Must not throw. */
  readonly ready: () => Promise<boolean>;
  /** How long a start may take before `start` gives up, in milliseconds. */
  readonly readyWithinMs: number;
}

export interface Child {
  readonly name: string;
  readonly logFile: string;
  /** The process id of the present life; 0 when it is not running. */
  readonly pid: number;
  /** Starts it and waits until it serves. Throws with the end of its log when it does not. */
  start(): Promise<void>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open and nothing answers. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** Kills it if it runs, and starts it on the same port and data. */
  restart(): Promise<void>;
  /** SIGTERM, after 5 s SIGKILL; resolves when the process is gone. */
  stop(): Promise<void>;
  /** The last lines of its log. */
  logTail(lines?: number): string;
  /** Called whenever the process ends without having been told to. */
  onDeath(hear: (how: string) => void): void;
}

const stopMs = 5_000;

/** A child that does not run yet: call `start`. */
export function newChild(spec: ChildSpec): Child {
  let life: Life | undefined;
  let hearDeath = (_how: string): void => {};
  const tail = (lines = 15): string => lastLines(spec.logFile, lines);
  const child: Child = {
    name: spec.name,
    logFile: spec.logFile,
    get pid() {
      return life?.running() ? life.pid : 0;
    },
    async start() {
      if (life?.running()) throw new Error(`${spec.name} runs already`);
      const born = bear(spec, (how) => hearDeath(how));
      life = born;
      const detail = (): string => `; the end of its log:\n${tail()}`;
      const waiting = { withinMs: spec.readyWithinMs, detail };
      await eventually(`${spec.name} serves`, waiting, () => {
        if (!born.running()) throw new Error(`${spec.name} ended (${born.how()})${detail()}`);
        return spec.ready();
      });
    },
    kill: async () => life?.end('SIGKILL'),
    freeze: () => life?.signal('SIGSTOP'),
    thaw: () => life?.signal('SIGCONT'),
    async restart() {
      await child.kill();
      await child.start();
    },
    stop: async () => life?.end('SIGTERM'),
    logTail: tail,
    onDeath(hear) {
      hearDeath = hear;
    },
  };
  return child;
}

/** One process, from its start to its end. */
interface Life {
  readonly pid: number;
  running(): boolean;
  /** How it ended: `exit code 1`, `SIGKILL`. */
  how(): string;
  signal(signal: NodeJS.Signals): void;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

function bear(spec: ChildSpec, unexpected: (how: string) => void): Life {
  const log = openSync(spec.logFile, 'a');
  // A group of its own: Ctrl-C in the terminal reaches us only, and we stop it in good order.
  const process_ = spawn(spec.command, spec.args, {
    env: { ...process.env, ...spec.env, ...childMark },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  let told = false;
  let how = '';
  const gone = new Promise<void>((resolve) => {
    const ended = (text: string): void => {
      how = text;
      forgetChild(process_);
      resolve();
      if (!told) unexpected(text);
    };
    process_.once('error', (error) => ended(error.message));
    process_.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`));
  });
  rememberChild(process_);
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    told = true;
    if (how !== '') return;
    process_.kill(signal);
    process_.kill('SIGCONT');
    const late = setTimeout(() => process_.kill('SIGKILL'), stopMs);
    await gone;
    clearTimeout(late);
  };
  const running = (): boolean => how === '';
  return {
    pid: process_.pid ?? 0,
    running,
    how: () => how,
    signal: (signal) => void process_.kill(signal),
    end,
  };
}

function lastLines(file: string, lines: number): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}
