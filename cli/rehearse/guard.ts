/** What the rooms may never do, whatever a rehearsal does to them: looked at after every write. */
import { EGRESSIPS } from '../../edge/simulated/admission.ts';
import type { Stage } from './stage.ts';

export class Guard {
  readonly #stage: Stage;
  #known: ReadonlySet<string> = new Set();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Violations that were not there at the last look. */
  look(): readonly string[] {
    const now = violationsOf(this.#stage);
    const fresh = [...now].filter((violation) => !this.#known.has(violation));
    this.#known = now;
    return fresh;
  }
}

/**
 * An address stands in one status at most, and an object has at most one address on a node
 * (`spec/egressip.md` 11.2, 11.3). Nothing = all is well.
 */
function violationsOf(stage: Stage): ReadonlySet<string> {
  const holders = new Map<string, string>();
  const seats = new Set<string>();
  const violations = new Set<string>();
  for (const { metadata } of stage.world.cluster.list(EGRESSIPS)) {
    for (const { egressIP, node } of stage.items(metadata.name)) {
      const holder = holders.get(egressIP);
      if (holder !== undefined)
        violations.add(`${egressIP} stands in the status of ${holder} and of ${metadata.name}`);
      holders.set(egressIP, metadata.name);
      const seat = `${metadata.name} on ${node}`;
      if (seats.has(seat)) violations.add(`two addresses of ${seat}`);
      seats.add(seat);
    }
  }
  return violations;
}
