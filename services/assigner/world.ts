/**
 * What the assigner remembers: nodes, claims, who has which address, and what is to be thought
 * over.
 */
import type { Cause } from '../../core/event.ts';
import type { CloudClaim, Node, Probing } from '../../core/fact.ts';
import type { Selector } from '../../core/selector.ts';
import { Many } from '../../core/many.ts';
import { Alarms } from './alarms.ts';
import { Claim, type Failure } from './claim.ts';
import { Host } from './host.ts';
import { Marks } from './marks.ts';
import { Pools } from './pools.ts';
import { Ranks } from './ranks.ts';
import { seeNode } from './seenode.ts';
import { Use } from './use.ts';

/** Events remembered as causes of one decision; more would tell a reader nothing. */
const CAUSES_KEPT = 4;

/** The steps of a turn: a step is done with all claims before the next one begins. */
export type Stage = 'judge' | 'place' | 'balance' | 'tell';

export interface Settings {
  /** Nodes that never host (`--no-hostsubnet-nodes`), or undefined. */
  readonly excluded: Selector | undefined;
}

export class World {
  readonly settings: Settings;
  readonly hosts = new Map<string, Host>();
  readonly claims = new Map<string, Claim>();
  readonly pools = new Pools();
  readonly marks = new Marks();
  /** Address → the claim that has a home for it. */
  readonly owners = new Map<string, Claim>();
  /** Address → all claims that want it. */
  readonly wanters = new Many<Claim>();
  /** Address → the nodes that have it as a host address. */
  readonly hostAddresses = new Many<Host>();
  readonly #ranks = new Ranks<Host>();
  readonly #uses = new Map<string, Use>();
  /** Unset until the watcher's first complete picture is on the log: nobody decides before. */
  probing: Probing | undefined = undefined;

  /** Addresses live in CloudPrivateIPConfigs, and nodes have limited room. */
  cloud = false;
  /** Canonical address → its CloudPrivateIPConfig. */
  readonly cloudClaims = new Map<string, CloudClaim>();
  readonly failures = new Map<string, Failure>();
  /** Nodes that cannot make room for an address of the family, as was found in this turn. */
  readonly deadEnds = { 4: new Set<Host>(), 6: new Set<Host>() };
  /** The latest time that was heard of, on the log or by an alarm. */
  nowMs = 0;
  readonly alarms = new Alarms();

  /**
   * Claims whose homes are to be judged, whose homeless are to be placed, whose news is to be told.
   */
  readonly toJudge = new Set<Claim>();
  readonly toPlace = new Set<Claim>();
  /** Claims that ask for balance, when something changed that may make it better. */
  readonly toBalance = new Set<Claim>();
  readonly rebalancers = new Set<Claim>();
  readonly toTell = new Set<Claim>();
  readonly hostsToTell = new Set<Host>();
  /** Selectors whose nodes were not counted yet. */
  readonly toCount = new Set<Use>();
  /** The set that `decide` is working off, last one first, and which it is. */
  readonly queue: Claim[] = [];
  stage: Stage | undefined = undefined;
  /** What was said of the nodes of a selector in this stage. */
  readonly poolWords = new Map<Use, string>();

  constructor(settings: Settings) {
    this.settings = settings;
  }

  host(name: string): Host {
    const known = this.hosts.get(name);
    if (known !== undefined) return known;
    const host = new Host(name);
    this.hosts.set(name, host);
    this.#ranks.add(host);
    return host;
  }

  /** Nothing is known of the name any more. */
  forgetHost(host: Host): void {
    this.hosts.delete(host.name);
    this.#ranks.remove(host);
  }

  claim(name: string): Claim {
    const known = this.claims.get(name);
    if (known !== undefined) return known;
    const claim = new Claim(name);
    this.claims.set(name, claim);
    return claim;
  }

  /** Marks a claim as worth a thought, and why. */
  stir(claim: Claim, cause: Cause | undefined): void {
    this.toJudge.add(claim);
    if (cause === undefined || claim.causes.length >= CAUSES_KEPT) return;
    claim.causes.push(cause);
  }

  stirWanters(address: string, cause: Cause | undefined, except?: Claim): void {
    for (const claim of this.wanters.of(address)) if (claim !== except) this.stir(claim, cause);
  }

  /** Room came free on a node: whoever waits for such a node may have it. */
  stirWaitingFor(node: string, cause: Cause | undefined): void {
    const host = this.hosts.get(node);
    if (host === undefined) return;
    for (const use of this.#uses.values())
      if (use.waiting.size > 0 && use.selector.matches(host.labels))
        for (const claim of use.waiting) this.stir(claim, cause);
  }

  /** At that time the wanters of the address are to be thought over again. */
  setAlarm(atMs: number, address: string): void {
    if (atMs > this.nowMs) this.alarms.set(atMs, address);
    else this.stirWanters(address, undefined);
  }

  /** Time goes on; it never goes back. */
  reach(nowMs: number): void {
    if (nowMs <= this.nowMs) return;
    this.nowMs = nowMs;
    for (const address of this.alarms.due(nowMs)) this.stirWanters(address, undefined);
  }

  /** The claims of equal selectors share one `Use`; a new one counts its nodes once. */
  enlist(claim: Claim, selector: Selector): void {
    if (claim.use?.selector.text === selector.text && !claim.use.selector.problem) return;
    this.dismiss(claim);
    const key = `${selector.text}\n${selector.problem ?? ''}`;
    const use = this.#uses.get(key) ?? this.#open(key, selector);
    use.claims.add(claim);
    claim.use = use;
  }

  #open(key: string, selector: Selector): Use {
    const use = new Use(selector);
    this.#uses.set(key, use);
    this.toCount.add(use);
    return use;
  }

  /** Counts the nodes of a selector, which from then on are kept count of. */
  recount(use: Use): void {
    use.reset();
    for (const host of this.hosts.values()) count(use, host, 1);
    this.toCount.delete(use);
    for (const claim of use.waiting) this.stir(claim, undefined);
  }

  dismiss(claim: Claim): void {
    const use = claim.use;
    if (use === undefined) return;
    claim.use = undefined;
    use.claims.delete(claim);
    use.waiting.delete(claim);
    if (use.claims.size > 0) return;
    this.pools.drop(use);
    this.toCount.delete(use);
    this.#uses.delete(`${use.selector.text}\n${use.selector.problem ?? ''}`);
  }

  /** Changes a node and stirs whoever lives there, waits for such a node, or collides with it. */
  changeHost(name: string, cause: Cause, change: (host: Host) => void): void {
    const host = this.host(name);
    const touched = new Set<Use>();
    const before = host.hostAddresses;
    this.pools.takeOut(host);
    for (const use of this.#uses.values())
      if (!this.toCount.has(use) && count(use, host, -1)) touched.add(use);
    change(host);
    host.unprobed = this.probing === 'off';
    for (const use of this.#uses.values())
      if (!this.toCount.has(use) && count(use, host, 1)) touched.add(use);
    this.pools.putBack(host);
    for (const claim of host.tenants.values()) this.stir(claim, cause);
    for (const use of touched) for (const claim of use.waiting) this.stir(claim, cause);
    for (const claim of this.rebalancers)
      if (claim.use !== undefined && touched.has(claim.use)) this.stir(claim, cause);
    this.#compareHostAddresses(host, before, cause);
    this.hostsToTell.add(host);
  }

  #compareHostAddresses(host: Host, before: readonly string[], cause: Cause): void {
    const after = host.hostAddresses;
    for (const address of before) {
      if (after.includes(address)) continue;
      this.hostAddresses.delete(address, host);
      this.stirWanters(address, cause);
    }
    for (const address of after) {
      if (before.includes(address)) continue;
      this.hostAddresses.add(address, host);
      this.stirWanters(address, cause);
    }
  }

  /** The first complete picture is there, or the way of probing changed: all is counted anew. */
  sync(probing: Probing): void {
    if (this.probing === probing) return;
    this.probing = probing;
    for (const host of this.hosts.values()) host.unprobed = probing === 'off';
    for (const use of this.#uses.values()) {
      this.pools.drop(use);
      this.toCount.add(use);
    }
    for (const claim of this.claims.values()) this.stir(claim, undefined);
  }

  seeNode(name: string, node: Node | undefined, cause: Cause): void {
    const excluded = node !== undefined && this.settings.excluded?.matches(node.labels) === true;
    this.changeHost(name, cause, (host) => seeNode(host, node, excluded, this.cloud));
  }

  /** Gives an address a home. */
  settle(claim: Claim, address: string, node: string, previous: string): void {
    const host = this.host(node);
    const load = host.load;
    host.tenants.set(address, claim);
    for (const pool of host.pools) pool.reload(host, load);
    claim.homes.set(address, { node, previous });
    this.owners.set(address, claim);
  }

  /** Takes its home from an address; those who want the same address may have it now. */
  unsettle(claim: Claim, address: string): void {
    const home = claim.homes.get(address);
    if (home === undefined) return;
    claim.homes.delete(address);
    const host = this.host(home.node);
    if (host.tenants.get(address) === claim) {
      const load = host.load;
      host.tenants.delete(address);
      for (const pool of host.pools) pool.reload(host, load);
      if (this.cloud) this.stirWaitingFor(home.node, claim.causes[0]);
    }
    if (this.owners.get(address) === claim) this.owners.delete(address);
  }
}

/** Adds a node to the counts of a selector, or takes it out; tells whether it matches. */
function count(use: Use, host: Host, by: 1 | -1): boolean {
  if (!host.exists || !use.selector.matches(host.labels)) return false;
  use.matching += by;
  if (host.awaited) use.awaited += by;
  if (host.usable) use.usable += by;
  return true;
}
