/** A node as a host of addresses: what it can take, and what it has (`spec/egressip.md` 1). */
import { type Address, contains } from '../../core/address.ts';
import { type HostCidr, type PrimaryIfaddr, secondaryNetwork } from '../../core/annotated.ts';
import { type Capacity, unlimited } from '../../core/cloudconfig.ts';
import type { Drained } from '../../core/drained.ts';
import type { Labels, Node } from '../../core/fact.ts';
import type { Claim } from './claim.ts';
import type { Pool } from './pool.ts';
import { SparseMap } from './sparse.ts';

/** How a node hosts an address. A secondary network is preferred (`spec/egressip.md` 3.2.3.3). */
export interface Network {
  readonly kind: 'ovn' | 'secondary';
  readonly text: string;
}

/** What an infrastructure-ready node says of itself in its annotations. */
export interface Infrastructure {
  /** On a cloud the subnets of egress-ipconfig; they are the OVN networks then. */
  readonly primary: PrimaryIfaddr;
  /** Secondary host networks do not count on a cloud (`spec/egressip.md` 1.4). */
  readonly hosts: readonly HostCidr[];
}

export class Host {
  readonly name: string;
  /** Its place among all hosts by name. */
  rank = 0;
  uid = '';
  labels: Labels = {};
  /** False for a name that is only known from a decision, a status or a probe. */
  exists = false;
  /** No-hostsubnet nodes never host anything (`spec/egressip.md` 1.1). */
  excluded = false;
  ready = false;
  /** Why its addresses are to leave while it still works, or ''. */
  drained: Drained = '';
  /** What the last probe found; undefined = not probed yet. */
  answered: boolean | undefined = undefined;
  /** Nothing is probed: whoever is ready counts as reachable. */
  unprobed = false;
  /** What the probe said, half a sentence. */
  reachableBecause = '';
  infrastructure: Infrastructure | undefined = undefined;
  /** Why it is not infrastructure-ready, or ''. */
  gap = '';
  /** Annotations that are there but cannot be read, a sentence each. */
  problems: readonly string[] = [];
  /** The networks it hosts addresses on, by kind. */
  networks: readonly Network[] = [];
  hostAddresses: readonly string[] = [];
  capacity: Capacity = unlimited;
  /** Addresses that the cloud has, gets or releases here; they take room until they are gone. */
  readonly cloudAddresses = new SparseMap<4 | 6>();
  /** Canonical address → the claim that has it here. */
  readonly tenants = new Map<string, Claim>();
  /** The node as it was seen last. */
  seen: Node | undefined = undefined;
  /** Whether its annotations were read as on a cloud. */
  readOnCloud = false;
  /** What the last decision on the node said of it. */
  judged: readonly string[] = [];
  /** The pools it stands in; they must be told before its load changes. */
  readonly pools = new Set<Pool>();

  constructor(name: string) {
    this.name = name;
  }

  get load(): number {
    return this.tenants.size;
  }

  get draining(): boolean {
    return this.drained !== '';
  }

  get reachable(): boolean | undefined {
    return this.unprobed ? true : this.answered;
  }

  /** All that hosting needs, but for the answer to a probe. */
  get sound(): boolean {
    return this.exists && !this.excluded && this.infrastructure !== undefined && this.ready;
  }

  get usable(): boolean {
    return this.sound && this.reachable === true;
  }

  get awaited(): boolean {
    return this.sound && this.reachable === undefined;
  }

  /** Whether one more address fits: pending and confirmed ones of all EgressIPs count. */
  hasRoomFor(address: Address): boolean {
    return this.hasRoomAfter('', address);
  }

  /** The same, if `leaver` left before; what the cloud still has of it here takes room. */
  hasRoomAfter(leaver: string, address: Address): boolean {
    const { ip, ipv4, ipv6 } = this.capacity;
    if (ip === Infinity && ipv4 === Infinity && ipv6 === Infinity) return true;
    const used = { 4: 0, 6: 0 };
    for (const [text, family] of this.cloudAddresses)
      if (text !== address.text && (text === leaver || !this.tenants.has(text))) used[family]++;
    for (const text of this.tenants.keys())
      if (text !== address.text && text !== leaver) used[text.includes(':') ? 6 : 4]++;
    const own = address.family === 4 ? ipv4 : ipv6;
    return used[4] + used[6] < ip && used[address.family] < own;
  }

  /** Network of an address here: the OVN network first, else the longest secondary prefix. */
  networkOf(address: Address): Network | undefined {
    const own = this.infrastructure;
    if (own === undefined) return undefined;
    const ovn = own.primary.cidrs.find((cidr) => contains(cidr, address));
    if (ovn !== undefined) return { kind: 'ovn', text: ovn.network };
    const text = secondaryNetwork(own.hosts, own.primary, address);
    return text === undefined ? undefined : { kind: 'secondary', text };
  }
}
