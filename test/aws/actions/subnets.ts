/** Subnets and availability zones: where endpoints and nodes are. */
import { type Ask, read } from '../ask.ts';
import type { Subnet } from '../model.ts';
import { type Listing, page } from '../page.ts';
import { list } from '../params.ts';
import { invalidValue } from '../refusal.ts';
import type { XmlObject } from '../xml.ts';
import { tagSetUnlessEmpty } from './tag-set.ts';

const subnets = ({ region }: Ask): Listing<Subnet> => ({
  shelf: region.subnets,
  prefix: 'subnet',
  idParam: 'SubnetId',
  facetsOf: (subnet) => ({
    'subnet-id': [subnet.id],
    'vpc-id': [subnet.vpcId],
    'availability-zone': [subnet.zone],
    'availability-zone-id': [subnet.zoneId],
    'cidr-block': [subnet.cidr],
    state: [subnet.state],
  }),
  filterNames: [
    'subnet-id',
    'vpc-id',
    'availability-zone',
    'availability-zone-id',
    'cidr-block',
    'state',
  ],
});

export const describeSubnets = read(['SubnetId'], (ask) => {
  const { items, nextToken } = page(ask, subnets(ask));
  const subnetSet = items.map((subnet) => ({
    subnetId: subnet.id,
    state: subnet.state,
    vpcId: subnet.vpcId,
    cidrBlock: subnet.cidr,
    availableIpAddressCount: 200,
    availabilityZone: subnet.zone,
    availabilityZoneId: subnet.zoneId,
    ownerId: ask.account.id,
    tagSet: tagSetUnlessEmpty(subnet.tags),
  }));
  return { subnetSet, nextToken };
});

/** The zones of the region are those of its subnets. */
export const describeAvailabilityZones = read(['ZoneName', 'ZoneId'], (ask) => {
  const { region, params, asOfMs } = ask;
  const zones = new Map(region.subnets.allAt(asOfMs).map(({ zone, zoneId }) => [zone, zoneId]));
  const names = list(params, 'ZoneName');
  const bad = names.find((name) => !zones.has(name));
  if (bad !== undefined) throw invalidValue('ZoneName', bad);
  const all = [...zones].filter(([zone]) => names.length === 0 || names.includes(zone));
  return { availabilityZoneInfo: all.map(([zone, id]) => zoneItem(region.name, zone, id)) };
});

const zoneItem = (region: string, zone: string, id: string): XmlObject => ({
  zoneName: zone,
  zoneId: id,
  zoneState: 'available',
  regionName: region,
  zoneType:
    /-\d[a-z]$/.test(zone) && zone.split('-').length === 3 ? 'availability-zone' : 'local-zone',
  optInStatus: 'opt-in-not-required',
});
