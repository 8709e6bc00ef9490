/** One round: something befalls the servers, and the rooms are judged by what came of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { draw } from '../simulator/draw.ts';
import type { Handover } from './handover.ts';
import { type Kind, kinds } from './kinds.ts';
import { RoomLogs } from './room-logs.ts';
import { type Site, streams } from './site.ts';

/** How long a quorum, and then the rooms, may take: the goal, and when a round is given up. */
export const goalS = 30;
const givenUpMs = 90_000;

export interface Wish {
  readonly seed: number;
  readonly round: number;
  readonly kind: string;
  readonly longestMs: number;
}

export interface Result {
  readonly round: number;
  readonly kind: string;
  readonly note: string;
  /** From the last repair until each stream has a leader again. */
  readonly quorumS: number;
  /** From then on until all is as it should be, for good. */
  readonly convergedS: number;
  readonly moves: number;
  readonly doubles: number;
  /** Why rooms started anew. */
  readonly noticed: readonly string[];
  /** Why the log was made void: an older one was found. */
  readonly voided: readonly string[];
  /** What befell the one of two publishers that led. */
  readonly handovers: readonly Handover[];
  /** What is against the rules, as sentences. */
  readonly wrong: readonly string[];
}

/**
 * Runs a round on a site at rest, and leaves it at rest. A part of it that does not come to its end
 * is `wrong`, too; then the site is not fit for another round.
 */
export async function playRound(site: Site, wish: Wish): Promise<Result> {
  const { seed, round, kind: name, longestMs } = wish;
  const kind = kinds[name];
  if (kind === undefined) throw new Error(`no such kind of round: ${name}`);
  const toldSince = listen(site);
  site.traffic.beginRound();
  site.judge.beginRound();
  const chance = draw(seed, `round ${round}`);
  const came = { note: '', quorumS: -1, convergedS: -1 };
  const wrong: string[] = [];
  const handovers: Handover[] = [];
  try {
    came.note = await kind.befall({ site, draw: chance, longestMs, handovers, wrong });
    came.quorumS = await took(() => site.nats.quorum(streams, givenUpMs));
    came.convergedS = await converge(site, () => site.traffic.run(chance, 3));
  } catch (error) {
    wrong.push(error instanceof Error ? error.message : String(error));
  }
  const told = toldSince();
  wrong.push(...wrongs(kind, came.convergedS, told));
  const { noticed, voided } = told;
  const counts = { moves: told.moves.length, doubles: told.doubles.length, noticed, voided };
  return { ...came, ...counts, handovers, round, kind: name, wrong };
}

interface Told {
  readonly voided: readonly string[];
  readonly moves: readonly string[];
  readonly doubles: readonly string[];
  readonly noticed: readonly string[];
  readonly deaths: readonly string[];
}

/** Returns what tells all that came since now. */
function listen(site: Site): () => Told {
  const { judge, deaths } = site;
  const since = [judge.moves.length, judge.doubles.length, deaths.length] as const;
  const logs = new RoomLogs(site.rooms);
  return () => ({
    moves: judge.moves.slice(since[0]),
    doubles: judge.doubles.slice(since[1]),
    deaths: deaths.slice(since[2]),
    noticed: logs.newBeginnings(),
    voided: logs.voided(),
  });
}

function wrongs(kind: Kind, convergedS: number, told: Told): string[] {
  const { moves, doubles, noticed, voided, deaths } = told;
  const wrong = [...doubles, ...deaths];
  if (convergedS > goalS) wrong.push(`it took ${convergedS} s to converge`);
  if (kind.loses === 'older' && noticed.length + voided.length === 0)
    wrong.push('nobody noticed that the log is an older one');
  if (kind.loses === 'none' && voided.length > 0)
    wrong.push('a log that lost nothing was made void');
  // What only a part of a log says is believed until it is told anew: see docs/reliability.md.
  if (kind.loses !== 'part') wrong.push(...moves);
  return wrong;
}

/** Seconds until it converged for good: what looks settled must still be so after a rest. */
async function converge(site: Site, meanwhile: () => Promise<void>): Promise<number> {
  const beganMs = Date.now();
  await meanwhile();
  for (;;) {
    await site.settled(givenUpMs);
    const seconds = secondsSince(beganMs);
    await site.rest(givenUpMs);
    if (await site.isSettled()) return seconds;
    await sleep(50);
  }
}

async function took(what: () => Promise<unknown>): Promise<number> {
  const beganMs = Date.now();
  await what();
  return secondsSince(beganMs);
}

const secondsSince = (beganMs: number): number => Math.round((Date.now() - beganMs) / 100) / 10;
