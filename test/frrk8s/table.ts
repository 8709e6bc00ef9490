/**
 * What frr-k8s answers to an FRRConfiguration, case by case: the double in this folder and the real
 * webhook are held to the same table (v0.0.21, on an API server of 1.36).
 */
import {
  type BfdProfile,
  type FrrConfiguration,
  frrConfiguration,
  type FrrSpec,
  type Labels,
  type Neighbor,
  type Router,
} from './objects.ts';

export interface Expected {
  /**
   * 201 = made; 403 = denied by the webhook; 422 = refused by the schema, before the webhook is
   * asked; 400 = the webhook cannot read it.
   */
  readonly status: 201 | 400 | 403 | 422;
  /** How the message ends. */
  readonly ends?: string;
  /** What the message says. */
  readonly says?: string;
  /** What a Warning header says. */
  readonly warning?: string;
}

export interface Case {
  readonly name: string;
  /** The nodes that there are, and their labels. */
  readonly nodes: Readonly<Record<string, Labels>>;
  /** What is there already; each of them is admitted. */
  readonly existing: readonly FrrConfiguration[];
  readonly candidate: FrrConfiguration;
  readonly expected: Expected;
}

const nodes = { 'worker-1': { zone: 'a' }, 'worker-2': { zone: 'b' } };
const zoneA = { nodeSelector: { matchLabels: { zone: 'a' } } };
const zoneB = { nodeSelector: { matchLabels: { zone: 'b' } } };
const nowhere = { nodeSelector: { matchLabels: { zone: 'none' } } };

const address = '10.0.1.47';
const neighbor: Neighbor = {
  address,
  asn: 64512,
  disableMP: true,
  toReceive: { allowed: { mode: 'all' } },
};
const { asn: _asn, ...withoutASN } = neighbor;
const { address: _address, ...withoutAddress } = neighbor;
const profile: BfdProfile = {
  name: 'fast',
  receiveInterval: 300,
  transmitInterval: 300,
  detectMultiplier: 3,
};

const spec = (neighbors: readonly Neighbor[], router: Partial<Router> = {}): FrrSpec => ({
  ...zoneA,
  bgp: { routers: [{ asn: 65001, neighbors, ...router }] },
});
const withBfd = (profiles: readonly BfdProfile[], bfdProfile = 'fast'): FrrSpec => ({
  ...zoneA,
  bgp: {
    bfdProfiles: profiles,
    routers: [{ asn: 65001, neighbors: [{ ...neighbor, bfdProfile }] }],
  },
});

const admitted: Expected = { status: 201 };
const deprecated: Expected = { status: 201, warning: 'disableMP is deprecated' };
const denied = (says: string, node = 'worker-1'): Expected => ({
  status: 403,
  says,
  ends: `resource is invalid for node ${node}`,
});
const bySchema = (says: string): Expected => ({ status: 422, says });

/** One object alone. */
const alone = (name: string, candidate: FrrSpec, expected: Expected): Case => ({
  name,
  nodes,
  existing: [],
  candidate: frrConfiguration('candidate', candidate),
  expected,
});
/** An object beside another one. */
const beside = (name: string, other: FrrSpec, candidate: FrrSpec, expected: Expected): Case => ({
  name,
  nodes,
  existing: [frrConfiguration('existing', other)],
  candidate: frrConfiguration('candidate', candidate),
  expected,
});

const plain = spec([neighbor]);
const changed = (fields: Partial<Neighbor>): FrrSpec => spec([{ ...neighbor, ...fields }]);

const oneObject: readonly Case[] = [
  alone('a neighbor with disableMP', plain, deprecated),
  alone('a neighbor without disableMP', changed({ disableMP: false }), admitted),
  alone('no spec to speak of', {}, admitted),
  alone(
    'a BFD profile that is not defined',
    changed({ bfdProfile: 'fast' }),
    denied('neighbor 64512@10.0.1.47 referencing non existing BFDProfile fast'),
  ),
  alone('a BFD profile of its own', withBfd([profile]), deprecated),
  alone(
    'a BFD profile that is defined twice',
    withBfd([profile, profile]),
    denied('duplicate bfd profile name fast in config candidate'),
  ),
  alone(
    'an address that is none',
    changed({ address: 'router' }),
    denied('failed to find ipfamily for neighbor 64512@router'),
  ),
  alone('no address', spec([withoutAddress]), denied('has no address and no interface')),
  alone(
    'an address and an interface',
    changed({ interface: 'eth0' }),
    denied('neighbor 64512@10.0.1.47 has both Address and Interface specified'),
  ),
  alone('no ASN', spec([withoutASN]), denied('0@10.0.1.47 has no ASN or DynamicASN specified')),
  alone(
    'an ASN and a dynamic ASN',
    changed({ dynamicASN: 'external' }),
    denied('neighbor external@10.0.1.47 has both ASN and DynamicASN specified'),
  ),
  alone('a dynamic ASN', spec([{ ...withoutASN, dynamicASN: 'external' }]), deprecated),
  alone(
    'a keepalive time beyond the hold time',
    changed({ holdTime: '9s', keepaliveTime: '10s' }),
    denied('invalid keepaliveTime "&Duration{Duration:10s,}", must be lower than holdTime'),
  ),
  alone(
    'a hold time without a keepalive time',
    changed({ holdTime: '90s' }),
    denied('one of KeepaliveTime/HoldTime specified, both must be set or none'),
  ),
  alone(
    'a keepalive time without a hold time',
    changed({ keepaliveTime: '30s' }),
    denied('one of KeepaliveTime/HoldTime specified, both must be set or none'),
  ),
  alone(
    'a hold time of one second',
    changed({ holdTime: '1s', keepaliveTime: '1s' }),
    denied('invalid hold time "&Duration{Duration:1s,}": must be 0 or >=3s'),
  ),
  alone('a hold time of 90 s', changed({ holdTime: '90s', keepaliveTime: '30s' }), deprecated),
  alone('a hold time that is no time', changed({ holdTime: 'long', keepaliveTime: '1s' }), {
    status: 400,
    says: 'time: invalid duration "long"',
  }),
  alone('a connect time of 10 s', changed({ connectTime: '10s' }), deprecated),
  alone(
    'a prefix for a neighbor that its router does not have',
    changed({ toAdvertise: { allowed: { prefixes: ['10.100.0.0/16'] } } }),
    denied(
      'trying to advertise non configured prefix 10.100.0.0/16 to neighbor 64512@10.0.1.47, vrf ',
    ),
  ),
  alone(
    'a prefix of the other family',
    spec([{ ...neighbor, toAdvertise: { allowed: { prefixes: ['2001:db8::/64'] } } }], {
      prefixes: ['2001:db8::/64'],
    }),
    denied('prefix 2001:db8::/64 is not compatible with the ipfamily ipv4'),
  ),
  alone(
    'a prefix that is none',
    spec([neighbor], { prefixes: ['10.100.0.0'] }),
    denied('unknown ipfamily for 10.100.0.0'),
  ),
  alone('a prefix with host bits', spec([neighbor], { prefixes: ['10.100.0.5/16'] }), deprecated),
  alone(
    'an import from a VRF that is not there',
    spec([neighbor], { imports: [{ vrf: 'red' }] }),
    denied('router 65001- imports vrf red which is not defined'),
  ),
  alone('a session within the AS', changed({ asn: 65001 }), deprecated),
  alone('a router ID that is none', spec([neighbor], { id: 'xx' }), deprecated),
  alone('raw lines that mean nothing', { ...plain, raw: { rawConfig: 'garbage' } }, deprecated),
  alone(
    'a password and a secret that is missing',
    changed({ password: 'a', passwordSecret: { name: 'b' } }),
    deprecated,
  ),
  alone('one neighbor twice', spec([neighbor, neighbor]), deprecated),
  alone(
    'one neighbor twice with different ASNs',
    spec([neighbor, { ...neighbor, asn: 64513 }]),
    denied('multiple asns specified for 10.0.1.47'),
  ),
  alone(
    'a filter that is longer than it may be',
    changed({ toReceive: { allowed: { prefixes: [{ prefix: '10.0.0.0/16', ge: 30, le: 24 }] } } }),
    denied('invalid selector lengths: ge 30 is bigger than le 24'),
  ),
  alone('an IPv6 neighbor', changed({ address: '2001:db8::47' }), deprecated),
];

const selectors: readonly Case[] = [
  alone(
    'a label value that no label can have',
    { ...plain, nodeSelector: { matchLabels: { zone: 'a b' } } },
    { status: 403, ends: 'resource contains an invalid NodeSelector' },
  ),
  alone(
    'an operator that there is not',
    { ...plain, nodeSelector: { matchExpressions: [{ key: 'zone', operator: 'Near' }] } },
    { status: 403, ends: 'resource contains an invalid NodeSelector' },
  ),
  alone(
    'faults for nodes that do not exist today',
    { ...spec([{ ...withoutASN, bfdProfile: 'fast' }]), ...nowhere },
    deprecated,
  ),
  alone(
    'a fault for every node',
    { bgp: { routers: [{ asn: 65001, neighbors: [withoutASN] }] } },
    { status: 403, says: 'has no ASN or DynamicASN specified' },
  ),
  beside(
    'a neighbor that another object has with another ASN on another node',
    { ...changed({ asn: 64513 }), ...zoneB },
    plain,
    deprecated,
  ),
];

const twoObjects: readonly Case[] = [
  beside('a neighbor that another object has too', plain, plain, deprecated),
  beside(
    'prefixes for a neighbor that another object has',
    plain,
    spec([{ ...neighbor, toAdvertise: { allowed: { prefixes: ['10.100.0.0/16'] } } }], {
      prefixes: ['10.100.0.0/16'],
    }),
    deprecated,
  ),
  beside('another neighbor', plain, changed({ address: '10.0.1.183' }), deprecated),
  beside(
    'another ASN of the router',
    plain,
    spec([neighbor], { asn: 65002 }),
    denied('different asns (65001 != 65002) specified for same vrf: '),
  ),
  beside(
    'another router ID',
    spec([neighbor], { id: '10.0.0.1' }),
    spec([neighbor], { id: '10.0.0.2' }),
    denied('different router ids (10.0.0.1 != 10.0.0.2) specified for same vrf: '),
  ),
  beside(
    'another ASN of a neighbor',
    plain,
    changed({ asn: 64513 }),
    denied('multiple asns specified for 10.0.1.47'),
  ),
  beside(
    'BFD for a neighbor that another object has without',
    plain,
    withBfd([profile]),
    denied('multiple bfd profiles specified for 10.0.1.47'),
  ),
  beside(
    'no BFD for a neighbor that another object has with it',
    withBfd([profile]),
    plain,
    denied('multiple bfd profiles specified for 10.0.1.47'),
  ),
  beside(
    'another BFD profile for a neighbor',
    withBfd([profile]),
    withBfd([{ ...profile, name: 'slow' }], 'slow'),
    denied('multiple bfd profiles specified for 10.0.1.47'),
  ),
  beside(
    'a BFD profile of another name in use elsewhere with other values',
    withBfd([profile]),
    withBfd([{ ...profile, receiveInterval: 500 }]),
    denied('duplicate bfd profile name fast with different values for config candidate'),
  ),
  beside('the same BFD profile', withBfd([profile]), withBfd([profile]), deprecated),
  beside(
    'both families for a neighbor that another object has with one',
    plain,
    changed({ dualStackAddressFamily: true }),
    denied('conflicting advertiseDualStack specified for 10.0.1.47'),
  ),
  beside(
    'another hold time',
    plain,
    changed({ holdTime: '90s', keepaliveTime: '30s' }),
    denied('multiple hold times specified for 10.0.1.47'),
  ),
  beside(
    'the hold time that is the default anyway',
    plain,
    changed({ holdTime: '180s', keepaliveTime: '60s' }),
    deprecated,
  ),
  beside(
    'another keepalive time',
    plain,
    changed({ holdTime: '180s', keepaliveTime: '30s' }),
    denied('multiple keepalive times specified for 10.0.1.47'),
  ),
  beside(
    'another connect time',
    plain,
    changed({ connectTime: '10s' }),
    denied('multiple connect times specified for 10.0.1.47'),
  ),
  beside(
    'another port',
    plain,
    changed({ port: 1179 }),
    denied('multiple ports specified for 10.0.1.47'),
  ),
  beside(
    'several hops where the other object has one',
    plain,
    changed({ ebgpMultiHop: true }),
    denied('conflicting ebgp-multihop specified for 10.0.1.47'),
  ),
  beside(
    'a password where the other object has none',
    plain,
    changed({ password: 'secret' }),
    denied('multiple passwords specified for 10.0.1.47'),
  ),
  beside(
    'another ASN of the same neighbor in another VRF',
    plain,
    spec([{ ...neighbor, asn: 64513 }], { vrf: 'red' }),
    deprecated,
  ),
];

const schema: readonly Case[] = [
  alone('an ASN beyond four bytes', changed({ asn: 4294967296 }), bySchema('4294967295')),
  alone('a port beyond the last', changed({ port: 16385 }), bySchema('16384')),
  alone(
    'a BFD interval of 5 ms',
    withBfd([{ ...profile, receiveInterval: 5 }]),
    bySchema('receiveInterval'),
  ),
  alone('a connect time of half a second', changed({ connectTime: '500ms' }), bySchema('connect')),
  alone(
    'a mode that there is not',
    changed({ toReceive: { allowed: { mode: 'some' } } }),
    bySchema('Unsupported value: "some"'),
  ),
];

export const table: readonly Case[] = [...oneObject, ...selectors, ...twoObjects, ...schema];
