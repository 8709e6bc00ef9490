/** One round: something befalls the servers, and the rooms are judged by what came of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { draw } from '../simulator/draw.ts';
import { type Kind, kinds } from './kinds.ts';
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
  /** How often an older log was made void. */
  readonly voided: number;
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
  const { judge, traffic } = site;
  const before = { moves: judge.moves.length, doubles: judge.doubles.length };
  const deaths = site.deaths.length;
  const logs = site.logEnds();
  const rollbacks = (await site.book()).rollbacks ?? 0;
  traffic.beginRound();
  const chance = draw(seed, `round ${round}`);
  const told = { note: '', quorumS: -1, convergedS: -1, voided: 0 };
  const wrong: string[] = [];
  try {
    told.note = await kind.befall({ site, draw: chance, longestMs });
    told.quorumS = await took(() => site.nats.quorum(streams, givenUpMs));
    told.convergedS = await converge(site, () => traffic.run(chance, 3));
    told.voided = ((await site.book()).rollbacks ?? 0) - rollbacks;
  } catch (error) {
    wrong.push(error instanceof Error ? error.message : String(error));
  }
  const moves = judge.moves.slice(before.moves);
  const doubles = judge.doubles.slice(before.doubles);
  const noticed = site.newBeginnings(logs);
  const all = { ...told, moves, doubles, noticed, deaths: site.deaths.slice(deaths) };
  wrong.push(...wrongs(kind, all));
  return { ...told, round, kind: name, moves: moves.length, doubles: doubles.length, noticed, wrong };
}

interface Told {
  readonly convergedS: number;
  readonly voided: number;
  readonly moves: readonly string[];
  readonly doubles: readonly string[];
  readonly noticed: readonly string[];
  readonly deaths: readonly string[];
}

function wrongs(kind: Kind, told: Told): string[] {
  const { convergedS, moves, doubles, noticed, voided, deaths } = told;
  const wrong = [...doubles, ...deaths];
  if (convergedS > goalS) wrong.push(`it took ${convergedS} s to converge`);
  if (kind.loses === 'older' && noticed.length + voided === 0)
    wrong.push('nobody noticed that the log is an older one');
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
