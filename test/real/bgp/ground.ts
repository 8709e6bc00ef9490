/** What real BGP needs of a machine, looked at once: FRR, frr-k8s, and namespaces of the kernel. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { moduleFolder, toolSources } from '../../controlplane/go-module.ts';
import { childMark, rememberChild } from '../../controlplane/leftovers.ts';
import { findTools } from '../../controlplane/tools.ts';

/** A machine on which boxes can be made. */
export interface Ground {
  /** What a command begins with so that it may make namespaces: nothing, as root. */
  readonly enter: readonly string[];
  /** Paths of the programs of frr-k8s. */
  readonly controller: string;
  readonly frrStatus: string;
  readonly statuscleaner: string;
  /** The source of frr-k8s: its CRDs and its reloader. */
  readonly source: string;
}

const execute = promisify(execFile);
const own = import.meta.dirname;

/** Where Debian has what a user without root may not have on PATH. */
export const systemPath = [process.env['PATH'] ?? '', '/usr/sbin', '/sbin'].join(delimiter);

const packages: Readonly<Record<string, string>> = {
  '/usr/lib/frr/bgpd': 'frr',
  '/usr/lib/frr/frr-reload.py': 'frr-pythontools',
  '/usr/bin/vtysh': 'frr',
};
const commands = ['unshare', 'nsenter', 'setpriv', 'ip', 'bash', 'flock', 'python3'];

let looked: Promise<Ground | string> | undefined;

/** The ground, or the sentence that says why there is none. Builds frr-k8s where FRR is there. */
export function findGround(): Promise<Ground | string> {
  looked ??= look();
  return looked;
}

async function look(): Promise<Ground | string> {
  const lacking = Object.keys(packages).filter((file) => !existsSync(file));
  if (lacking.length > 0) {
    const wanted = [...new Set(lacking.map((file) => packages[file]))].join(' ');
    return `FRR is not installed (Debian: apt-get install ${wanted})`;
  }
  const unknown = commands.filter((command) => !isOnPath(command));
  if (unknown.length > 0) return `there is no ${unknown.join(', no ')} on PATH`;
  const enter = await entrance();
  if (typeof enter === 'string') return enter;
  const names = ['frr-k8s-controller', 'frr-status', 'statuscleaner'];
  const tools = await findTools(names);
  const [controller = '', frrStatus = '', statuscleaner = ''] = names.map((n) => tools.get(n));
  return { enter, controller, frrStatus, statuscleaner, source: await frrK8sSource() };
}

const isOnPath = (command: string): boolean =>
  systemPath.split(delimiter).some((folder) => existsSync(join(folder, command)));

/** As root, or else as the root of a user namespace; a sentence when the kernel allows neither. */
async function entrance(): Promise<readonly string[] | string> {
  const asRoot = process.getuid?.() === 0 ? await refusal([]) : 'it needs root';
  if (asRoot === '') return [];
  const holder = await userNamespace();
  if (holder === undefined) return `no namespaces: ${asRoot}, and users may make none`;
  const enter = ['nsenter', '-t', String(holder), '-U', '-m', '--preserve-credentials'];
  const asUser = await refusal(enter);
  return asUser === '' ? enter : asUser;
}

/** The flags that give a box its namespaces. */
export const boxed = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Why no box can be made that way; '' when it can. */
async function refusal(enter: readonly string[]): Promise<string> {
  const [command, ...args] = [...enter, 'unshare', ...boxed, 'sh', join(own, 'ground.sh')];
  try {
    await execute(command, args, { env: { ...process.env, PATH: systemPath }, timeout: 20_000 });
    return '';
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const tried = stdout.trim().split('\n').at(-1) || 'namespaces';
    return `the kernel refuses ${tried} (${stderr.trim().split('\n').at(-1) || String(error)})`;
  }
}

/** A process that holds a user namespace open as long as we live; undefined where it is refused. */
async function userNamespace(): Promise<number | undefined> {
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', 'echo held; exec cat'];
  const holder = spawn('unshare', args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...childMark },
  });
  const held = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    once(holder, 'exit').then(() => false),
  ]);
  if (!held) return undefined;
  rememberChild(holder);
  // It is to end with the run, not to prolong it.
  holder.unref();
  for (const stream of [holder.stdin, holder.stdout] as unknown as { unref(): void }[])
    stream.unref();
  return holder.pid;
}

/** The folder of frr-k8s's source in the module cache of Go, fetched when it is not there. */
async function frrK8sSource(): Promise<string> {
  const tool = toolSources.find(({ name }) => name === 'frr-k8s-controller');
  if (tool === undefined) throw new Error('frr-k8s-controller is no tool known here');
  const module = tool.package.split('/').slice(0, 3).join('/');
  const args = ['mod', 'download', '-json', module];
  const { stdout } = await execute('go', args, { cwd: moduleFolder(tool) });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}
