/** An object with notices to be recorded on it, as far as recording them needs to know it. */
import type { Speaker } from '../../core/event.ts';
import type { Notice } from '../../core/decision.ts';
import type { ObjectKind } from './input.ts';
import { Record } from './record.ts';

/** Notices still to be recorded. */
export interface Untold {
  /** The sequence of the decision; 0 = they are our own. */
  readonly decision: number;
  /** Who decided, where one thing is decided upon by several. */
  readonly stream?: Speaker;
  /** Makes the names of its Events unique together with the time. */
  readonly serial: string;
  readonly atMs: number;
  readonly uid: string;
  readonly notices: readonly Notice[];
}

/** Notices on their way to Kubernetes. */
export interface Telling {
  /** The sequence of the decision that they belong to; 0 = notices of our own. */
  readonly decision: number;
  /** Who decided, where one thing is decided upon by several. */
  readonly stream: Speaker | undefined;
  readonly notices: readonly Notice[];
  /** What will have been recorded on the object once this is done. */
  readonly after: Record;
}

export class Noted {
  readonly kind: ObjectKind;
  readonly name: string;
  /** Of the object in the cluster; '' = not there. */
  uid = '';
  /** The sequence of the decision whose notices were last recorded; 0 = none. */
  told = 0;
  /** Oldest first. */
  readonly untold: Untold[] = [];
  record = new Record();
  telling: Telling | undefined = undefined;
  failedTells = 0;

  constructor(kind: ObjectKind, name: string) {
    this.kind = kind;
    this.name = name;
  }
}
