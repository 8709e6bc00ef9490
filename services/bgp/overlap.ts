/** Subnets of several networks must not overlap: nobody else looks (`frr-ovn-aws-facts.md` 3.3). */
import { type Address, parseCidr } from '../../core/address.ts';
import type { BgpRouting } from '../../core/bgp-fact.ts';

interface Range {
  readonly family: Address['family'];
  readonly low: bigint;
  readonly high: bigint;
}

type Taken = Range & { readonly owner: string };

export class Subnets {
  /** By family, in order, and apart from each other. */
  readonly #taken: { readonly 4: Taken[]; readonly 6: Taken[] } = { 4: [], 6: [] };

  /** Takes the subnets, unless one of them is another's: then its owner is returned. */
  take(routing: BgpRouting): string | undefined {
    const { name: owner } = routing;
    const ranges = rangesOf(routing).filter((range) => range !== undefined);
    for (const range of ranges) {
      const other = this.#taken[range.family][this.#place(range)];
      if (other !== undefined && other.low <= range.high && other.owner !== owner)
        return other.owner;
    }
    for (const range of ranges)
      this.#taken[range.family].splice(this.#place(range), 0, { ...range, owner });
    return undefined;
  }

  /** Where the first range is that ends at this one's beginning or later. */
  #place({ family, low }: Range): number {
    const taken = this.#taken[family];
    let from = 0;
    let to = taken.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((taken[middle]?.high ?? low) < low) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** A routing is a value: what was read of one stays so. */
const known = new WeakMap<BgpRouting, readonly (Range | undefined)[]>();

/** For each subnet its range; undefined where it is no subnet. */
export function rangesOf(routing: BgpRouting): readonly (Range | undefined)[] {
  const found = known.get(routing) ?? routing.subnets.map(rangeOf);
  known.set(routing, found);
  return found;
}

function rangeOf(text: string): Range | undefined {
  const cidr = parseCidr(text);
  if (cidr === undefined) return undefined;
  const { address, bits } = cidr;
  const host = BigInt((address.family === 4 ? 32 : 128) - bits);
  const low = (address.value >> host) << host;
  return { family: address.family, low, high: low + (1n << host) - 1n };
}
