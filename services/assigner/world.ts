/** What the assigner remembers: nodes, claims, who has which address, and what is to be done. */
import type { Cause } from '../../core/event.ts';
import type { CloudClaim, Probing } from '../../core/fact.ts';
import { Many } from '../../core/many.ts';
import type { Selector } from '../../core/selector.ts';
import { Agenda } from './agenda.ts';
import { Alarms } from './alarms.ts';
import { Claim, type Failure } from './claim.ts';
import { Host } from './host.ts';
import type { Settings } from './input.ts';
import { Marks } from './marks.ts';
import { Pools } from './pools.ts';
import { Ranks } from './ranks.ts';
import type { Use } from './use.ts';
import { Uses } from './uses.ts';

export class World extends Agenda {
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
  readonly uses = new Uses();
  /** Unset until the watcher's first complete picture is on the log: nobody decides before. */
  probing: Probing | undefined = undefined;
  /** Addresses live in CloudPrivateIPConfigs (complete once synced); nodes have limited room. */
  cloud = false;
  cloudSynced = false;
  /** Canonical address → its CloudPrivateIPConfig. */
  readonly cloudClaims = new Map<string, CloudClaim>();
  readonly failures = new Map<string, Failure>();
  /** Nodes that cannot make room for an address of the family, as was found in this turn. */
  readonly deadEnds = { 4: new Set<Host>(), 6: new Set<Host>() };
  /** The latest time that was heard of, on the log or by an alarm. */
  nowMs = 0;
  readonly alarms = new Alarms();

  constructor(settings: Settings) {
    super();
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
    const claim = this.claims.get(name) ?? new Claim(name);
    if (claim.seen === undefined) this.claims.set(name, claim);
    return claim;
  }

  /** Marks a claim as worth a thought, and why. */
  stir(claim: Claim, cause: Cause | undefined): void {
    this.toJudge.add(claim);
    // More causes than four would tell a reader nothing.
    if (cause === undefined || claim.causes.length >= 4) return;
    const { stream, sequence } = cause;
    if (claim.causes.some((one) => one.stream === stream && one.sequence === sequence)) return;
    claim.causes = [...claim.causes, cause];
  }

  stirWanters(address: string, cause: Cause | undefined, except?: Claim): void {
    for (const claim of this.wanters.of(address)) if (claim !== except) this.stir(claim, cause);
  }

  /** Room came free on a node: whoever waits for such a node may have it. */
  stirWaitingFor(node: string, cause: Cause | undefined): void {
    const labels = this.hosts.get(node)?.labels ?? {};
    for (const use of this.uses)
      if (use.waiting.size > 0 && use.selector.matches(labels))
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

  enlist(claim: Claim, selector: Selector): void {
    if (claim.use?.selector.text === selector.text && !claim.use.selector.problem) return;
    this.dismiss(claim);
    this.uses.enlist(claim, selector);
  }

  dismiss(claim: Claim): void {
    const unused = this.uses.dismiss(claim);
    if (unused !== undefined) this.pools.drop(unused);
  }

  /**
   * Counts the nodes of a selector for the first time; who waits for such nodes may have one now.
   */
  recount(use: Use): void {
    this.uses.recount(use, this.hosts.values());
    for (const claim of use.waiting) this.stir(claim, undefined);
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
