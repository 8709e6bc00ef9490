/** The CloudPrivateIPConfigs of a rehearsal: what is expected of them, and how they stand. */
import { parseAddress } from '../../core/address.ts';
import { CLOUD_OWNER } from '../../core/annotation.ts';
import { cloudName } from '../../core/cloudname.ts';
import { listOf, property, textOf } from '../../core/json.ts';
import { CLOUD_CLAIMS } from '../../edge/simulated/admission.ts';
import type { SimulatedWorld } from '../../edge/simulated/world.ts';
import type { Place } from './place.ts';

/** What a CloudPrivateIPConfig is to be like; undefined = does not matter. */
export interface WantedClaim {
  readonly address: string;
  /** 'none' = there is no such object, or it is on its way out. */
  readonly node: string;
  readonly owner: string | undefined;
  readonly assigned: string | undefined;
  readonly deleting: boolean | undefined;
}

/** `10.0.1.10: worker-1`, `none`, or `{node, owner, assigned, deleting}`. */
export function readClaim(text: string, place: Place): WantedClaim {
  const address = parseAddress(text)?.text ?? place.failKey(`"${text}" is no IP address`);
  const nothing = { owner: undefined, assigned: undefined, deleting: undefined };
  if (typeof place.value === 'string') return { address, node: place.value, ...nothing };
  place.known('a claim', ['node', 'owner', 'assigned', 'deleting']);
  const said = (key: string): string | undefined =>
    place.has(key) ? place.get(key).text(key) : undefined;
  return {
    address,
    node: said('node') ?? place.fail('a claim needs its "node"'),
    owner: said('owner'),
    assigned: said('assigned'),
    deleting: place.has('deleting') ? place.get('deleting').flag('deleting') : undefined,
  };
}

/** How a CloudPrivateIPConfig stands in the cluster; undefined = there is none. */
export interface StandingClaim {
  readonly node: string;
  readonly owner: string;
  readonly statusNode: string;
  readonly assigned: string;
  readonly deleting: boolean;
}

export function claimOf({ cluster }: SimulatedWorld, address: string): StandingClaim | undefined {
  const parsed = parseAddress(address);
  const object = cluster.get(CLOUD_CLAIMS, parsed === undefined ? address : cloudName(parsed));
  if (object === undefined) return undefined;
  const { metadata, status } = object;
  const [condition] = listOf(property(status, 'conditions'));
  return {
    node: textOf(property(object['spec'], 'node')),
    owner: textOf(property(property(metadata, 'annotations'), CLOUD_OWNER)),
    statusNode: textOf(property(status, 'node')),
    assigned: textOf(property(condition, 'status')),
    deleting: property(metadata, 'deletionTimestamp') !== undefined,
  };
}

/** Whether the cloud has the address on the node for this EgressIP. */
export function isConfirmed(
  claim: StandingClaim | undefined,
  owner: string,
  node: string,
): boolean {
  if (claim === undefined || claim.deleting || claim.owner !== owner) return false;
  return claim.node === node && claim.statusNode === node && claim.assigned === 'True';
}

/** What is there instead of what is wanted, or undefined. */
export function claimDifference(
  want: WantedClaim,
  got: StandingClaim | undefined,
): string | undefined {
  if (want.node === 'none') {
    const gone = got === undefined || got.deleting;
    return gone ? undefined : `it is wanted on ${got.node}`;
  }
  if (got === undefined) return 'there is none';
  const keys = ['node', 'owner', 'assigned', 'deleting'] as const;
  const wrong = keys.filter((key) => want[key] !== undefined && want[key] !== got[key]);
  return wrong.length === 0 ? undefined : wrong.map((key) => `${key} is ${got[key]}`).join(', ');
}
