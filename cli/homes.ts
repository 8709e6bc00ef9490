/** Since when each address is where it is, and by which decision: from the assigner's own words. */
import type { Heard } from '../core/event.ts';

export interface Home {
  /** '' = none. */
  readonly node: string;
  /** The node before, or ''. */
  readonly previous: string;
  /** The decision that brought the address there, or the oldest one still on the log. */
  readonly heard: Heard;
  /** What was before that, as far as the log tells. */
  readonly before: Home | undefined;
}

interface Known {
  readonly uid: string;
  readonly sequence: number;
  readonly homes: ReadonlyMap<string, Home>;
}

export class Homes {
  readonly #byName = new Map<string, Known>();

  /** `address` is canonical, or the text of the spec that is no address. */
  of(name: string, address: string): Home | undefined {
    return this.#byName.get(name)?.homes.get(address);
  }

  /** Learns what the assigner said, in order; what it knows, and all else, changes nothing. */
  hear(heard: Heard): void {
    const { event, sequence } = heard;
    if (event.kind !== 'EgressIPDecided' && event.kind !== 'EgressIPForgotten') return;
    const known = this.#byName.get(event.name);
    if (known !== undefined && known.sequence >= sequence) return;
    const { uid } = event;
    const homes = new Map<string, Home>();
    this.#byName.set(event.name, { uid, sequence, homes });
    if (event.kind === 'EgressIPForgotten') return;
    const before = known?.uid === uid ? known.homes : new Map<string, Home>();
    for (const { address } of event.refusals)
      homes.set(address, next(before.get(address), '', '', heard));
    for (const { address, node, previous } of event.placements)
      homes.set(address, next(before.get(address), node, previous, heard));
  }
}

function next(before: Home | undefined, node: string, previous: string, heard: Heard): Home {
  if (before === undefined) return { node, previous, heard, before };
  if (before.node === node) return before;
  return { node, previous: before.node === '' ? before.previous : before.node, heard, before };
}
