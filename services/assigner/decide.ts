/**
 * One slice of thought: let go of what is not good any more, seat the homeless, tell what is new.
 */
import type { Saying } from '../../core/event.ts';
import type { Turn } from '../../core/room.ts';
import type { Claim } from './claim.ts';
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
/** Claims that are put into their order, or have nothing to tell first, in a slice. */
const GATHERED = 500;
const none = new Set<Claim>();

export function decide(world: World): Turn<Act> {
  if (!isPictured(world)) return { says: [], does: [], more: false };
  for (const use of world.uses.toCount) {
    world.recount(use);
    return { says: [], does: [], more: true };
  }
  const stage = world.stage ?? nextStage(world);
  if (stage === undefined) return { says: tellHosts(world), does: wake(world), more: false };
  return work(world, stage);
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
  if (world.toTell.size > 0) return 'tell first';
  for (const claim of world.toReconsider) world.toJudge.add(claim);
  world.toReconsider.clear();
  return world.toJudge.size > 0 ? 'judge' : undefined;
}

function work(world: World, stage: Stage): Turn<Act> {
  if (world.stage === undefined) begin(world, stage);
  if (world.gathers) {
    gather(world, stage);
    return { says: [], does: [], more: true };
  }
  return { says: slices[stage](world), does: [], more: true };
}

function begin(world: World, stage: Stage): void {
  world.stage = stage;
  world.gathers = true;
  if (stage === 'judge') for (const claim of world.rebalancers) world.toBalance.add(claim);
  world.poolWords.clear();
  world.deadEnds[4].clear();
  world.deadEnds[6].clear();
}

/** Puts the next claims of the step into their order. */
function gather(world: World, stage: Stage): void {
  const { toJudge, toPlace, toBalance, toTell } = world;
  const all = {
    judge: toJudge,
    place: toPlace,
    balance: toBalance,
    'tell first': toTell,
    tell: none,
  };
  const first: Claim[] = [];
  const rest: Claim[] = [];
  for (const claim of all[stage]) {
    if (first.length + rest.length === GATHERED) break;
    all[stage].delete(claim);
    (comesFirst(world, stage, claim) ? first : rest).push(claim);
  }
  world.first.add(first);
  world.queue.add(rest);
  world.gathers = all[stage].size > 0;
}

/** Who lost a home is placed first; releases come before what they make possible. */
function comesFirst(world: World, stage: Stage, claim: Claim): boolean {
  if (stage === 'place') return isDisplaced(claim);
  return stage === 'tell first' && (claim.seen === undefined || losesToOthers(world, claim));
}

const nextClaim = ({ first, queue }: World): Claim | undefined => first.take() ?? queue.take();

const slices = {
  judge: (world: World) => think(world, judge),
  place: (world: World) => think(world, place),
  balance: (world: World) => think(world, rebalance),
  'tell first': tellFirst,
  tell: tellRest,
};

/**
 * Takes the step with the next few claims; to make a pool costs a look at all its nodes: then rest.
 */
function think(world: World, step: (world: World, claim: Claim) => void): readonly Saying[] {
  const { made } = world.pools;
  for (let done = 0; done < SLICE && world.pools.made === made; done++) {
    const claim = nextClaim(world);
    if (claim === undefined) break;
    step(world, claim);
  }
  if (world.first.size + world.queue.size === 0) world.stage = undefined;
  return [];
}

/** Nearly nobody has anything to tell first: more claims than usual are a slice. */
function tellFirst(world: World): readonly Saying[] {
  const says: Saying[] = [];
  for (let done = 0; done < GATHERED && says.length < SLICE; done++) {
    const claim = nextClaim(world);
    if (claim === undefined) break;
    world.ordered.push(claim);
    const contested = losesToOthers(world, claim) && gains(claim);
    const saying = contested ? tellLossesFirst(world, claim) : tellOrphan(claim);
    if (saying !== undefined) says.push(saying);
  }
  if (world.first.size + world.queue.size === 0) world.stage = 'tell';
  return says;
}

function tellRest(world: World): readonly Saying[] {
  const says: Saying[] = [];
  for (const claim of world.ordered.splice(0, SLICE)) {
    const saying = tell(world, claim);
    if (saying !== undefined) says.push(saying);
  }
  if (world.ordered.length === 0) world.stage = undefined;
  return says;
}
