/**
 * `make rest`: what the rooms cost while nothing happens, started from the chart's own command
 * lines with the bundled programs; RSS in MB and CPU in thousandths of a core, over SECONDS=30.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundle, openInstalled } from '../chart/installed.ts';
import { Cluster } from '../cluster/cluster.ts';
import { assignable } from '../cluster/objects.ts';
import { removeFolder, temporaryFolder } from '../controlplane/leftovers.ts';
import { nameOfBuilder, sizeOfFolder } from './rest-size.ts';

const seconds = Number(process.env['SECONDS'] || 30);
const MANY = 20;
/** Linux counts CPU time in hundredths of a second. */
const TICKS = 100;

interface Cost {
  readonly memoryMb: number;
  readonly cpuTicks: number;
}

const programs = temporaryFolder();
await bundle(programs);
const house = await openInstalled();
try {
  const { status, err } = await house.upgrade();
  if (status !== 0) throw new Error(err);
  await house.startNats();
  await house.startRooms(programs);
  await house.ready();
  const cluster = new Cluster(house.plane);
  await cluster.watch();
  for (let index = 1; index <= MANY; index++) {
    await cluster.node(`worker-${index}`, { labels: { [assignable]: '' } });
    await cluster.egressIP(`egress-${index}`, [`10.0.9.${index}`]);
  }
  for (let index = 1; index <= MANY; index++) await cluster.homed(`egress-${index}`, /worker/);
  cluster.unwatch();
  await sleep(5_000);
  console.log(`${MANY} nodes, ${MANY} EgressIPs, ${seconds} s at rest`);
  console.log(row('ROOM', 'MEMORY (MB)', 'CPU (m)'));
  for (const line of await measure()) console.log(line);
  console.log(`programs of the image: ${sizeOfFolder(programs)} MB; Node: ${nodeMb()} MB`);
  console.log(`image: ${imageOf(nameOfBuilder())}`);
} finally {
  await house.stop();
  removeFolder(programs);
}

async function measure(): Promise<string[]> {
  const processes = [...house.rooms, ['nats-server', house.nats] as const];
  const before = processes.map(([, { child }]) => costOf(child.pid));
  await sleep(seconds * 1000);
  return processes.map(([name, { child }], index) => {
    const { memoryMb, cpuTicks } = costOf(child.pid);
    const spent = (cpuTicks - (before[index]?.cpuTicks ?? 0)) / TICKS / seconds;
    return row(name, memoryMb.toFixed(0), (spent * 1000).toFixed(1));
  });
}

function costOf(pid: number): Cost {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kb = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  // Field 14 and 15; the name of the program, in brackets, may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return { memoryMb: kb / 1000, cpuTicks: Number(fields[11]) + Number(fields[12]) };
}

function row(...cells: string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(index === 0 ? 14 : 14))
    .join('')
    .trimEnd();
}

function nodeMb(): string {
  return (readFileSync(process.execPath).length / 1e6).toFixed(0);
}

function imageOf(builder: string | undefined): string {
  if (builder === undefined) return 'no builder here (docker, podman or buildah)';
  try {
    execFileSync('make', ['image', `BUILDER=${builder}`], { stdio: 'pipe' });
  } catch {
    return `${builder} cannot build one here`;
  }
  const format = '{{.Repository}}:{{.Tag}} {{.Size}}';
  const images = execFileSync(builder, ['images', '--format', format], { encoding: 'utf8' });
  return images.split('\n').find((line) => line.includes('sluice:')) ?? 'not found';
}
