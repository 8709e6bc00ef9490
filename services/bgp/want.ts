/** What an object is to be: a decision before it is said. */
import { ADVERTISE, ADVERTISED, BGP_MANAGER, MANAGED_BY } from '../../core/annotation.ts';
import type { Labels } from '../../core/labels.ts';
import type { ManagedKind } from '../../core/managed.ts';
import type { ObjectDecided } from './world.ts';

export type Want = Omit<ObjectDecided, 'kind'>;

/** On everything that is ours (`spec/bgp-operator.md` 1). */
export const ownLabels: Labels = { [MANAGED_BY]: BGP_MANAGER };

/** On an FRRConfiguration that RouteAdvertisements is to select. */
export const frrLabels: Labels = { ...ownLabels, [ADVERTISED]: 'true' };

/** On a network that is advertised. The seed's label stays for whoever selects by it. */
export const cudnLabels: Labels = { ...ownLabels, [ADVERTISED]: 'true', [ADVERTISE]: 'true' };

/** Whose condition tells when an object cannot be written. */
export interface Owner {
  readonly owner: string;
  readonly condition: string;
}

export const configOwner = (condition: string): Owner => ({
  owner: 'cudnbgpconfig/cluster',
  condition,
});

export const routingOwner = (name: string, condition: string): Owner => ({
  owner: `cudnbgprouting/${name}`,
  condition,
});

/** In the place of a routing's name: what is made for all that have such a condition. */
export const EVERY = '*';

interface About extends Owner {
  readonly object: ManagedKind;
  readonly name: string;
  /** Of the object that is there, or ''. */
  readonly uid: string;
  readonly because: string;
}

const bare = { labels: {}, dropped: [], spec: '' } as const;

export const absent = ({ object, name, uid, owner, condition, because }: About): Want => ({
  ...{ object, name, uid, want: 'absent', ...bare, owner, condition, because },
});

export const untouched = ({ object, name, uid, owner, condition, because }: About): Want => ({
  ...{ object, name, uid, want: 'untouched', ...bare, owner, condition, because },
});

export const present = (
  { object, name, uid, owner, condition, because }: About,
  { labels, dropped = [], spec }: { labels: Labels; dropped?: readonly string[]; spec: string },
): Want => ({
  object,
  name,
  uid,
  want: 'present',
  labels,
  dropped,
  spec,
  owner,
  condition,
  because,
});
