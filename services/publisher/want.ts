/** How a decision becomes what is wanted of an object, and of the cloud. */
import type { EgressDecision } from '../../core/decision.ts';
import type { Heard } from '../../core/event.ts';
import type { Thing, Wanted } from './object.ts';
import { settle } from './settle.ts';
import type { World } from './world.ts';

export function want(world: World, heard: Heard, decision: EgressDecision): void {
  const thing = world.thing(decision.kind === 'NodeJudged' ? 'node' : 'egressip', decision.name);
  const before = thing.wanted;
  thing.wanted = wantedOf(heard, decision);
  count(world, before, thing.wanted);
  ask(world, thing, before);
  if (decision.kind === 'EgressIPForgotten') {
    thing.untold.length = 0;
    return settle(world, thing);
  }
  if (thing.kind === 'egressip') world.toWrite.add(thing);
  const { sequence, atMs } = heard;
  const { uid, notices } = decision;
  if (notices.length === 0 || thing.told === sequence) return;
  thing.untold.push({ decision: sequence, serial: '', atMs, uid, notices });
  world.toTell.add(thing);
}

function wantedOf({ sequence, atMs }: Heard, decision: EgressDecision): Wanted | undefined {
  if (decision.kind === 'EgressIPForgotten') return undefined;
  const { uid } = decision;
  if (decision.kind === 'NodeJudged')
    return { sequence, atMs, uid, items: [], mark: 0, cloud: false, refusals: [] };
  const { placements, mark, cloud, refusals } = decision;
  const items = placements.map(({ address, node }) => ({ egressIP: address, node }));
  return { sequence, atMs, uid, items, mark, cloud, refusals };
}

/** Upstream counts an address that must leave its node, for whatever reason, once. */
function count({ tally }: World, before: Wanted | undefined, after: Wanted | undefined): void {
  const has = ({ egressIP, node }: { egressIP: string; node: string }): boolean =>
    after?.items.some((item) => item.egressIP === egressIP && item.node === node) === true;
  const [old, fresh] = [before?.items ?? [], after?.items ?? []];
  tally.placed += fresh.length - old.length;
  tally.moved += old.filter((item) => !has(item)).length;
  tally.refused(before?.refusals ?? [], -1);
  tally.refused(after?.refusals ?? [], 1);
}

/** Tells the claims who wants their addresses now, and those of its own that it wants no more. */
function ask(world: World, thing: Thing, before: Wanted | undefined): void {
  const after = thing.wanted;
  for (const { egressIP } of before?.cloud === true ? before.items : []) {
    const claim = world.claims.of(egressIP);
    if (claim.asker === thing) claim.asker = undefined;
    world.toClaim.add(claim);
  }
  for (const { egressIP } of after?.cloud === true ? after.items : []) {
    const claim = world.claims.of(egressIP);
    claim.asker = thing;
    world.toClaim.add(claim);
  }
  for (const claim of world.claims.ownedBy(thing.name)) world.toClaim.add(claim);
}
