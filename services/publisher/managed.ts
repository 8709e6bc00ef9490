/** An object of BGP routing as the publisher knows it: wanted, seen, under way, and in trouble. */
import type { BgpDecision } from '../../core/bgp-decision.ts';
import { canonicalJson } from '../../core/canonical.ts';
import type { Failing } from '../../core/bgp-outcome.ts';
import type { ManagedKind, ManagedObject } from '../../core/managed.ts';
import type { Contested } from './contest.ts';

type ObjectDecided = Extract<BgpDecision, { kind: 'ObjectDecided' }>;

/** The last decision on the object. */
export interface WantedObject {
  readonly sequence: number;
  readonly atMs: number;
  readonly decision: ObjectDecided;
  /** What is wanted, as a text to compare: two decisions may want the same. */
  readonly content: string;
}

export interface ManagedStep {
  readonly verb: 'create' | 'update' | 'delete';
  /** Of the object that is changed; '' when it is created. */
  readonly uid: string;
  /** What was wanted when it was taken. */
  readonly wanted: WantedObject;
}

export class Managed implements Contested {
  readonly object: ManagedKind;
  readonly name: string;
  /** As last seen, or accepted from us since. */
  seen: ManagedObject | undefined = undefined;
  wanted: WantedObject | undefined = undefined;
  acting: ManagedStep | undefined = undefined;
  /** The object that we made: decisions may not know its uid yet. */
  made = '';
  /** The uid of an object that we deleted: it is on its way out, whatever late facts say. */
  doomed = '';
  /** What facts told of it last, however late that was. */
  shown: ManagedObject | undefined = undefined;
  /** The uid of the object that facts told of last. */
  heard = '';
  /** The spec as the server stored it, for this content, or for the decision of this sequence. */
  accepted = '';
  acceptedFor = '';
  acceptedIn = 0;
  /** What a Network was before our first write. */
  before = '';
  /** The version of the object after our last write, or ''. */
  version = '';
  /** What was accepted from us last: the same again is a restoration. */
  done = '';
  /** Attempts in a row that failed. */
  failed = 0;
  failing: Failing = '';
  failure = '';
  /** The decision that could not be carried out. */
  failedIn = 0;
  /** Since when it fails so. */
  failingMs = 0;
  /** What was refused as it stood: anything else is tried at once. */
  refused = '';
  /** Nothing is tried before; 0 = at once. */
  restUntilMs = 0;
  /** It will be looked at again then; 0 = nothing was asked for. */
  wakeMs = 0;
  restored: readonly number[] = [];
  heldUntilMs = 0;
  holds = 0;
  foreign: string | undefined = undefined;
  stranger = '';
  /** Something was done about it in this life: what the log tells of it is known. */
  lived = false;
  /** Shadow mode: the decision that was last told. */
  shadowed = 0;

  constructor(object: ManagedKind, name: string) {
    this.object = object;
    this.name = name;
  }

  /** `FRRConfiguration/az-a`. */
  get title(): string {
    return `${this.object}/${this.name}`;
  }

  /** What the server stored for what is wanted now; '' = that is not known. */
  get acceptedNow(): string {
    const { wanted, acceptedFor, acceptedIn, accepted } = this;
    if (wanted === undefined) return '';
    return acceptedFor === wanted.content || acceptedIn === wanted.sequence ? accepted : '';
  }

  get isDeleting(): boolean {
    return this.seen !== undefined && (this.seen.deleting || this.seen.uid === this.doomed);
  }
}

export const contentOf = ({ want, labels, dropped, spec }: ObjectDecided): string =>
  canonicalJson([want, labels, dropped.toSorted(), spec]);
