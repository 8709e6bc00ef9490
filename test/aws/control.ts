/** The whole emulated AWS in the hands of a test: regions, faults, what was called, violations. */
import type { Entry } from './entry.ts';
import type { Fault } from './fault.ts';
import { violationsOf } from './invariants.ts';
import type { Manners } from './manners.ts';
import { ACCOUNT, Principals } from './principals.ts';
import { RegionControl } from './region.ts';
import { regionOf } from './world.ts';

export class AwsWorld extends Principals {
  readonly #regions = new Map<string, RegionControl>();

  get manners(): Manners {
    return this.state.manners;
  }

  region(name: string, account = ACCOUNT): RegionControl {
    const place = `${account}/${name}`;
    const known = this.#regions.get(place);
    if (known !== undefined) return known;
    const made = new RegionControl(this.state, regionOf(this.state, account, name), this.nowMs);
    this.#regions.set(place, made);
    return made;
  }

  /** Orders a fault; those ordered first hit first. */
  fault(fault: Fault): void {
    this.state.faults.push({ ...fault });
  }

  clearFaults(): void {
    this.state.faults.length = 0;
  }

  /** The calls so far, of one action or of all. */
  calls(action?: string): readonly Entry[] {
    const { log } = this.state;
    return action === undefined ? log : log.filter((entry) => entry.action === action);
  }

  /** The calls that changed the world. */
  mutations(): readonly Entry[] {
    return this.state.log.filter(({ applied }) => applied);
  }

  /** How many calls of each action ended how: `{ 'CreateTags ok': 2 }`. */
  counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { action, code } of this.state.log) {
      const name = `${action} ${code === '' ? 'ok' : code}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  clearLog(): void {
    this.state.log.length = 0;
  }

  /** The value of the tag `managed-by` that is the caller's own, besides what it creates with. */
  ours(owner: string): void {
    this.state.watch.ours.add(owner);
  }

  /** At most so many mutations of each action from now on (I4); undefined = as many as it likes. */
  plan(most: Readonly<Record<string, number>> | undefined): void {
    this.state.watch.plan = most === undefined ? undefined : new Map(Object.entries(most));
  }

  /** Nothing will change from now on: at most `perHour` calls in any hour, reads only (I5). */
  rest(perHour: number): void {
    this.state.watch.rest = { sinceMs: this.nowMs(), perHour, calls: [] };
  }

  /** The world changes again. */
  stir(): void {
    this.state.watch.rest = undefined;
  }

  /** What was done against the invariants so far. */
  violations(): readonly string[] {
    return violationsOf(this.state);
  }

  /** Throws when there is a violation: for the end of a test. */
  check(): void {
    const all = this.violations();
    if (all.length > 0) throw new Error(`${all.length} violations:\n${all.join('\n')}`);
  }
}
