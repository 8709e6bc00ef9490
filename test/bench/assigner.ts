/** The assigner at scale: 10,000 EgressIPs with 20,000 addresses on 5,000 nodes (goal P3). */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openClock } from '../../edge/clock.ts';
import { live } from '../../edge/run.ts';
import { freshVitals } from '../../edge/vitality.ts';
import type { Fact } from '../../core/fact.ts';
import type { Room } from '../../core/room.ts';
import { wakePerform } from '../../edge/wake.ts';
import { assigner } from '../../services/assigner/room.ts';
import { egressIPAt, nodeAt, sees, synced, ZONES } from './cluster.ts';
import { MemoryLog } from './memory-log.ts';
import type { Row } from './row.ts';

const NODES = 5_000;
const EGRESSIPS = 10_000;
const EVENTS = 400;

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Runs the shipped room in the shipped loop; only the log is in memory. */
export async function benchAssigner(): Promise<readonly Row[]> {
  const log = new MemoryLog();
  const stop = new AbortController();
  const room = resting(assigner({ excluded: undefined }), () => log.rests());
  const life = live(
    room,
    { log, clock: openClock(), perform: wakePerform(openClock()) },
    freshVitals(),
    stop.signal,
  );
  const facts = opening();
  const half = range(NODES).filter((index) => index % ZONES === 0 && index % 2 === 0);
  const lost = half.map((index) => sees(nodeAt(index, false)));
  await new Promise((done) => setTimeout(done, 50));
  const blocks = monitorEventLoopDelay({ resolution: 1 });
  blocks.enable();

  const cold = await timed(() => log.feed(facts));
  const placed = placedIn(log);
  // A room keeps nothing of what it said.
  log.said.length = 0;
  const times: number[] = [];
  for (const index of range(EVENTS)) {
    const node = nodeAt((index * 13) % NODES, false);
    times.push(await timed(() => log.feed([sees(node)])));
    await log.feed([sees({ ...node, ready: true })]);
  }
  log.said.length = 0;
  const zone = await timed(() => log.feed(lost));
  const moved = log.said.length;
  blocks.disable();
  stop.abort();
  await life.catch(() => undefined);
  times.sort((a, b) => a - b);
  return [
    { name: 'addresses placed', value: placed, unit: 'of 20000', least: 20_000 },
    { name: 'cold placement', value: cold, unit: 'ms', limit: 1_000 },
    { name: 'one node lost, p50', value: times[EVENTS >> 1] ?? 0, unit: 'ms' },
    {
      name: 'one node lost, p99',
      value: times[Math.floor(EVENTS * 0.99)] ?? 0,
      unit: 'ms',
      limit: 5,
    },
    {
      name: `half a zone lost (${half.length} nodes, ${moved} decisions)`,
      value: zone,
      unit: 'ms',
      limit: 250,
    },
    { name: 'longest block of the event loop', value: blocks.max / 1e6, unit: 'ms', limit: 20 },
    { name: 'peak memory', value: process.resourceUsage().maxRSS / 1024, unit: 'MB', limit: 300 },
  ];
}

/**
 * The room itself; `rested` hears each time when it has thought, spoken, and has nothing more to
 * say.
 */
function resting<W, I, A>(room: Room<W, I, A>, rested: () => void): Room<W, I, A> {
  const waits = (world: W): string => {
    rested();
    return room.waits(world);
  };
  return { ...room, waits };
}

function opening(): Fact[] {
  return [
    ...range(NODES).map((index) => sees(nodeAt(index))),
    ...range(EGRESSIPS).map(
      (index): Fact => ({ kind: 'EgressIPSeen', egressIP: egressIPAt(index) }),
    ),
    synced,
  ];
}

function placedIn(log: MemoryLog): number {
  const decisions = log.said
    .map(({ event }) => event)
    .filter((event) => event.kind === 'EgressIPDecided');
  return decisions.reduce((sum, { placements }) => sum + placements.length, 0);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
