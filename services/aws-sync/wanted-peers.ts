/** What is to be done where a peer is wanted. */
import type { AwsScope, BgpConfig } from '../../core/bgp-fact.ts';
import type { PeerChange } from '../../core/aws-decision.ts';
import type { CloudChange, CloudPeer } from '../../core/cloud-door.ts';
import { isMade, ownerOf, readyMs, soon } from './ledger.ts';
import type { Draft } from './plan.ts';
import type { Removals } from './removals.ts';
import { troubleReason } from './reasons.ts';
import type { Region } from './region.ts';
import type { Stage } from './stage.ts';
import { type Attributes, differs, preference, type Verdict, verdictOf } from './verdict.ts';
import { conflictOf, titleOf, troubleOf, waitingFor } from './peer-words.ts';
import type { Wish } from './wishes.ts';
import type { World } from './world.ts';

export class WantedPeers {
  readonly #world: World;
  readonly #region: Region;
  readonly #target: Attributes;
  readonly #scope: AwsScope;
  readonly #draft: Draft;
  readonly #removals: Removals;
  /** How many peers each endpoint will have, with those that are being made. */
  readonly #counts = new Map<string, number>();

  constructor(
    world: World,
    region: Region,
    config: BgpConfig,
    scope: AwsScope,
    draft: Draft,
    removals: Removals,
  ) {
    this.#world = world;
    this.#region = region;
    this.#target = { asn: config.localASN, liveness: config.livenessDetection };
    this.#scope = scope;
    this.#draft = draft;
    this.#removals = removals;
  }

  /** Peers at a wished place that are too many; they are deleted like any other. */
  settle(wish: Wish, stage: Stage | undefined): readonly CloudPeer[] {
    const here = this.#region.at(wish.place);
    const judged = here.map((peer) => ({ peer, verdict: this.#verdict(peer) }));
    judged.sort(
      (a, b) => preference[a.verdict] - preference[b.verdict] || (a.peer.id < b.peer.id ? -1 : 1),
    );
    const [best, ...rest] = judged;
    if (best === undefined) this.#create(wish);
    else this.#treat(wish, best.peer, best.verdict, stage);
    return rest.flatMap(({ peer }) => (ownerOf(this.#world, peer) === 'ours' ? [peer] : []));
  }

  #verdict(peer: CloudPeer): Verdict {
    const owner = ownerOf(this.#world, peer);
    const { adoptionPolicy } = this.#scope;
    return verdictOf(peer.state, owner, differs(peer, this.#target), adoptionPolicy);
  }

  #treat(wish: Wish, peer: CloudPeer, verdict: Verdict, stage: Stage | undefined): void {
    const draft = this.#draft;
    const what = titleOf(wish);
    switch (verdict) {
      case 'keep':
        if (peer.owner === '') return this.#tag(wish, peer, 'its tag is missing');
        return draft.ok(what);
      case 'wait':
        return draft.wait(what, `the peer ${peer.id} is ${peer.state}`);
      case 'adopt':
        return this.#tag(wish, peer, 'it is nobody’s, and where one is wanted');
      case 'conflict':
        return draft.fail(what, 'PeerConflict', conflictOf(peer, this.#target));
      case 'ailing':
      case 'strange':
        return draft.fail(what, 'AWSReconcileFailed', troubleOf(peer));
      case 'replace':
        return this.#replace(wish, peer, stage);
    }
  }

  /** An endpoint takes so many, whatever their state; then it waits, rather than be refused. */
  #create(wish: Wish): void {
    const { endpoint, address, node, place } = wish;
    const what = titleOf(wish);
    const state = this.#region.endpoints.get(endpoint.id)?.state ?? 'not listed';
    if (state !== 'available') return this.#draft.wait(what, `the endpoint is ${state}`);
    const count = this.#counts.get(endpoint.id) ?? this.#region.on(endpoint.id).length;
    if (count >= this.#world.settings.peersPerEndpoint)
      return this.#draft.wait(what, `the endpoint has ${count} peers until others are gone`);
    const made: PeerChange = {
      ...{ change: 'create', region: this.#region.name, server: endpoint.server },
      ...{ endpoint: endpoint.id, address, id: '', ...this.#target, node, made: false },
    };
    const call: CloudChange = {
      ...{ kind: 'create', endpoint: endpoint.id, address, ...this.#target },
      owner: this.#world.owner,
    };
    if (!this.#try(what, place, made, call, 'the node has none here')) return;
    this.#counts.set(endpoint.id, count + 1);
  }

  #tag(wish: Wish, peer: CloudPeer, because: string): void {
    const { endpoint, address, node, place } = wish;
    const change: PeerChange = {
      ...{ change: 'tag', region: this.#region.name, server: endpoint.server },
      ...{ endpoint: endpoint.id, address, id: peer.id, asn: peer.asn, liveness: peer.liveness },
      ...{ node, made: isMade(this.#world, peer) },
    };
    const call: CloudChange = { kind: 'tag', id: peer.id, owner: this.#world.owner };
    this.#try(titleOf(wish), place, change, call, because);
  }

  #replace(wish: Wish, peer: CloudPeer, stage: Stage | undefined): void {
    const what = titleOf(wish);
    const { times } = this.#world.settings;
    if (peer.state === 'failed') {
      const madeMs = this.#world.peerChanges.get(wish.place)?.atMs ?? 0;
      const untilMs = madeMs + 2 * times.retryMs;
      this.#draft.fail(what, 'AWSReconcileFailed', troubleOf(peer), untilMs);
      if (untilMs > this.#world.nowMs) return;
    } else {
      const { asn, liveness } = this.#target;
      this.#draft.wait(what, `the peer ${peer.id} is to become one of ASN ${asn} and ${liveness}`);
      if (stage?.replaceable.has(peer.endpoint) !== true)
        return this.#draft.at(stage?.nextMs ?? Infinity);
    }
    this.#removals.remove(peer, wish.node, 'it is replaced', true);
  }

  /** Whether it is a step now; if not, the item says why. */
  #try(
    what: string,
    place: string,
    change: PeerChange,
    call: CloudChange,
    because: string,
  ): boolean {
    const world = this.#world;
    const last = world.peerChanges.get(place);
    const dueMs = readyMs(world, this.#region, place);
    const refused = last?.result === 'refused' && !soon.has(last.trouble) ? last : undefined;
    const why = waitingFor(last?.result, change, dueMs);
    if (refused === undefined) this.#draft.wait(what, why, dueMs);
    else this.#draft.fail(what, troubleReason(refused.trouble), refused.message, dueMs);
    if (dueMs > world.nowMs || world.inFlight.has(place)) return false;
    this.#draft.steps.push({ kind: 'peer', change, call, because });
    return true;
  }
}
