/** What a change of an EgressIP was: whose, and which items came and went. */
import type { Change } from '../api-server.ts';
import type { Simulation } from '../simulation.ts';
import { type Item, readEgressIP } from '../truth.ts';

export const isRoom = (by: string): boolean =>
  /^(watcher|assigner|publisher|bgp|aws-sync)-/.test(by);

const itemsOf = (object: Change['before']): readonly Item[] =>
  object === undefined ? [] : readEgressIP(object).items;

const same = (a: Item, b: Item): boolean => a.egressIP === b.egressIP && a.node === b.node;

export const added = ({ before, object }: Change): readonly Item[] =>
  itemsOf(object).filter((item) => !itemsOf(before).some((one) => same(one, item)));

export const removed = ({ before, object }: Change): readonly Item[] =>
  itemsOf(before).filter((item) => !itemsOf(object).some((one) => same(one, item)));

/** Somebody else meddled with it a while ago: our own last word may not be out yet. */
export const recently = (world: Simulation, key: string): boolean =>
  (world.meddled.get(key) ?? -Infinity) > world.scheduler.nowMs - 400_000;
