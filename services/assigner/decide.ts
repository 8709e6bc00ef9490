/**
 * One slice of thought: let go of what is not good any more, seat the homeless, tell what is new.
 */
import type { Saying } from '../../core/event.ts';
import type { Turn } from '../../core/room.ts';
import { bySeniority, type Claim } from './claim.ts';
import type { Act } from './input.ts';
import { judge } from './judge.ts';
import { isDisplaced, place } from './place.ts';
import { tell } from './tell.ts';
import { gains, losesToOthers, tellLossesFirst, tellOrphan } from './tell-first.ts';
import { tellHosts } from './tellhosts.ts';
import { rebalance } from './rebalance.ts';
import type { Stage } from './agenda.ts';
import type { World } from './world.ts';

/** Claims per slice: some milliseconds at most. */
const SLICE = 25;
/** To make a pool costs a look at all nodes of a network: a few per slice. */
const POOLS = 3;

export function decide(world: World): Turn<Act> {
  if (!isPictured(world)) return { says: [], does: [], more: false };
  for (const use of world.uses.toCount) {
    world.recount(use);
    return { says: [], does: [], more: true };
  }
  const stage = world.stage ?? nextStage(world);
  if (stage === undefined) return { says: tellHosts(world), does: wake(world), more: false };
  return stage === 'tell' ? tellSlice(world) : work(world, stage);
}

/** Before the first complete picture nobody decides; on a cloud its claims are part of it. */
export function isPictured({ probing, cloud, cloudSynced }: World): boolean {
  return probing !== undefined && (!cloud || cloudSynced);
}

/** Asks to be woken for the earliest thing that time alone will change. */
function wake(world: World): readonly Act[] {
  const atMs = world.alarms.ask();
  return atMs === undefined ? [] : [{ kind: 'Wake', atMs }];
}

function nextStage(world: World): Stage | undefined {
  if (world.toJudge.size > 0) return 'judge';
  if (world.toPlace.size > 0) return 'place';
  if (world.toTell.size > 0 && world.toBalance.size > 0) return 'balance';
  return world.toTell.size > 0 ? 'tell' : undefined;
}

const steps = { judge, place, balance: rebalance };

/** Takes one step with the next few claims; a step is done with all before the next one begins. */
function work(world: World, stage: 'judge' | 'place' | 'balance'): Turn<Act> {
  if (world.stage !== stage) return begin(world, stage);
  const most = world.pools.made + POOLS;
  for (let done = 0; done < SLICE && world.pools.made <= most; done++) {
    const claim = world.queue.pop();
    if (claim === undefined) break;
    steps[stage](world, claim);
  }
  if (world.queue.length === 0) world.stage = undefined;
  return { says: [], does: [], more: true };
}

function begin(world: World, stage: Stage): Turn<Act> {
  const { toJudge, toPlace, toBalance, toTell } = world;
  const set = { judge: toJudge, place: toPlace, balance: toBalance, tell: toTell }[stage];
  const claims = [...set];
  set.clear();
  if (stage === 'judge') for (const claim of world.rebalancers) toBalance.add(claim);
  world.queue.push(...inOrder(world, stage, claims).toReversed());
  world.stage = stage;
  world.poolWords.clear();
  world.deadEnds[4].clear();
  world.deadEnds[6].clear();
  return { says: [], does: [], more: true };
}

function inOrder(world: World, stage: string, claims: readonly Claim[]): readonly Claim[] {
  const sorted = claims.toSorted(bySeniority);
  if (stage === 'judge' || stage === 'balance') return sorted;
  const isFirst = stage === 'place' ? isDisplaced : (claim: Claim) => losesFirst(world, claim);
  const first: Claim[] = [];
  const rest: Claim[] = [];
  for (const claim of sorted) (isFirst(claim) ? first : rest).push(claim);
  return [...first, ...rest];
}

/** Releases come before what they make possible. */
const losesFirst = (world: World, claim: Claim): boolean =>
  claim.seen === undefined || losesToOthers(world, claim);

function beginToTell(world: World): Turn<Act> {
  const turn = begin(world, 'tell');
  const says: Saying[] = [];
  for (const claim of world.queue.toReversed()) {
    const contested = losesToOthers(world, claim) && gains(claim);
    const saying = contested ? tellLossesFirst(world, claim) : tellOrphan(claim);
    if (saying !== undefined) says.push(saying);
  }
  return { ...turn, says };
}

function tellSlice(world: World): Turn<Act> {
  if (world.stage !== 'tell') return beginToTell(world);
  const says: Saying[] = [];
  for (const claim of world.queue.splice(-SLICE).reverse()) {
    const saying = tell(world, claim);
    if (saying !== undefined) says.push(saying);
  }
  if (world.queue.length === 0) world.stage = undefined;
  return { says, does: [], more: true };
}
