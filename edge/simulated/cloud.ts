/** A cloud as the cloud controller meets it: which node has which address, and what it refuses. */

/** How a cloud behaves; times are in milliseconds. */
export interface CloudManners {
  /** Whether it moves an address in one step, as OpenStack does; others release and assign. */
  readonly moves: boolean;
  /** How long each call takes. */
  readonly delayMs: number;
  /** How long the controller waits after the first failed call; the wait doubles each time. */
  readonly retryMs: number;
  /** How often the controller calls before it waits for the object to change. */
  readonly tries: number;
}

export const usualManners: CloudManners = { moves: false, delayMs: 0, retryMs: 1_000, tries: 10 };

export type CallKind = 'assign' | 'release' | 'move';

export class SimulatedCloud {
  manners: CloudManners;
  /** Address, as its object is named, → the node that has it. */
  readonly addresses = new Map<string, string>();
  /** Node → how many addresses fit on it; a node that is not here takes any number. */
  readonly limits = new Map<string, number>();
  /** Node → why nothing can be assigned to it, or moved there. */
  readonly failures = new Map<string, string>();
  /** Node → why nothing can be released from it. */
  readonly grips = new Map<string, string>();
  /** How many of the next calls fail, whatever they are, as an API out of order does. */
  outages = 0;
  /** Every call that was made, `assign 10.0.0.1 on worker-1`, in order. */
  readonly calls: string[] = [];

  constructor(manners: Partial<CloudManners> = {}) {
    this.manners = { ...usualManners, ...manners };
  }

  /** Carries out a call for an address on a node; returns why it failed, or ''. */
  call(kind: CallKind, name: string, node: string): string {
    this.calls.push(`${kind} ${name} on ${node}`);
    const refusal = this.#refusalOf(kind, name, node);
    if (refusal !== '') return refusal;
    if (kind === 'release') this.addresses.delete(name);
    else this.addresses.set(name, node);
    return '';
  }

  #refusalOf(kind: CallKind, name: string, node: string): string {
    if (this.outages > 0) {
      this.outages--;
      return 'RequestLimitExceeded: the cloud is busy';
    }
    const failures = kind === 'release' ? this.grips : this.failures;
    const failure = failures.get(node);
    if (failure !== undefined) return failure;
    const holder = this.addresses.get(name);
    if (kind === 'release' || holder === node) return '';
    if (kind === 'assign' && holder !== undefined) return `${name} is in use on ${holder}`;
    const taken = [...this.addresses.values()].filter((other) => other === node).length;
    const limit = this.limits.get(node) ?? Number.POSITIVE_INFINITY;
    return taken < limit ? '' : `AddressLimitExceeded: ${node} has room for ${limit}`;
  }
}
