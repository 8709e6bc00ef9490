/** The tables of the cloud in a vectors file, against the functions that keep their rules. */
import { parseAddress } from '../../core/address.ts';
import { primaryIfaddr } from '../../core/annotated.ts';
import { CLOUD_OWNER, EGRESS_IPCONFIG, PRIMARY_IFADDR } from '../../core/annotation.ts';
import { cloudConfig } from '../../core/cloudconfig.ts';
import { addressOfCloudName, cloudName } from '../../core/cloudname.ts';
import { property, textOf } from '../../core/json.ts';
import { isCloud } from '../../core/platform.ts';
import { holds } from '../../services/publisher/look.ts';
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
