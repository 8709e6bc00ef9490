/** DescribeInstances, with reservations of one instance each, and the attribute call to avoid. */
import { type Ask, mutation, read } from '../ask.ts';
import type { Instance, NetworkInterface } from '../model.ts';
import { type Listing, page } from '../page.ts';
import { needed, text } from '../params.ts';
import { missing, Refusal, unknownId } from '../refusal.ts';
import type { Region } from '../state.ts';
import type { XmlObject } from '../xml.ts';
import { attachmentOf, checkIn, interfacesOf, primaryOf, setCheck } from './interfaces.ts';
import { tagSetUnlessEmpty } from './tag-set.ts';

const codes: Readonly<Record<Instance['state'], number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
};

const instances = ({ region, asOfMs }: Ask): Listing<Instance> => ({
  shelf: region.instances,
  prefix: 'i',
  idParam: 'InstanceId',
  facetsOf: (instance) => ({
    'instance-id': [instance.id],
    'instance-state-name': [instance.state],
    'instance-state-code': [String(codes[instance.state])],
    'vpc-id': [instance.vpcId],
    'subnet-id': [instance.subnetId],
    'availability-zone': [instance.zone],
    'private-ip-address': interfacesOf(region, instance.id, asOfMs).map(({ address }) => address),
  }),
  filterNames: [
    'instance-id',
    'instance-state-name',
    'instance-state-code',
    'vpc-id',
    'subnet-id',
    'availability-zone',
    'private-ip-address',
  ],
});

export const describeInstances = read(['InstanceId'], (ask) => {
  const { items, nextToken } = page(ask, instances(ask));
  const reservationSet = items.map((instance) => ({
    reservationId: `r-${instance.id.slice(2)}`,
    ownerId: ask.account.id,
    groupSet: [],
    instancesSet: [instanceItem(ask, instance)],
  }));
  return { reservationSet, nextToken };
});

function instanceItem({ region, asOfMs, account }: Ask, instance: Instance): XmlObject {
  const all = interfacesOf(region, instance.id, asOfMs);
  const primary = primaryOf(all);
  return {
    instanceId: instance.id,
    instanceState: { code: codes[instance.state], name: instance.state },
    launchTime: new Date(instance.launchedMs).toISOString(),
    placement: { availabilityZone: instance.zone, tenancy: 'default' },
    privateIpAddress: primary?.address,
    subnetId: primary === undefined ? undefined : instance.subnetId,
    vpcId: primary === undefined ? undefined : instance.vpcId,
    sourceDestCheck: primary?.sourceDestCheck,
    networkInterfaceSet: all.map((eni) => interfaceItem(eni, account.id)),
    tagSet: tagSetUnlessEmpty(instance.tags),
  };
}

const interfaceItem = (eni: NetworkInterface, owner: string): XmlObject => ({
  networkInterfaceId: eni.id,
  ownerId: owner,
  status: eni.state,
  sourceDestCheck: eni.sourceDestCheck,
  subnetId: eni.subnetId,
  vpcId: eni.vpcId,
  privateIpAddress: eni.address,
  attachment: attachmentOf(eni),
  privateIpAddressesSet: [{ privateIpAddress: eni.address, primary: true }],
});

/** EC2 refuses it for an instance with several interfaces: why the interface is to be named. */
export const modifyInstanceAttribute = mutation(['InstanceId', 'SourceDestCheck'], (ask) => {
  const { region, params, nowMs } = ask;
  const id = needed(params, 'InstanceId');
  if (region.instances.get(id) === undefined) throw unknownId('i', [id]);
  if (text(params, 'SourceDestCheck.Value') === '') throw missing('SourceDestCheck');
  setCheck(ask, onlyInterface(region, id, nowMs), checkIn(params));
  return { return: true };
});

function onlyInterface(region: Region, id: string, nowMs: number): NetworkInterface {
  const [first, ...more] = interfacesOf(region, id, nowMs);
  if (first === undefined) throw new Refusal('IncorrectState', `Instance '${id}' has no interface`);
  if (more.length === 0) return first;
  throw new Refusal(
    'InvalidInstanceID',
    `There are multiple interfaces attached to instance '${id}'. ` +
      'Please specify an interface ID for the operation instead.',
  );
}
