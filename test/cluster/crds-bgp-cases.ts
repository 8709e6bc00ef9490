/**
 * CUDNBgpConfigs and CUDNBgpRoutings that may be, the samples of the seed first, and may not be.
 */

type Accepted = readonly (readonly [what: string, spec: object])[];
type Refused = readonly (readonly [what: string, spec: object | undefined, why: RegExp])[];

const zone = (number: number, ...addresses: string[]): object => ({
  nodeSelector: {
    'topology.kubernetes.io/zone': `us-east-1${'abc'[number - 1]}`,
    bgp_router_subnet: String(number),
  },
  neighbors: addresses.map((address) => ({ address, remoteASN: 64512 })),
});

const router = { bgp_router: 'true' };
export const explicit = {
  routerNodeSelector: router,
  bgp: {
    localASN: 65001,
    livenessDetection: 'bgp-keepalive',
    availabilityZones: [
      zone(1, '10.0.1.47', '10.0.1.183'),
      zone(2, '10.0.2.91', '10.0.2.204'),
      zone(3, '10.0.3.62', '10.0.3.178'),
    ],
  },
};
export const aws = { region: 'us-east-1', routeServerIDs: ['rs-0abc123456789abcd'] };
export const onAws = { routerNodeSelector: router, bgp: { localASN: 65001 }, aws };
const everyNode = (...addresses: string[]): object => ({
  routerNodeSelector: {},
  bgp: {
    localASN: 64502,
    livenessDetection: 'bfd',
    availabilityZones: [
      { nodeSelector: {}, neighbors: addresses.map((address) => ({ address, remoteASN: 64501 })) },
    ],
  },
});
const neighbor = (fields: object): object => {
  const neighbors = [{ address: '10.0.1.47', remoteASN: 64512, ...fields }];
  const availabilityZones = [{ nodeSelector: {}, neighbors }];
  return { ...explicit, bgp: { localASN: 65001, availabilityZones } };
};
const bgp = (fields: object): object => ({ ...explicit, bgp: { ...explicit.bgp, ...fields } });
const cloud = (fields: object): object => ({ ...onAws, aws: { ...aws, ...fields } });

export const acceptedConfigs: Accepted = [
  ['three zones with their neighbors', explicit],
  ['Route Servers of AWS', onAws],
  [
    'Route Servers and an empty list of zones',
    { ...onAws, bgp: { ...onAws.bgp, availabilityZones: [] } },
  ],
  ['one zone of all nodes', everyNode('100.72.142.4')],
  ['neighbors of both families', everyNode('100.72.142.4', '2a00:8a00:4000:780::4')],
  ['the smallest ASN', neighbor({ remoteASN: 1 })],
  ['an ASN of four bytes', neighbor({ remoteASN: 4294967295 })],
  ['the shortest connect time', bgp({ connectTime: '1s' })],
  ['a connect time in several units', bgp({ connectTime: '1m30s' })],
  ['the longest connect time', bgp({ connectTime: '65535s' })],
  [
    'every setting of AWS',
    cloud({
      adoptionPolicy: 'IfUntagged',
      sourceDestCheckScope: 'AllNodes',
      restoreSourceDestCheck: true,
    }),
  ],
  [
    '64 zones of 32 neighbors',
    bgp({
      availabilityZones: Array.from({ length: 64 }, () => ({
        nodeSelector: {},
        neighbors: Array.from({ length: 32 }, (_, n) => ({
          address: `2001:db8:ffff:ffff:ffff:ffff:ffff:${n + 1000}`,
          remoteASN: 64512,
        })),
      })),
    }),
  ],
];

export const refusedConfigs: Refused = [
  ['no spec', undefined, /spec: Required value/],
  ['no bgp', { routerNodeSelector: router, aws }, /spec\.bgp: Required value/],
  ['no routerNodeSelector', { bgp: onAws.bgp, aws }, /spec\.routerNodeSelector: Required value/],
  ['no ASN of its own', { ...onAws, bgp: {} }, /localASN: Required value/],
  ['zones and Route Servers', { ...explicit, aws }, /exclude each other/],
  ['neither zones nor Route Servers', { ...onAws, aws: undefined }, /availabilityZones is needed/],
  ['no zone and no Route Servers', bgp({ availabilityZones: [] }), /availabilityZones is needed/],
  ['ASN 0', bgp({ localASN: 0 }), /localASN.*greater than or equal to 1/],
  [
    'an ASN beyond four bytes',
    bgp({ localASN: 4294967296 }),
    /localASN.*less than or equal to 4294967295/,
  ],
  ['a neighbor with ASN 0', neighbor({ remoteASN: 0 }), /remoteASN.*greater than or equal to 1/],
  [
    'a neighbor with an ASN beyond four bytes',
    neighbor({ remoteASN: 4294967296 }),
    /remoteASN.*less than/,
  ],
  ['a neighbor without an ASN', neighbor({ remoteASN: undefined }), /remoteASN: Required value/],
  ['a neighbor without an address', neighbor({ address: undefined }), /address: Required value/],
  [
    'a neighbor whose address is a name',
    neighbor({ address: 'not-an-ip' }),
    /neighbor's address is an IP/,
  ],
  [
    'a neighbor whose address is a network',
    neighbor({ address: '10.0.1.0/24' }),
    /neighbor's address is an IP/,
  ],
  [
    'a zone without neighbors',
    bgp({ availabilityZones: [{ nodeSelector: {}, neighbors: [] }] }),
    /neighbors.*at least 1 item/,
  ],
  [
    'a zone without a selector',
    bgp({ availabilityZones: [{ neighbors: [{ address: '10.0.1.47', remoteASN: 1 }] }] }),
    /nodeSelector: Required value/,
  ],
  [
    'a label value that no label can have',
    { ...explicit, routerNodeSelector: { bgp_router: 'a b' } },
    /routerNodeSelector\.bgp_router.*should match/,
  ],
  [
    'another liveness detection',
    bgp({ livenessDetection: 'ping' }),
    /supported values: "bfd", "bgp-keepalive"/,
  ],
  ['a connect time of nothing', bgp({ connectTime: '0s' }), /whole seconds, from 1s to 65535s/],
  [
    'a connect time beyond the longest',
    bgp({ connectTime: '65536s' }),
    /whole seconds, from 1s to 65535s/,
  ],
  [
    'a connect time of part of a second',
    bgp({ connectTime: '500ms' }),
    /connectTime.*should match/,
  ],
  ['a connect time without a unit', bgp({ connectTime: '10' }), /connectTime.*should match/],
  ['no region', cloud({ region: undefined }), /region: Required value/],
  ['an empty region', cloud({ region: '' }), /region.*at least 1 char/],
  ['no Route Server', cloud({ routeServerIDs: [] }), /routeServerIDs.*at least 1 item/],
  [
    'an ID that is no Route Server',
    cloud({ routeServerIDs: ['rse-0abc1111'] }),
    /routeServerIDs.*should match/,
  ],
  [
    'one Route Server twice',
    cloud({ routeServerIDs: ['rs-1', 'rs-1'] }),
    /Duplicate value: "?"rs-1/,
  ],
  [
    'another adoption policy',
    cloud({ adoptionPolicy: 'Always' }),
    /"IfMatches", "IfUntagged", "Never"/,
  ],
  [
    'another scope of the check',
    cloud({ sourceDestCheckScope: 'None' }),
    /"RouterNodes", "AllNodes"/,
  ],
];

export const network = (name: unknown, ...subnets: string[]): object => ({
  network: { name, subnets },
});

export const acceptedRoutings: Accepted = [
  ['one subnet', network('prod', '10.100.0.0/16')],
  ['a subnet of each family', network('prod', '10.100.0.0/16', '2001:db8::/64')],
  ['the families the other way round', network('prod', '2001:db8::/64', '10.100.0.0/16')],
  ['a name of 63 characters', network('a'.repeat(63), '10.100.0.0/16')],
  ['a name of digits', network('2024', '10.100.0.0/16')],
];

export const refusedRoutings: Refused = [
  ['no spec', undefined, /spec: Required value/],
  ['no network', {}, /spec\.network: Required value/],
  ['no name', network(undefined, '10.100.0.0/16'), /name: Required value/],
  ['an empty name', network('', '10.100.0.0/16'), /name.*at least 1 char/],
  [
    'a name of 64 characters',
    network('a'.repeat(64), '10.100.0.0/16'),
    /name.*may not be more than 63/,
  ],
  ['a name in capitals', network('Prod', '10.100.0.0/16'), /name.*should match/],
  ['a name with a dot', network('prod.eu', '10.100.0.0/16'), /name.*should match/],
  ['a name that ends in a hyphen', network('prod-', '10.100.0.0/16'), /name.*should match/],
  ['no subnet', network('prod'), /subnets.*at least 1 item/],
  [
    'three subnets',
    network('prod', '10.1.0.0/16', '2001:db8::/64', '10.2.0.0/16'),
    /at most 2 items/,
  ],
  [
    'two subnets of IPv4',
    network('prod', '10.1.0.0/16', '10.2.0.0/16'),
    /at most one subnet of each family/,
  ],
  [
    'two subnets of IPv6',
    network('prod', '2001:db8::/64', '2001:db8:1::/64'),
    /at most one subnet of each/,
  ],
  [
    'a subnet that is no network',
    network('prod', 'not-a-cidr'),
    /subnet is the address of a network/,
  ],
  [
    'an address without a prefix',
    network('prod', '10.0.0.1'),
    /subnet is the address of a network/,
  ],
  [
    'a subnet with host bits',
    network('prod', '10.100.0.5/16'),
    /subnet is the address of a network/,
  ],
  [
    'a subnet in a long form',
    network('prod', '2001:0db8::/64'),
    /subnet is the address of a network/,
  ],
  [
    'one good subnet and one bad',
    network('prod', '10.100.0.0/16', 'x'),
    /subnet is the address of a network/,
  ],
];
