/** Values by the name of their field: those that make sense, and those that nobody can do. */

interface Pool {
  readonly good: readonly unknown[];
  readonly odd: readonly unknown[];
}

const zone = 'topology.kubernetes.io/zone';

export const pools: Readonly<Record<string, Pool>> = {
  egressIPs: {
    good: ['10.0.0.101', '10.0.0.102', '10.0.0.103', '10.0.0.104', '::ffff:10.0.0.101'],
    odd: [
      ...['10.0.0.1', '10.0.0.2', '10.0.0.300', '10.0.0.101/32', '010.0.0.101', '', 'fe80::1%eth0'],
      ...['10.150.0.1', 'fd00::1', '::ffff:10.0.0.3', '0:0:0:0:0:ffff:a00:65', '10.0.0.101 '],
    ],
  },
  localASN: { good: [65_001, 65_001, 65_010], odd: [0, 64_512, 4_294_967_295, 4_294_967_296] },
  remoteASN: { good: [64_512], odd: [0, 64_513, -1, 4_294_967_296] },
  connectTime: { good: ['10s', '2m'], odd: ['soon', '0s', '1h90s', '65536s', '-1s'] },
  address: {
    good: ['10.9.1.1', '10.9.1.2', '10.9.2.1', '10.9.3.1'],
    odd: ['10.0.0.300', '::ffff:10.9.1.1', 'router-a', '10.9.1.1/32', 'fd00::9', '10.9.1.1'],
  },
  routerNodeSelector: {
    good: [{ bgp_router: 'true' }, { bgp_router: 'true' }, {}],
    odd: [{ 'not/a/label key': '' }, { bgp_router: 'not a value' }, { bgp_router: 'false' }],
  },
  nodeSelector: {
    good: ['a', 'b', 'c'].map((letter) => ({ [zone]: `us-east-1${letter}` })),
    odd: [{}, { rack: '7' }, { [zone]: 'Zone A' }, { 'not/a/label key': 'a' }],
  },
  routeServerIDs: { good: ['rs-0123456789abcdef0'], odd: ['rs-', 'tgw-1', ''] },
  region: { good: ['us-east-1'], odd: ['', 'US East', 'x'.repeat(64)] },
  name: { good: ['blue', 'green'], odd: ['red', 'Blue', 'not_a_name', '', 'x'.repeat(64)] },
  subnets: {
    good: ['10.150.0.0/16', '10.150.128.0/20', '10.160.0.0/16', 'fd01::/64'],
    odd: [
      ...['10.150.0.1/16', '10.1.1.1', '10.1.1.1/32', '10.160.0.0/33', 'fd01::/129', 'FD01::/64'],
      ...['0.0.0.0/0', 'all', '10.170.0.0/016'],
    ],
  },
  namespaceSelector: { good: [{}, { matchLabels: { team: 'a' } }], odd: [{ matchLabels: [] }] },
  egressNodeSelector: {
    good: [{}, { matchLabels: { zone: 'red' } }, { matchLabels: { bgp_router: 'true' } }],
    odd: [
      { matchLabels: { zone: 'green' } },
      { matchLabels: { 'not/a/label key': '' } },
      { matchExpressions: [{ key: 'zone', operator: 'In', values: [] }] },
      { matchExpressions: [{ key: 'zone', operator: 'Near', values: ['red'] }] },
      { matchExpressions: [{ key: 'zone', operator: 'Exists', values: ['red'] }] },
      { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['blue', 'a b'] }] },
    ],
  },
};
