/**
 * The CloudPrivateIPConfigs by address: what is seen of each, and which EgressIP wants it where.
 */
import { parseAddress } from '../../core/address.ts';
import { cloudName } from '../../core/cloudname.ts';
import type { CloudClaim } from '../../core/fact.ts';
import { Many } from '../../core/many.ts';
import type { Thing } from './object.ts';

/** No object can have this name. */
export const SOMEBODY = '*';

/** The next thing to do about a claim. */
export interface Step {
  readonly verb: 'create' | 'move' | 'delete';
  readonly node: string;
  readonly owner: string;
  /** Of the object that is changed; '' when it is created. */
  readonly uid: string;
  /** It failed on a node that is gone, and is deleted to be created anew. */
  readonly retry: boolean;
  /** The sequence of the decision that it follows: there may be another when the answer comes. */
  readonly decision: number | undefined;
}

export class Claim {
  /** Canonical. */
  readonly address: string;
  /** Of the object: `spec/egressip.md` 2.2. */
  readonly name: string;
  seen: CloudClaim | undefined = undefined;
  /** What facts told of it last. */
  shown: CloudClaim | undefined = undefined;
  /** The EgressIP whose last decision places the address. */
  asker: Thing | undefined = undefined;
  acting: Step | undefined = undefined;
  /** Attempts in a row that failed. */
  failed = 0;
  /** The uid of an object that we deleted: it is on its way out, whatever late facts say. */
  doomed = '';
  /** What we created and no fact showed yet is looked for again after this time; 0 = nothing. */
  expectedMs = 0;
  /**
   * Whom it was told that this object has no owner and is left alone: the EgressIP that asks for
   * the address, '' = nobody asked, SOMEBODY = whoever did in an earlier life; undefined = nobody.
   */
  reportedTo: string | undefined = undefined;

  constructor(address: string) {
    const parsed = parseAddress(address);
    this.address = address;
    this.name = parsed === undefined ? address : cloudName(parsed);
  }

  /** The node where the address is wanted; undefined when no object that exists wants it. */
  get wantedNode(): string | undefined {
    const items = this.asker?.current?.items ?? [];
    return items.find(({ egressIP }) => egressIP === this.address)?.node;
  }

  get isDeleting(): boolean {
    return this.seen !== undefined && (this.seen.deleting || this.seen.uid === this.doomed);
  }
}

export class Claims {
  readonly #claims = new Map<string, Claim>();
  readonly #owned = new Many<Claim>();
  /** Claims that the cloud could not grant: the loss of a node may free them. */
  readonly failed = new Set<Claim>();

  all(): Iterable<Claim> {
    return this.#claims.values();
  }

  known(address: string): Claim | undefined {
    return this.#claims.get(address);
  }

  of(address: string): Claim {
    const known = this.#claims.get(address);
    if (known !== undefined) return known;
    const claim = new Claim(address);
    this.#claims.set(address, claim);
    return claim;
  }

  ownedBy(name: string): readonly Claim[] {
    return [...this.#owned.of(name)];
  }

  see(claim: Claim, seen: CloudClaim | undefined): void {
    if (claim.seen !== undefined) this.#owned.delete(claim.seen.owner, claim);
    claim.seen = seen;
    if (seen !== undefined) this.#owned.add(seen.owner, claim);
    if (seen?.assigned === 'False') this.failed.add(claim);
    else this.failed.delete(claim);
  }

  /** Forgets a claim that is neither there nor wanted. */
  settle(claim: Claim): void {
    if (claim.seen !== undefined || claim.asker !== undefined || claim.acting !== undefined) return;
    if (claim.expectedMs === 0) this.#claims.delete(claim.address);
  }
}
