/** One sequence, and all that is asked of its end. */
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import { CONFIGS, ROUTINGS } from '../../../edge/simulated/kinds.ts';
import { isLive } from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';
import { collections, type Sequence, sequenceOf } from './changes.ts';
import { differences, endOf } from './end.ts';
import { faultsOf, wrongFields, wrongRouting } from './invalid.ts';
import { lastOf } from './memory.ts';
import { play, playAnew } from './play.ts';
import { misreported } from './reported.ts';
import { harmed } from './harmless.ts';

/** Changes of a sequence. */
const CHANGES = 20;

export interface Found {
  /** A sentence each; none = all is as it should be. */
  readonly problems: readonly string[];
  /** Changes that the API server did not let in. */
  readonly refused: number;
  /** Objects that were there at last, and how many of them were invalid. */
  readonly objects: number;
  readonly invalid: number;
  /** Something was there that runs on by the rules, whatever the objects say now. */
  readonly remembers: boolean;
}

/** `keep` = which of the changes remain; all without it. */
export function sequenceFor(seed: number, keep?: ReadonlySet<number>): Sequence {
  const sequence = sequenceOf(seed, CHANGES);
  if (keep === undefined) return sequence;
  return { ...sequence, changes: sequence.changes.filter((_, index) => keep.has(index)) };
}

/** What this cannot play itself is a problem, too. */
export async function fuzz(sequence: Sequence): Promise<Found> {
  try {
    return await judged(sequence);
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { problems: [problem], refused: 0, objects: 0, invalid: 0, remembers: false };
  }
}

async function judged(sequence: Sequence): Promise<Found> {
  const { world, refused } = await play(sequence);
  const last = lastOf(world);
  const fresh = await playAnew(last.before, last.after);
  const problems = [
    ...crashOf(world),
    ...misreported(world),
    ...crashOf(fresh).map(anew),
    ...differences(endOf(world), endOf(fresh)),
    ...misreported(fresh).map(anew),
    ...(await harmed(last, fresh)),
  ];
  const all = collections.flatMap((kind) => world.server.list(kind));
  const remembers = last.before.length > 1;
  return { problems, refused, objects: all.length, invalid: invalidIn(world), remembers };
}

const anew = (sentence: string): string => `anew: ${sentence}`;

const crashOf = ({ failure }: Simulation): readonly string[] =>
  failure === undefined ? [] : [`${failure.checker}: ${failure.sentence}`];

function invalidIn({ server }: Simulation): number {
  const configs = server.list(CONFIGS).filter(isLive);
  const wrong = [
    ...configs.filter((one) => one.metadata.name !== 'cluster' || wrongFields(one).length > 0),
    ...server.list(ROUTINGS).filter((one) => wrongRouting(one) !== ''),
    ...server.list(EGRESSIPS).filter((one) => faultsOf(one).length > 0),
  ];
  return wrong.length;
}
