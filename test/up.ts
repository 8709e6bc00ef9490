/** `make up`: a control plane and the rooms, for as long as you like or while a command runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import type { Api } from './controlplane/api.ts';
import type { CrdShape } from './controlplane/crd.ts';
import { startControlPlane, type ControlPlane } from './controlplane/controlplane.ts';
import { projectPath, startRooms, type Rooms, type RoomsOptions } from './controlplane/rooms.ts';

/** How long the rooms may take to catch up before `RUN` is given up, in milliseconds. */
const readyMs = 120_000;

interface Settings {
  readonly run: string;
  readonly before: string;
  readonly crd: CrdShape;
  readonly probes: 'off' | 'tcp' | 'grpc';
  readonly probePort: number;
  readonly mode: 'enforce' | 'shadow';
  /** '' = as `Infrastructure/cluster` says. */
  readonly platformType: string;
  /** `emulator`: AWS is played by `test/aws`; '' = whatever the environment's AWS_… lead to. */
  readonly aws: 'emulator' | '';
}

/** Stands for Ctrl-C: everything is stopped in good order, then we end as it asks. */
class Interrupted extends Error {}

const interrupted = new Promise<never>((_, reject) => {
  process.on('SIGINT', () => reject(new Interrupted('SIGINT')));
});
interrupted.catch(() => {});

async function main(): Promise<number> {
  const started: { stop(): Promise<void> }[] = [];
  try {
    return await Promise.race([interrupted, up(settingsOf(process.env), started)]);
  } catch (error) {
    if (error instanceof Interrupted) {
      // Without a command, Ctrl-C is how this is meant to end.
      return process.env['RUN'] ? 128 + constants.signals.SIGINT : 0;
    }
    say(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    for (const part of started.toReversed()) await part.stop();
  }
}

/**
 * Reads RUN, BEFORE, CRD, PROBES, PROBE_PORT, MODE, PLATFORM_TYPE, AWS; throws with what is
 * allowed.
 */
function settingsOf(env: NodeJS.ProcessEnv): Settings {
  const port = Number(env['PROBE_PORT'] || 9107);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Error(`PROBE_PORT=${env['PROBE_PORT']}: a port from 1 to 65535 is needed`);
  }
  const crd = env['CRD'] || 'plain';
  if (crd !== 'plain' && crd !== 'status') throw new Error(`CRD=${crd}: plain or status`);
  const probes = env['PROBES'] || 'on';
  if (probes !== 'on' && probes !== 'off') throw new Error(`PROBES=${probes}: on or off`);
  // Port 9 is the one that upstream merely connects to (spec/egressip.md 6.3).
  const how = probes === 'off' ? 'off' : port === 9 ? 'tcp' : 'grpc';
  const mode = env['MODE'] || 'enforce';
  if (mode !== 'enforce' && mode !== 'shadow') throw new Error(`MODE=${mode}: enforce or shadow`);
  const aws = env['AWS'] || '';
  if (aws !== '' && aws !== 'emulator') throw new Error(`AWS=${aws}: emulator or nothing`);
  const { RUN: run = '', BEFORE: before = '', PLATFORM_TYPE: platformType = '' } = env;
  return { run, before, crd, probes: how, probePort: port, mode, platformType, aws };
}

async function up(settings: Settings, started: { stop(): Promise<void> }[]): Promise<number> {
  say('starting etcd, kube-apiserver and nats-server');
  const plane = await startControlPlane({ crd: settings.crd, platform: 'all', progress: say });
  started.push(plane);
  const aws = settings.aws === 'emulator' ? await startAws() : undefined;
  if (aws !== undefined) started.push(aws);
  const awsEnv = aws?.env ?? awsEnvironment(process.env);
  const env = { ...environmentOf(plane), ...aws?.env };
  if (settings.before !== '') {
    const status = await runCommand('BEFORE', settings.before, env);
    if (status !== 0) return status;
  }
  if (aws !== undefined) await nameCluster(plane.api);
  say('starting the rooms');
  const rooms = await startRooms({ ...roomsOptions(settings, plane), awsEnv });
  started.push(rooms);
  await rooms.ready(readyMs, say);
  const all = { ...env, ...processIds(rooms) };
  if (settings.run !== '') return runCommand('RUN', settings.run, all);
  for (const [name, value] of Object.entries(all)) console.log(`export ${name}='${value}'`);
  say(`every room has caught up; logs are in ${plane.folder}/log; Ctrl-C stops everything`);
  return interrupted;
}

/** What leads to AWS, for aws-sync alone. */
const awsEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('AWS_')));

interface EmulatedAws {
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

/** A Route Server with endpoints in three zones and three instances, unless AWS_TOPOLOGY is set. */
async function startAws(): Promise<EmulatedAws> {
  say('starting an emulated AWS');
  const child = spawn(process.execPath, ['test/aws/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { AWS_TOPOLOGY: '{"nodes":3}', ...process.env },
  });
  const env: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('#')) say(line);
    const [, name, value] = /^export (\w+)='(.*)'$/.exec(line) ?? [];
    if (name !== undefined) env[name] = value ?? '';
    if (name === 'AWS_SECRET_ACCESS_KEY') break;
  }
  if (env['AWS_ENDPOINT_URL'] === undefined) throw new Error('the emulated AWS did not start');
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { env, stop };
}

/** What aws-sync makes is tagged with this name, which OpenShift's installer gives. */
async function nameCluster(api: Api): Promise<void> {
  const apiVersion = 'config.openshift.io/v1';
  const metadata = { name: 'cluster' };
  const infrastructure = { apiVersion, kind: 'Infrastructure', metadata };
  const made = await api.call('POST', `/apis/${apiVersion}/infrastructures`, infrastructure);
  // BEFORE has made one, and knows best.
  if (made.status === 409) return;
  const path = `/apis/${apiVersion}/infrastructures/cluster/status`;
  await api.patch(path, { status: { infrastructureName: 'emulated' } });
}

const roomsOptions = (settings: Settings, plane: ControlPlane): RoomsOptions => ({
  folder: plane.folder,
  kubeconfig: plane.kubeconfig,
  natsUrl: plane.natsUrl,
  probes: settings.probes,
  probePort: settings.probePort,
  env: { SLUICE_MODE: settings.mode, SLUICE_PLATFORM_TYPE: settings.platformType },
  supervisor: say,
});

function environmentOf(plane: ControlPlane): Record<string, string> {
  const { kubeconfig, server, token, natsUrl } = plane;
  return { KUBECONFIG: kubeconfig, SERVER: server, TOKEN: token, NATS_URL: natsUrl };
}

function processIds(rooms: Rooms): Record<string, string> {
  const named = rooms.all.map((room) => [pidVariable(room.name), String(room.pid)] as const);
  return Object.fromEntries(named);
}

/** `PID_WATCHER` for the watcher. */
const pidVariable = (room: string): string => `PID_${room.toUpperCase().replaceAll('-', '_')}`;

/** Runs a command in a shell at our terminal; its exit status, 128 + n for signal n. */
function runCommand(
  what: string,
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  say(`${what}: ${command}`);
  const child = spawn('sh', ['-c', command], {
    stdio: 'inherit',
    env: { ...withoutMake(process.env), ...env, PATH: projectPath() },
  });
  // Ctrl-C reaches the command by itself; a signal to us alone does not.
  interrupted.catch(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const status = code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
      if (status !== 0) say(`${what} ended with status ${status}`);
      resolve(status);
    });
  });
}

/** The environment without what make left in it: a `make` inside RUN must not run RUN again. */
function withoutMake(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = /^(MAKEFLAGS|MFLAGS|MAKEOVERRIDES|MAKELEVEL|RUN|BEFORE)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)));
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

// Not exitCode: an interrupted start would otherwise go on to its end.
process.exit(await main());
