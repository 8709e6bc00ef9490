/** What becomes of the peer at a place where one is wanted: the table of facts 1.1, as data. */
import type { CloudPeer } from '../../core/cloud-door.ts';

export type Verdict =
  | 'keep'
  /** It is on its way, or holds the address for a while. */
  | 'wait'
  /** It becomes ours by a tag. */
  | 'adopt'
  /** Somebody else's, or not what is wanted: it is left alone and reported. */
  | 'conflict'
  /** It is deleted, and another one is made when it is gone. */
  | 'replace'
  /** It fails, and AWS may mend it: it is kept and reported. */
  | 'ailing'
  /** A state that nobody knows here: it is left alone and reported. */
  | 'strange';

export type Owner = 'ours' | 'nobody' | 'other';

interface Row {
  readonly ours: Verdict;
  readonly nobody: Verdict;
  readonly other: Verdict;
  /** ASN or liveness detection differ from what is wanted. */
  readonly oursDiffers: Verdict;
  readonly nobodyDiffers: Verdict;
}

const same = (verdict: Verdict): Row => ({
  ...{ ours: verdict, nobody: verdict, other: verdict },
  ...{ oursDiffers: verdict, nobodyDiffers: verdict },
});

/** `deleted` is not here: such a peer is absent. */
const table: Readonly<Record<string, Row>> = {
  pending: {
    ...{ ours: 'wait', nobody: 'adopt', other: 'conflict' },
    ...{ oursDiffers: 'wait', nobodyDiffers: 'conflict' },
  },
  available: {
    ...{ ours: 'keep', nobody: 'adopt', other: 'conflict' },
    ...{ oursDiffers: 'replace', nobodyDiffers: 'conflict' },
  },
  deleting: same('wait'),
  failing: {
    ...{ ours: 'ailing', nobody: 'ailing', other: 'conflict' },
    ...{ oursDiffers: 'replace', nobodyDiffers: 'conflict' },
  },
  failed: {
    ...{ ours: 'replace', nobody: 'conflict', other: 'conflict' },
    ...{ oursDiffers: 'replace', nobodyDiffers: 'conflict' },
  },
};

/** `policy` is that of `spec.aws.adoptionPolicy`; anything unknown counts as the default. */
export function verdictOf(state: string, owner: Owner, differs: boolean, policy: string): Verdict {
  const row = Object.hasOwn(table, state) ? table[state] : undefined;
  if (row === undefined) return owner === 'other' ? 'conflict' : 'strange';
  if (owner === 'other') return row.other;
  if (owner === 'ours') return differs ? row.oursDiffers : row.ours;
  const isTakeable = state === 'available' || state === 'pending';
  if (differs) return policy === 'IfUntagged' && isTakeable ? 'adopt' : row.nobodyDiffers;
  return row.nobody === 'adopt' && policy === 'Never' ? 'conflict' : row.nobody;
}

/** Of several peers at one place the one with the lowest number is kept. */
export const preference: Readonly<Record<Verdict, number>> = {
  ...{ keep: 0, ailing: 1, wait: 2, adopt: 3, replace: 4, strange: 5, conflict: 6 },
};

/** How a peer is to be. */
export interface Attributes {
  readonly asn: number;
  readonly liveness: string;
}

export const differs = (peer: CloudPeer, { asn, liveness }: Attributes): boolean =>
  peer.asn !== asn || peer.liveness !== liveness;
