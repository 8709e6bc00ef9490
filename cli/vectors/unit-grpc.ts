/** The tables of the gRPC probe: steps of one client, and rounds over two nodes. */
import { listOf, property, textOf } from '../../core/json.ts';
import { openProber } from '../../edge/probe.ts';
import { Attempt } from '../../edge/probe/attempt.ts';
import type { ServingStatus } from '../../edge/probe/message.ts';
import { type Connection, Peer } from '../../edge/probe/peer.ts';
import type { Compared } from './unit.ts';

const request = {
  node: 'node',
  addresses: ['10.128.0.2'],
  mode: 'grpc',
  port: 9107,
  deadlineMs: 20,
} as const;

/** A health server as a play: what it answers next is set before each attempt. */
class Play {
  connects = true;
  check: string = 'SERVING';
  /** It was asked a question in this attempt. */
  asked = false;
  readonly peer = new Peer(undefined, () =>
    this.connects ? Promise.resolve(this.#connection()) : Promise.reject(new Error('refused')),
  );

  #connection(): Connection {
    return {
      closed: false,
      destroy: () => undefined,
      check: () => {
        this.asked = true;
        if (this.check === 'error') return Promise.reject(new Error('unavailable'));
        return Promise.resolve(this.check as ServingStatus);
      },
    };
  }

  async attempt(): Promise<boolean> {
    this.asked = false;
    const attempt = new Attempt();
    attempt.begin(request.deadlineMs);
    const { reachable } = await this.peer.probe(request, attempt);
    attempt.finish();
    return reachable;
  }
}

/** Each row is one client, and its steps are its attempts. */
export async function grpcClient(table: unknown): Promise<readonly Compared[]> {
  const rows: Compared[] = [];
  for (const row of listOf(table)) {
    if (property(row, 'config') === undefined) rows.push(...(await stepsOf(row)));
    else rows.push(await switchedOff(property(row, 'config')));
  }
  return rows;
}

async function stepsOf(row: unknown): Promise<readonly Compared[]> {
  const play = new Play();
  const compared: Compared[] = [];
  for (const step of listOf(property(row, 'steps'))) {
    play.connects = property(step, 'connect') !== 'fail';
    play.check = textOf(property(step, 'check')) || 'SERVING';
    const before = property(step, 'connected');
    if (before !== undefined) compared.push({ want: before, got: play.peer.connected });
    const reachable = await play.attempt();
    const after = property(step, 'connectedAfter');
    compared.push({ want: property(step, 'reachable'), got: reachable });
    if (after !== undefined) compared.push({ want: after, got: play.peer.connected });
  }
  return compared;
}

/** A deadline of 0: every node counts as reachable, and nothing is sent (nothing listens here). */
async function switchedOff(config: unknown): Promise<Compared> {
  const deadlineMs = Number(property(config, 'reachabilityTotalTimeout')) * 1000;
  const prober = openProber();
  const answer = await prober.probe({ ...request, deadlineMs }, new AbortController().signal);
  prober.close();
  return { want: true, got: answer.reachable && answer.because === 'probing is off' };
}

/**
 * Rounds over both nodes. The fake client of the table keeps its connection when a check fails; as
 * the table says, the real one closes it, and so does ours.
 */
export async function grpcProbeTable(table: unknown): Promise<readonly Compared[]> {
  const names = Object.keys(property(table, 'nodes') as object);
  const plays = new Map(names.map((name) => [name, new Play()]));
  for (const play of plays.values()) await play.attempt();
  const compared: Compared[] = [];
  for (const round of listOf(property(table, 'iterations')))
    compared.push(await roundOf(plays, round));
  return compared;
}

async function roundOf(plays: ReadonlyMap<string, Play>, round: unknown): Promise<Compared> {
  const has = (key: string, name: string): boolean => listOf(property(round, key)).includes(name);
  const rounds = Number(property(round, 'iterations') ?? 1);
  const failed = new Set<string>();
  for (const [name, play] of plays) {
    if (has('disconnectFirst', name)) play.peer.close();
    play.connects = !has('fail', name);
    play.check = has('fail', name) ? 'error' : 'SERVING';
    for (let number = 0; number < rounds; number++) await play.attempt();
    if (play.asked && has('fail', name)) failed.add(name);
  }
  const names = [...plays.keys()];
  const wanted = (name: string): boolean => has('connectedAfter', name) && !failed.has(name);
  const probed = (name: string): boolean => plays.get(name)?.asked === true && !failed.has(name);
  const connected = (name: string): boolean => plays.get(name)?.peer.connected === true;
  return {
    want: [names.filter(wanted), names.filter((name) => has('probed', name))],
    got: [names.filter(connected), names.filter(probed)],
  };
}
