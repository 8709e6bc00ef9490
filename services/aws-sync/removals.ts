/** Deletions of peers, held back by everything that could make one a mistake. */
import type { PeerChange } from '../../core/aws-decision.ts';
import type { CloudPeer } from '../../core/cloud-door.ts';
import { mayRemove, nextRemovalMs } from './guard.ts';
import { isMade, ownerOf, readyMs, soon } from './ledger.ts';
import type { Draft } from './plan.ts';
import { troubleReason } from './reasons.ts';
import type { Region } from './region.ts';
import { placeOf, type World } from './world.ts';

export class Removals {
  readonly #world: World;
  readonly #region: Region;
  readonly #draft: Draft;
  /** How many may be removed is counted while the plan is made. */
  readonly #planned = new Map<string, number>();

  constructor(world: World, region: Region, draft: Draft) {
    this.#world = world;
    this.#region = region;
    this.#draft = draft;
  }

  /**
   * A step, when it may be one now. `guarded`: not too many of a Route Server at once. What is on
   * its way, in or out, cannot be deleted (facts 1.1).
   */
  remove(peer: CloudPeer, node: string, because: string, guarded: boolean): void {
    const world = this.#world;
    const place = placeOf(peer);
    if (peer.state === 'deleting' || peer.state === 'pending') return;
    const dueMs = readyMs(world, this.#region, place);
    if (dueMs > world.nowMs || world.inFlight.has(place)) return this.#draft.at(dueMs);
    if (guarded && !this.#allowed(peer.server)) return;
    const change: PeerChange = {
      ...{ change: 'delete', region: this.#region.name, server: peer.server },
      ...{ endpoint: peer.endpoint, address: peer.address, id: peer.id, asn: peer.asn },
      ...{ liveness: peer.liveness, node, made: isMade(world, peer) },
    };
    const { made } = change;
    const call = { kind: 'delete' as const, id: peer.id, owner: world.owner, made };
    this.#draft.steps.push({ kind: 'peer', change, call, because });
  }

  #allowed(server: string): boolean {
    const planned = this.#planned.get(server) ?? 0;
    const managed = [...this.#region.peers.values()].filter(
      (peer) => peer.server === server && this.#isManaged(peer),
    ).length;
    if (!mayRemove(this.#world, server, managed, planned)) {
      this.#draft.at(nextRemovalMs(this.#world, server));
      return false;
    }
    this.#planned.set(server, planned + 1);
    return true;
  }

  /** Ours, and not on its way out as far as anybody knows. */
  #isManaged(peer: CloudPeer): boolean {
    if (peer.state === 'deleting' || ownerOf(this.#world, peer) !== 'ours') return false;
    const last = this.#world.peerChanges.get(placeOf(peer));
    const isOpen = last?.result === 'open' || last?.result === 'unknown';
    return !(isOpen && last.change.change === 'delete' && last.change.id === peer.id);
  }

  /** How an unwanted peer stands, as an item. */
  tell(peer: CloudPeer, because: string): void {
    const what = `peer ${peer.address} at ${peer.endpoint}`;
    const last = this.#world.peerChanges.get(placeOf(peer));
    const isRefused = last?.result === 'refused' && last.change.change === 'delete';
    if (isRefused && !soon.has(last.trouble))
      return this.#draft.fail(what, troubleReason(last.trouble), last.message);
    this.#draft.wait(what, `${because}: it is to go`);
  }
}
