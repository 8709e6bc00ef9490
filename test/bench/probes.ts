/** How fast the prober sweeps a large cluster, and what it costs (`docs/probes.md`). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProbeAnswer, Prober } from '../../core/door.ts';
import { openProber } from '../../edge/probe.ts';
import { switchOff } from '../edge/health-agent.ts';
import type { Row } from './row.ts';

const NODES = 5000;
const DEAD = 500;
const DEADLINE_MS = 1000;
/** As in `services/watcher/main.ts`. */
const SLOTS = 20;
const SLOT_MS = 250;
/** The fastest counts: what else the machine does at a time is not the prober's doing. */
const SWEEPS = 5;

const never = new AbortController().signal;
const all = Array.from({ length: NODES }, (_, index) => index);
const isDead = (index: number): boolean => index % (NODES / DEAD) === 0;

interface Ports {
  readonly alive: number;
  readonly dead: number;
}

interface Sweep {
  readonly tookMs: number;
  readonly cpuMs: number;
  readonly blockedMs: number;
}

export async function benchProbes(): Promise<readonly Row[]> {
  const off = await switchOff();
  const { child, port } = await startAgents();
  const prober = openProber();
  const ports = { alive: port, dead: off.port };
  try {
    return await measure(prober, ports);
  } finally {
    prober.close();
    child.stdin?.end();
    off.close();
  }
}

async function measure(prober: Prober, ports: Ports): Promise<readonly Row[]> {
  // The first sweep connects; it is not the usual one.
  const greeting = await sweep(prober, ports, false);
  const bursts: Sweep[] = [];
  for (let n = 0; n < SWEEPS; n++) bursts.push(await sweep(prober, ports, true));
  const burst = bursts.reduce((a, b) => (a.tookMs <= b.tookMs ? a : b));
  const spread = await watched(() => spreadOut(prober, ports));
  const what = `probes of ${NODES} nodes, ${DEAD} dead`;
  return [
    { name: `${what}: all at once`, value: burst.tookMs, unit: 'ms', limit: 1200 },
    { name: `${what}: all at once, CPU`, value: burst.cpuMs, unit: 'ms' },
    { name: `${what}: all at once, loop blocked`, value: burst.blockedMs, unit: 'ms' },
    { name: `${what}: spread, CPU each 5 s`, value: spread.cpuMs, unit: 'ms' },
    { name: `${what}: spread, loop blocked`, value: spread.blockedMs, unit: 'ms' },
    { name: `${what}: first contact`, value: greeting.tookMs, unit: 'ms' },
  ];
}

async function startAgents(): Promise<{ child: ChildProcess; port: number }> {
  const script = new URL('health-agents.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line) };
}

const sweep = (prober: Prober, ports: Ports, connected: boolean): Promise<Sweep> =>
  watched(async () => {
    const answers = await Promise.all(all.map((index) => ask(prober, ports, index)));
    judge(answers, connected);
  });

/** As the watcher does it: a part of the nodes each quarter of a second. */
async function spreadOut(prober: Prober, ports: Ports): Promise<void> {
  const asked: Promise<ProbeAnswer>[] = [];
  for (let slot = 0; slot < SLOTS; slot++) {
    for (const index of all) if (index % SLOTS === slot) asked[index] = ask(prober, ports, index);
    await new Promise((resolve) => setTimeout(resolve, SLOT_MS));
  }
  judge(await Promise.all(asked), true);
}

/** Each node has an address of its own; the dead ones share a port that nobody answers at. */
function ask(prober: Prober, ports: Ports, index: number): Promise<ProbeAnswer> {
  const dead = isDead(index);
  const address = dead ? '127.0.0.1' : `127.1.${index >> 8}.${index & 255}`;
  const port = dead ? ports.dead : ports.alive;
  const addresses = [address];
  const node = `worker-${index}`;
  return prober.probe({ node, addresses, mode: 'grpc', port, deadlineMs: DEADLINE_MS }, never);
}

/** A figure about wrong answers would be worth nothing. */
function judge(answers: readonly ProbeAnswer[], connected: boolean): void {
  answers.forEach(({ reachable, because }, index) => {
    const proven = !connected || isDead(index) || because.endsWith('SERVING');
    if (reachable === isDead(index) || !proven)
      throw new Error(`worker-${index} is ${reachable ? '' : 'not '}reachable: ${because}`);
  });
}

async function watched(work: () => Promise<void>): Promise<Sweep> {
  const loop = monitorEventLoopDelay({ resolution: 5 });
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  loop.enable();
  await work();
  loop.disable();
  const { user, system } = process.cpuUsage(cpu);
  const tookMs = performance.now() - startedMs;
  return { tookMs, cpuMs: (user + system) / 1000, blockedMs: loop.max / 1e6 };
}
