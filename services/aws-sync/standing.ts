/** How a node stands for AWS: whether it can have peers, and which address they are for. */
import { contains, parseAddress, parseCidr } from '../../core/address.ts';
import { ZONE } from '../../core/annotation.ts';
import type { CloudInstance } from '../../core/cloud-door.ts';
import type { Node } from '../../core/fact.ts';
import { instanceOf } from './provider-id.ts';
import type { Region } from './region.ts';

export interface Standing {
  readonly node: Node;
  /** As FRRConfigurations select it. */
  readonly host: string;
  readonly zone: string;
  readonly instance: string;
  /** The peer address; '' unless it is `ready`. */
  readonly address: string;
  /** Of its primary interface; '' = not known. */
  readonly subnet: string;
  /**
   * `frozen`: not usable now, its peers stay; `unseen`: so, until its instance was looked at;
   * `gone`: its instance is terminated, however long the Node object lingers.
   */
  readonly state: 'ready' | 'frozen' | 'unseen' | 'gone';
  /** Why it is frozen, as half a sentence. */
  readonly because: string;
}

const HOSTNAME = 'kubernetes.io/hostname';

export function standingOf(node: Node, region: Region): Standing {
  const named = instanceOf(node.providerID);
  const base = {
    node,
    host: node.labels[HOSTNAME] ?? node.name,
    zone: node.labels[ZONE] ?? named?.zone ?? '',
    instance: named?.id ?? '',
    ...{ address: '', subnet: '', because: '' },
  };
  const frozen = (because: string): Standing => ({ ...base, state: 'frozen', because });
  if (named === undefined)
    return frozen(node.providerID === '' ? 'has no providerID' : 'is no EC2 instance');
  const addresses = foursOf(node);
  if (addresses.length === 0)
    return frozen(node.internalIPs.length > 0 ? 'has no IPv4 address' : 'has no InternalIP');
  if (region.blind !== undefined) return withoutInstance(base, addresses, region);
  const instance = region.instances.get(named.id);
  if (instance === undefined) {
    const state = region.asked.has(named.id) ? 'frozen' : 'unseen';
    return { ...base, state, because: `has the instance ${named.id}, which EC2 does not know` };
  }
  return withInstance({ ...base, zone: base.zone || instance.zone }, addresses, instance, region);
}

function withInstance(
  base: Omit<Standing, 'state'>,
  addresses: readonly string[],
  instance: CloudInstance,
  region: Region,
): Standing {
  const { state, interface: id, subnet, zone } = instance;
  if (state === 'terminated' || state === 'shutting-down') return { ...base, state: 'gone' };
  const frozen = (because: string): Standing => ({ ...base, subnet, state: 'frozen', because });
  if (state !== 'running') return frozen(`its instance is ${state || 'in no state'}`);
  if (id === '') return frozen('has no primary network interface yet');
  const address = chosen(addresses, instance, region.subnets.get(subnet)?.cidr ?? '');
  if (address === '') return frozen('has no InternalIP in the subnet of its primary interface');
  return { ...base, zone: base.zone || zone, subnet, address, state: 'ready' };
}

/** EC2 does not let us look at instances: by the zone, then (`docs/aws.md`). */
function withoutInstance(
  base: Omit<Standing, 'state'>,
  addresses: readonly string[],
  region: Region,
): Standing {
  if (base.zone === '') return { ...base, state: 'frozen', because: 'has no zone' };
  const cidrs = [...region.served.values()]
    .filter(({ zone }) => zone === base.zone)
    .map(({ endpoint }) => region.subnets.get(endpoint.subnet)?.cidr ?? '');
  const inside = addresses.find((address) => cidrs.some((cidr) => isIn(cidr, address)));
  return { ...base, address: inside ?? addresses[0] ?? '', state: 'ready' };
}

/** The primary interface's own address, else one of its subnet: their order means nothing. */
function chosen(addresses: readonly string[], instance: CloudInstance, cidr: string): string {
  if (addresses.includes(instance.address)) return instance.address;
  return addresses.find((address) => isIn(cidr, address)) ?? '';
}

function isIn(cidr: string, address: string): boolean {
  const network = parseCidr(cidr);
  const one = parseAddress(address);
  return network !== undefined && one !== undefined && contains(network, one);
}

/** Peers take IPv4 only (facts 1.1). */
function foursOf({ internalIPs }: Node): readonly string[] {
  const read = internalIPs.map((text) => parseAddress(text));
  return read.flatMap((address) => (address?.family === 4 ? [address.text] : []));
}
