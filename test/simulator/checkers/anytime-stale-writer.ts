/**
 * At any time: nobody who was replaced writes. ADR 30 promises that a request which changes
 * something is sent only while its process leads; what was sent in time may arrive late. The
 * streams promise more: whoever speaks has heard the last word there (ADR 5).
 */
import type { Heard } from '../../../core/event.ts';
import type { Checker } from '../checker.ts';
import type { Simulation } from '../simulation.ts';
import { isRoom } from './writes.ts';

const name = 'anytime-stale-writer';

/** ADR 30: whoever held a lease that was lost with its stream may go on for so long. */
const OVERLAP_MS = 2_500;

export const staleWriter = (): Checker => {
  const saidBy = new WeakMap<Heard, string>();
  /** By process: the last that it heard of its own stream. */
  const heardLast = new Map<string, Heard>();
  return {
    name,
    onServed: (world, by, { method, path }, { status }, sentMs) => {
      if (status < 300) sent(world, by.name, `${method} ${path.split('?')[0]}`, sentMs);
    },
    onAnswer: (world, by, { action, code }, sentMs) => {
      const isRead = /^(Describe|Get)/.test(action);
      if (!isRead && code === '') sent(world, by.name, action, sentMs);
    },
    onHeard: (_, by, { stream, events }) => {
      const last = events.at(-1);
      if (last !== undefined && stream === roomOf(by.name)) heardLast.set(by.name, last);
    },
    onAppend: (world, { heard, by, before }) => {
      saidBy.set(heard, by);
      if (!isRoom(by) || before === undefined) return;
      if (saidBy.get(before) === by || heardLast.get(by) === before) return;
      const what = `${by} says ${heard.stream} ${heard.sequence}`;
      world.fail(name, `${what}, but has not heard "${before.said}" of ${saidBy.get(before)}`);
    },
  };
};

const roomOf = (process: string): string => process.replace(/-\d+$/, '');

function sent(world: Simulation, by: string, what: string, sentMs: number): void {
  if (!isRoom(by)) return;
  const { leases } = world.log;
  const leader = leases.leaderAt(roomOf(by), sentMs);
  if (leader === by) {
    if (leases.leaderAt(roomOf(by), Infinity) !== by)
      world.sometimes('what a former leader had sent arrived late');
    return;
  }
  if (leases.lostMs.some((atMs) => atMs <= sentMs && sentMs <= atMs + OVERLAP_MS)) return;
  world.fail(name, `${by} sent ${what} while ${leader || 'nobody'} led`);
}
