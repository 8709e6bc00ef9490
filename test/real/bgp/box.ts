/** A machine in small: FRR in namespaces of its own, ended by the end of whoever started it. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { childMark, forgetChild, rememberChild } from '../../controlplane/leftovers.ts';
import { eventually } from '../../controlplane/wait.ts';
import { boxed, systemPath, type Ground } from './ground.ts';

export interface BoxSpec {
  readonly name: string;
  /** Its files: `etc` is FRR's configuration, `reloader` what frr-k8s shares with its reloader. */
  readonly folder: string;
  /** Words for bgpd: `-p 0` = it does not listen. */
  readonly bgpd?: string;
  /** Paths of programs that are to run in the box, where each is `/run/programs/<name>`. */
  readonly programs?: readonly string[];
}

/** `network` = all of the box; `files` = its files and processes, but the host's network. */
export type Place = 'network' | 'files';

export interface Box extends BoxSpec {
  /** The process id of its first process, as the host counts. */
  readonly pid: number;
  /** The command line that runs a command in the box. */
  command(place: Place, command: readonly string[]): [string, ...string[]];
  /** Runs a command in the box; what it printed. Throws with its complaint when it fails. */
  run(place: Place, ...command: readonly string[]): Promise<string>;
  /** Ends it with all that runs in it. May be called twice. */
  stop(): Promise<void>;
}

const execute = promisify(execFile);
const script = join(import.meta.dirname, 'box.sh');
const env = { ...process.env, PATH: systemPath, ...childMark };

/** Starts a box; resolves when its FRR runs, in less than a second. */
export async function startBox(ground: Ground, spec: BoxSpec): Promise<Box> {
  mkdirSync(spec.folder, { recursive: true });
  const logFile = join(spec.folder, 'box.log');
  const log = openSync(logFile, 'a');
  const args = [script, spec.folder, spec.bgpd ?? '', ...(spec.programs ?? [])];
  const [command = '', ...rest] = [...ground.enter, 'unshare', ...boxed, 'sh', ...args];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', log], env, detached: true });
  closeSync(log);
  rememberChild(child);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void gone.then(() => forgetChild(child));
  if (!(await isReady(child))) {
    child.kill('SIGKILL');
    throw new Error(`the box ${spec.name} does not start:\n${readFileSync(logFile, 'utf8')}`);
  }
  const pid = await firstProcess(child);
  const within = (place: Place, inner: readonly string[]): [string, ...string[]] => {
    const where = place === 'network' ? ['-n', '-m', '-p'] : ['-m', '-p'];
    const [first = '', ...words] = [...ground.enter, 'nsenter', '-t', `${pid}`, ...where, ...inner];
    return [first, ...words];
  };
  const run: Box['run'] = async (place, ...inner) => {
    const [file, ...words] = within(place, inner);
    const { stdout } = await execute(file, words, { env, timeout: 20_000 });
    return stdout;
  };
  return { ...spec, pid, command: within, run, stop: () => stop(child, gone) };
}

/** Whether the box says within 30 s that it is ready; it does so in its first line. */
async function isReady(child: ChildProcess): Promise<boolean> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const late = AbortSignal.timeout(30_000);
  return await Promise.race([
    once(lines, 'line', { signal: late }).then(() => true),
    once(child, 'exit', { signal: late }).then(() => false),
  ]).catch(() => false);
}

/** The child of `unshare --fork`, which is process 1 inside. */
async function firstProcess(child: ChildProcess): Promise<number> {
  const { pid } = child;
  const file = `/proc/${pid}/task/${pid}/children`;
  return await eventually('the box has a process', { withinMs: 5_000 }, () => {
    const [first] = readFileSync(file, 'utf8').trim().split(' ');
    return first ? Number(first) : undefined;
  });
}

async function stop(child: ChildProcess, gone: Promise<void>): Promise<void> {
  child.stdin?.end();
  const late = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await gone;
  clearTimeout(late);
}
