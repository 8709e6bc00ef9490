/** EC2's answers as the values of the cloud's door: whatever is missing is '' and never guessed. */
import type {
  CloudEndpoint,
  CloudInstance,
  CloudPeer,
  CloudServer,
  CloudSubnet,
} from '../../core/cloud-door.ts';
import { listOf, property, textOf } from '../../core/json.ts';

const text = (value: unknown, key: string): string => textOf(property(value, key));

/** Several levels down. */
const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((inner, key) => property(inner, key), value);

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

export const serverOf = (item: unknown): CloudServer => ({
  id: text(item, 'RouteServerId'),
  state: text(item, 'State'),
  asn: numberOf(property(item, 'AmazonSideAsn')),
  persistRoutes: ['enabled', 'enabling'].includes(text(item, 'PersistRoutesState')),
});

export const endpointOf = (item: unknown): CloudEndpoint => ({
  id: text(item, 'RouteServerEndpointId'),
  server: text(item, 'RouteServerId'),
  state: text(item, 'State'),
  subnet: text(item, 'SubnetId'),
  address: text(item, 'EniAddress'),
  because: text(item, 'FailureReason'),
});

export const subnetOf = (item: unknown): CloudSubnet => ({
  id: text(item, 'SubnetId'),
  zone: text(item, 'AvailabilityZone'),
  cidr: text(item, 'CidrBlock'),
});

export const peerOf = (item: unknown): CloudPeer => ({
  id: text(item, 'RouteServerPeerId'),
  server: text(item, 'RouteServerId'),
  endpoint: text(item, 'RouteServerEndpointId'),
  address: text(item, 'PeerAddress'),
  asn: numberOf(at(item, 'BgpOptions', 'PeerAsn')),
  // What EC2 leaves out is its default.
  liveness: textOf(at(item, 'BgpOptions', 'PeerLivenessDetection')) || 'bgp-keepalive',
  state: text(item, 'State'),
  bgp: textOf(at(item, 'BgpStatus', 'Status')),
  bfd: textOf(at(item, 'BfdStatus', 'Status')),
  owner: ownerOf(listOf(property(item, 'Tags'))),
  because: text(item, 'FailureReason'),
});

/** The key of the tag that says whose a peer is (`spec/bgp-operator.md` 1). */
export const OWNER_TAG = 'managed-by';

/** Tags that say as much: of another cluster, of a stack. Other tags do not make an owner. */
const ownership = /^(kubernetes\.io\/cluster\/.+|aws:cloudformation:stack-name)$/;

function ownerOf(tags: readonly unknown[]): string {
  const owner = tags.find((tag) => text(tag, 'Key') === OWNER_TAG);
  if (owner !== undefined) return text(owner, 'Value') || OWNER_TAG;
  return tags.map((tag) => text(tag, 'Key')).find((key) => ownership.test(key)) ?? '';
}

/** All instances of the reservations of a page. */
export const instancesOf = (reservation: unknown): readonly CloudInstance[] =>
  listOf(property(reservation, 'Instances')).map(instanceOf);

function instanceOf(item: unknown): CloudInstance {
  const primary = listOf(property(item, 'NetworkInterfaces')).find(isPrimary);
  const check = property(primary, 'SourceDestCheck');
  return {
    id: text(item, 'InstanceId'),
    state: textOf(at(item, 'State', 'Name')),
    zone: textOf(at(item, 'Placement', 'AvailabilityZone')),
    interface: text(primary, 'NetworkInterfaceId'),
    subnet: text(primary, 'SubnetId') || text(item, 'SubnetId'),
    address: text(primary, 'PrivateIpAddress'),
    sourceDestCheck: check === true ? 'on' : check === false ? 'off' : '',
  };
}

/** Device 0 of card 0: some instance types have a device 0 on each card (facts R12). */
function isPrimary(item: unknown): boolean {
  const attachment = property(item, 'Attachment');
  const card = property(attachment, 'NetworkCardIndex') ?? 0;
  const state = text(attachment, 'Status');
  return (
    property(attachment, 'DeviceIndex') === 0 && card === 0 && ['attached', ''].includes(state)
  );
}
