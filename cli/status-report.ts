/** What `sluice status` tells, as values: the rooms, and each address of each EgressIP. */
import type { Heard, Speaker } from '../core/event.ts';
import { speakers } from '../core/event.ts';
import type { Claim } from '../services/assigner/claim.ts';
import { compareNames } from '../services/assigner/explain.ts';
import { Picture } from '../services/assigner/explain-picture.ts';
import {
  addressesOf,
  explainState,
  stateOf,
  stateWords,
} from '../services/assigner/explain-state.ts';
import type { Settings } from '../services/assigner/input.ts';
import { BgpPicture } from '../services/bgp/explain-picture.ts';
import { Homes } from './homes.ts';
import { headroomOf } from './plan-headroom.ts';
import { type BgpReport, bgpReportOf, isFine } from './status-bgp.ts';
import { type RoomReport, stateOfRoom } from './status-room.ts';
import type { AddressReport, EgressIPReport, StatusReport } from './status-shape.ts';
import { isPublished, isWritten } from './status-written.ts';

/** The last words of all rooms, for a report now or, after hearing more, later. */
export class Standing {
  readonly picture: Picture;
  readonly bgp = new BgpPicture();
  readonly homes = new Homes();
  readonly #last = new Map<Speaker, Heard>();

  constructor(settings: Settings) {
    this.picture = new Picture(settings);
  }

  hear(heard: Heard): void {
    this.picture.hear(heard);
    this.bgp.hear(heard);
    if (heard.stream === 'assigner') this.homes.hear(heard);
    const last = this.#last.get(heard.stream);
    if (last === undefined || last.sequence < heard.sequence) this.#last.set(heard.stream, heard);
  }

  report(): StatusReport {
    const claims = [...this.picture.world.claims.values()]
      .filter(({ seen }) => seen !== undefined)
      .sort((a, b) => compareNames(a.name, b.name));
    const egressIPs = claims.map((claim) => this.#egressIP(claim));
    const bgp = bgpReportOf(this.bgp);
    const rooms = speakers
      .filter((speaker) => this.#isConcerned(speaker, bgp))
      .map((speaker) => this.#room(speaker, claims));
    const placed = egressIPs.every(({ addresses }) => addresses.every(({ node }) => node !== ''));
    return {
      events: rooms.reduce((sum, { said }) => sum + said, 0),
      probing: this.picture.world.probing,
      rooms,
      egressIPs,
      isolated: this.#isolated(),
      headroom: headroomOf(this.picture),
      bgp,
      fine: placed && (bgp === undefined || isFine(bgp)),
    };
  }

  /** Where nobody uses BGP routing, rooms that are for it only have nothing to say. */
  #isConcerned(room: Speaker, bgp: BgpReport | undefined): boolean {
    if (this.#last.has(room)) return true;
    if (room === 'aws-sync') return this.bgp.world.configs.get('cluster')?.aws !== undefined;
    return room !== 'bgp' || bgp !== undefined;
  }

  #egressIP(claim: Claim): EgressIPReport {
    return {
      name: claim.name,
      selector: claim.use?.selector.text ?? '',
      mark: claim.decided?.mark ?? 0,
      addresses: addressesOf(claim).map((address) => this.#address(claim, address)),
    };
  }

  #address(claim: Claim, address: string): AddressReport {
    const { world } = this.picture;
    const state = stateOf(claim, address);
    const home = this.homes.of(claim.name, address);
    const written = isWritten(claim, address);
    const failure = this.#failureOn(claim.name);
    const late = state.kind !== 'placed' || written ? '' : 'status not written';
    const because = late === '' ? '' : `${late}${failure === '' ? '' : `: ${failure}`}`;
    return {
      address,
      node: state.kind === 'placed' ? state.placement.node : '',
      previous: home?.previous ?? '',
      sinceMs: home?.heard.atMs,
      state: `${stateWords(world, claim, state)}${late === '' ? '' : ` (${late})`}`,
      reason: state.kind === 'placed' ? because : explainState(world, claim, state),
      written,
    };
  }

  /** Why the publisher's last write failed, or ''. */
  #failureOn(name: string): string {
    const event = this.picture.latest('publisher', 'egressip', name)?.event;
    return event?.kind === 'EgressIPPublished' ? event.failure : '';
  }

  #isolated(): string {
    const event = this.picture.latest('watcher', 'prober', 'cluster')?.event;
    return event?.kind === 'ProberSeen' && event.isolated ? event.because : '';
  }

  #room(room: Speaker, claims: readonly Claim[]): RoomReport {
    const last = this.#last.get(room);
    const behind = this.#behind(room, claims);
    const failing = room === 'publisher' && claims.some(({ name }) => this.#failureOn(name) !== '');
    const synced = this.picture.world.probing !== undefined;
    const state = stateOfRoom({ room, last, behind, failing, synced });
    return { room, state, said: last?.sequence ?? 0, lastMs: last?.atMs, behind };
  }

  #behind(room: Speaker, claims: readonly Claim[]): number | undefined {
    if (room === 'watcher' || room === 'bgp' || room === 'aws-sync') return undefined;
    if (room === 'assigner') return this.picture.settled.says;
    return claims.filter((claim) => !isPublished(claim)).length;
  }
}
