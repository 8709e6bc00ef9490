/** What the replicas of a room share: one stored word about who leads. */

/** The lease as it is stored; revision 0 = nobody ever held it, `holder` '' = it was given back. */
export interface Held {
  readonly revision: number;
  /** For people: the name of the pod. */
  readonly holder: string;
  /** What no other process has at the same time, or ''. */
  readonly instance: string;
  /** One time of leading; never the same twice. */
  readonly term: string;
}

/** Where the lease is: one message that is replaced only by whoever knows its revision. */
export interface LeaseStore {
  /** @throws when there is no answer. */
  read(): Promise<Held>;
  /** The new revision; undefined when the stored one is not `revision`. @throws as `read`. */
  put(words: Omit<Held, 'revision'>, revision: number): Promise<number | undefined>;
  unique(): string;
}

/** Who stands for a lease. */
export type Candidate = Pick<Held, 'holder' | 'instance'>;
