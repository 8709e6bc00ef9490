/** Network interfaces and their source/destination check. */
import { type Ask, mutation, read } from '../ask.ts';
import type { NetworkInterface } from '../model.ts';
import { type Listing, page } from '../page.ts';
import { needed, type Params, text } from '../params.ts';
import { invalidValue, missing, Refusal, unknownId } from '../refusal.ts';
import type { Region } from '../state.ts';
import type { XmlObject } from '../xml.ts';
import { tagSet } from './tag-set.ts';

/** Those of an instance, the primary one first. */
export function interfacesOf(region: Region, id: string, asOfMs: number): NetworkInterface[] {
  const own = region.interfaces.allAt(asOfMs).filter(({ instanceId }) => instanceId === id);
  return own.sort((a, b) => a.cardIndex - b.cardIndex || a.deviceIndex - b.deviceIndex);
}

/** Device 0 of card 0: other cards have a device 0 of their own (facts 1.4). */
export const primaryOf = (all: readonly NetworkInterface[]): NetworkInterface | undefined =>
  all.find(({ deviceIndex, cardIndex }) => deviceIndex === 0 && cardIndex === 0);

export function attachmentOf(eni: NetworkInterface): XmlObject | undefined {
  if (eni.instanceId === '') return undefined;
  return {
    attachmentId: `eni-attach-${eni.id.slice(4)}`,
    instanceId: eni.instanceId,
    deviceIndex: eni.deviceIndex,
    networkCardIndex: eni.cardIndex,
    status: eni.state === 'in-use' ? 'attached' : eni.state,
  };
}

const interfaces = ({ region }: Ask): Listing<NetworkInterface> => ({
  shelf: region.interfaces,
  prefix: 'eni',
  idParam: 'NetworkInterfaceId',
  facetsOf: (eni) => ({
    'network-interface-id': [eni.id],
    'attachment.instance-id': [eni.instanceId],
    'attachment.device-index': [String(eni.deviceIndex)],
    'private-ip-address': [eni.address],
    'source-dest-check': [String(eni.sourceDestCheck)],
    'subnet-id': [eni.subnetId],
    'vpc-id': [eni.vpcId],
    status: [eni.state],
  }),
  filterNames: [
    'network-interface-id',
    'attachment.instance-id',
    'attachment.device-index',
    'private-ip-address',
    'source-dest-check',
    'subnet-id',
    'vpc-id',
    'status',
  ],
});

export const describeNetworkInterfaces = read(['NetworkInterfaceId'], (ask) => {
  const { items, nextToken } = page(ask, interfaces(ask));
  const networkInterfaceSet = items.map((eni) => ({
    networkInterfaceId: eni.id,
    subnetId: eni.subnetId,
    vpcId: eni.vpcId,
    availabilityZone: eni.zone,
    ownerId: ask.account.id,
    status: eni.state,
    privateIpAddress: eni.address,
    sourceDestCheck: eni.sourceDestCheck,
    attachment: attachmentOf(eni),
    tagSet: tagSet(eni.tags),
    privateIpAddressesSet: [{ privateIpAddress: eni.address, primary: true }],
  }));
  return { networkInterfaceSet, nextToken };
});

/** The value of SourceDestCheck; throws InvalidParameterValue for neither true nor false. */
export function checkIn(params: Params): boolean {
  const value = text(params, 'SourceDestCheck.Value').toLowerCase();
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidValue('sourceDestCheck', value);
}

/** Setting what is set already is fine, and changes nothing. */
export function setCheck({ region, nowMs }: Ask, eni: NetworkInterface, check: boolean): void {
  if (eni.sourceDestCheck !== check)
    region.interfaces.put({ ...eni, sourceDestCheck: check }, nowMs);
}

/** Further attributes of the real call: one of all of them is allowed at a time. */
const attributes = ['SourceDestCheck', 'Description', 'SecurityGroupId', 'Attachment'];

export const modifyNetworkInterfaceAttribute = mutation(
  ['NetworkInterfaceId', ...attributes],
  (ask) => {
    const { region, params } = ask;
    const id = needed(params, 'NetworkInterfaceId');
    const eni = region.interfaces.get(id);
    if (eni === undefined) throw unknownId('eni', [id]);
    const named = new Set([...params.keys()].map((name) => name.split('.')[0] ?? ''));
    const given = attributes.filter((name) => named.has(name));
    if (given.length > 1)
      throw new Refusal('InvalidParameterCombination', 'Fields cannot be changed together');
    if (given.length === 0) throw missing('SourceDestCheck');
    if (given[0] === 'SourceDestCheck') setCheck(ask, eni, checkIn(params));
    return { return: true };
  },
);
