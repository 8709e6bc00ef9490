/** A CUDNBgpConfig or CUDNBgpRouting as the publisher knows it. */
import type { AwsDecision } from '../../core/aws-decision.ts';
import type { Condition, Phase, Resource as Kind } from '../../core/bgp-decision.ts';
import type { SeenStatus } from '../../core/bgp-fact.ts';
import type { Contested } from './contest.ts';
import { Noted } from './noted.ts';

/** The object as last seen, or accepted from us since. */
export interface SeenResource {
  readonly uid: string;
  readonly generation: number;
  readonly deleting: boolean;
  /** In the order of the object. */
  readonly finalizers: readonly string[];
  readonly status: SeenStatus;
  /** It has `spec.aws`: aws-sync will have a say. */
  readonly aws: boolean;
}

/** What one room concluded about it. */
export interface Standing {
  readonly sequence: number;
  readonly atMs: number;
  readonly uid: string;
  readonly generation: number;
  readonly phase: Phase;
  readonly conditions: readonly Condition[];
}

/** What bgp concluded. */
export interface Decided extends Standing {
  readonly finalizer: boolean;
}

/** What aws-sync concluded. */
export interface Judged extends Standing {
  /** `status.aws` as canonical JSON. */
  readonly status: string;
  readonly released: boolean;
}

export type AwsJudged = Extract<AwsDecision, { kind: 'AwsJudged' }>;

/** A condition, and since when its status is what it is. */
export interface Stamped extends Condition {
  readonly observedGeneration: number;
  readonly sinceMs: number;
}

/** What a status is to be. */
export interface WantedStatus {
  readonly phase: Phase;
  readonly observedGeneration: number;
  readonly conditions: readonly Stamped[];
  /** Canonical JSON; '' = none. */
  readonly aws: string;
}

/** What a write in flight will leave on the object. */
export interface ResourceStep {
  readonly uid: string;
  /** 'finalizer', 'status', joined by '+'. */
  readonly wrote: string;
  /** What is brought about, as a text to compare. */
  readonly content: string;
  readonly status: WantedStatus | undefined;
}

export class ResourceThing extends Noted implements Contested {
  declare readonly kind: Kind;
  seen: SeenResource | undefined = undefined;
  /** What facts told of it last. */
  shown: SeenResource | undefined = undefined;
  decided: Decided | undefined = undefined;
  judged: Judged | undefined = undefined;
  /** The sequence on the stream of aws-sync whose notices were last recorded. */
  toldAws = 0;
  /** The status that we wrote last: a late fact must not make its times younger. */
  written: WantedStatus | undefined = undefined;
  acting: ResourceStep | undefined = undefined;
  failed = 0;
  failure = '';
  /** What was accepted from us last: the same again is a restoration. */
  done = '';
  restored: readonly number[] = [];
  heldUntilMs = 0;
  holds = 0;
  foreign: string | undefined = undefined;
  stranger = '';
  restUntilMs = 0;
  wakeMs = 0;
  /** The version of the object after our last write, or ''. */
  version = '';
  /** Shadow mode: what was last told, as text. */
  shadowed = '';

  constructor(kind: Kind, name: string) {
    super(kind, name);
  }

  /** `cudnbgpconfig/cluster`: as decisions name an owner. */
  get title(): string {
    return `${this.kind}/${this.name}`;
  }

  /** The decision, if it is on the object that is in the cluster now. */
  get current(): Decided | undefined {
    return this.seen !== undefined && this.decided?.uid === this.seen.uid
      ? this.decided
      : undefined;
  }

  get currentJudged(): Judged | undefined {
    return this.seen !== undefined && this.judged?.uid === this.seen.uid ? this.judged : undefined;
  }
}
