/** The tables of the cloud in a vectors file, against the functions that keep their rules. */
import { parseAddress } from '../../core/address.ts';
import { primaryIfaddr } from '../../core/annotated.ts';
import { CLOUD_OWNER, EGRESS_IPCONFIG, PRIMARY_IFADDR } from '../../core/annotation.ts';
import { cloudConfig } from '../../core/cloudconfig.ts';
import { addressOfCloudName, cloudName } from '../../core/cloudname.ts';
import { property, textOf } from '../../core/json.ts';
import { isCloud } from '../../core/platform.ts';
import { stepOf } from '../../services/publisher/claim-step.ts';
import { holds } from '../../services/publisher/look.ts';
import { World } from '../../services/publisher/world.ts';
import type { Row } from './unit.ts';

/** What upstream writes for "unlimited". */
const MAX_INT32 = 2_147_483_647;

export const cloudTables: Readonly<Record<string, Row>> = {
  cloudPrivateIPConfigName: (row) => {
    const [ip, name] = [textOf(property(row, 'ip')), textOf(property(row, 'name'))];
    const address = parseAddress(ip);
    const there = address === undefined ? undefined : cloudName(address);
    return { want: [name, address?.text], got: [there, addressOfCloudName(name)?.text] };
  },
  cloudEgressIPConfig: (row) => {
    const config = cloudConfig(annotated(EGRESS_IPCONFIG, property(row, 'annotation'))).value;
    const primary = primaryIfaddr(annotated(PRIMARY_IFADDR, property(row, 'primaryIfaddr'))).value;
    const networks = property(row, 'networks');
    const capacity = property(row, 'intendedCapacity');
    const want = property(row, 'error') === true ? 'error' : { networks, capacity };
    if (config === undefined || primary === undefined) return { want, got: 'error' };
    const families = config.cidrs.map(({ address, network }) => [`ipv${address.family}`, network]);
    const limits = Object.entries(config.capacity).map(([key, limit]: [string, number]) => [
      key,
      Math.min(limit, MAX_INT32),
    ]);
    const got = { networks: Object.fromEntries(families), capacity: Object.fromEntries(limits) };
    return { want, got };
  },
  platformIsCloud: (row) => ({
    want: property(row, 'cloud'),
    got: isCloud(textOf(property(row, 'platform'))),
  }),
  pendingOpsMerge: (row) => ({ want: endOf(property(row, 'result')), got: whereClaimEnds(row) }),
  /**
   * An address enters the status when its object becomes confirmed. When it leaves there is nothing
   * to compare: ours leaves the status before the cloud is asked to let go of the address.
   */
  cloudPrivateIPConfigEvents: (row) => {
    const [before, now] = [property(row, 'old'), property(row, 'new')];
    const node = textOf(property(now, 'spec'));
    return {
      want: property(row, 'add'),
      got: isConfirmed(now, node) && !isConfirmed(before, textOf(property(before, 'spec'))),
    };
  },
};

/** Where the claim is in the end: upstream's merged operations, carried out in their order. */
const endOf = (ops: unknown): string => {
  const [toAdd, toDelete] = [textOf(property(ops, 'toAdd')), textOf(property(ops, 'toDelete'))];
  return toAdd === toDelete ? '' : toAdd;
};

/**
 * Ours has no map of pending operations: the object is where the first of them found it, and the
 * last says where it is wanted.
 */
function whereClaimEnds(row: unknown): string {
  const pending = property(row, 'pending');
  const [found, wanted] = [
    textOf(property(pending ?? property(row, 'new'), 'toDelete')),
    textOf(property(property(row, 'new'), 'toAdd')),
  ];
  const world = new World();
  world.cloud = world.synced = true;
  const claim = world.claims.of('10.0.0.1');
  const owner = world.thing('egressip', 'web');
  const of = { sequence: 1, atMs: 0, uid: '1', mark: 0, cloud: true, refusals: [] };
  owner.uid = '1';
  owner.wanted = { ...of, items: wanted === '' ? [] : [{ egressIP: '10.0.0.1', node: wanted }] };
  if (wanted !== '') claim.asker = owner;
  if (found !== '') world.claims.see(claim, { ...seen, node: found, statusNode: found });
  const step = stepOf(world, claim);
  if (step === undefined) return found;
  return step.verb === 'delete' ? '' : step.node;
}

const seen = {
  ...{ name: '10.0.0.1', uid: '2', owner: 'web', assigned: 'True', message: '', sinceMs: 0 },
  deleting: false,
};

const annotated = (key: string, value: unknown): Record<string, string> =>
  typeof value === 'string' ? { [key]: value } : {};

/** The publisher's own look at the object, right before it writes the address into a status. */
function isConfirmed(claim: unknown, node: string): boolean {
  if (claim === null || claim === undefined) return false;
  const body = {
    metadata: { annotations: { [CLOUD_OWNER]: 'web' } },
    spec: { node },
    status: property(claim, 'status'),
  };
  const look = { kind: 'Confirmed', name: 'web', owner: 'web', node } as const;
  return holds(look, { status: 200, body, message: '', retryAfterMs: 0 }) === true;
}
