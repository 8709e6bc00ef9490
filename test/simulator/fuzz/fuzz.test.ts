/** Objects after the schemas of the CRDs, sensible or not: only the last ones count in the end. */
import assert from 'node:assert/strict';
import { CONFIGS, ROUTINGS } from '../../../edge/simulated/kinds.ts';
import { admitted, type Change, type Sequence } from './changes.ts';
import { fuzz, sequenceFor } from './fuzz.ts';

/** `SEQUENCES=` sets the number; `make fuzz` plays hundreds. */
const SEQUENCES = Number(process.env['SEQUENCES'] || 8);

const zone = (address: string, remoteASN: number) => ({
  nodeSelector: {},
  neighbors: [{ address, remoteASN }],
});
const config = (bgp: object, more: object = {}, name = 'cluster'): Change => ({
  ...{ collection: CONFIGS, name },
  spec: { routerNodeSelector: {}, bgp, ...more },
});
const zones = { localASN: 1, availabilityZones: [zone('10.9.1.1', 1)] };
const routing = (name: string, ...subnets: readonly string[]): Change => ({
  ...{ collection: ROUTINGS, name: 'r' },
  spec: { network: { name, subnets } },
});

/** What both schemas refuse, and what only those of the chart do. */
const refused: readonly (readonly [what: string, by: 'both' | 'ours', change: Change])[] = [
  ['an ASN that is no number', 'both', config({ ...zones, localASN: '1' })],
  ['neither zones nor AWS', 'both', config({ localASN: 1 })],
  ['zones and AWS', 'both', config(zones, { aws: { region: 'r', routeServerIDs: ['rs-1'] } })],
  ['no network', 'both', { ...routing('x'), spec: {} }],
  ['three subnets', 'both', routing('x', '10.1.0.0/16', '10.2.0.0/16', 'fd01::/64')],
  ['an ASN of 0', 'ours', config({ ...zones, localASN: 0 })],
  ['another name', 'ours', config(zones, {}, 'other')],
  [
    'IPv4 in IPv6',
    'ours',
    config({ localASN: 1, availabilityZones: [zone('::ffff:10.9.1.1', 1)] }),
  ],
  ['a time that is too long', 'ours', config({ ...zones, connectTime: '65536s' })],
  ['a name in capitals', 'ours', routing('Blue', '10.1.0.0/16')],
  ['a subnet with host bits', 'ours', routing('x', '10.1.0.1/16')],
  ['a bare address', 'ours', routing('x', '10.1.0.1')],
  ['two subnets of one family', 'ours', routing('x', '10.1.0.0/16', '10.2.0.0/16')],
];

const isLetIn = (schemas: Sequence['schemas'], change: Change): boolean =>
  admitted({ schemas, changes: [] }, change, undefined) !== undefined;

describe('the schemas of the CRDs, as an API server uses them', () => {
  for (const [what, by, change] of refused)
    it(`refuse ${what}${by === 'ours' ? ', where they are those of the chart' : ''}`, () => {
      assert.deepEqual(
        [isLetIn('ours', change), isLetIn('original', change)],
        [false, by === 'ours'],
      );
    });

  it('let in what is right, without what they do not know, and with their defaults', () => {
    const sequence = { schemas: 'ours', changes: [] } as const;
    const stored = admitted(sequence, config({ ...zones, topology: 'ring' }), undefined);
    assert.deepEqual(stored?.['bgp'], { ...zones, livenessDetection: 'bgp-keepalive' });
    assert.ok(isLetIn('ours', routing('blue', '10.1.0.0/16', 'fd01::/64')));
  });

  it('keep the name of a network as it was', () => {
    const metadata = { name: 'r', uid: 'u', resourceVersion: '1' };
    const before = { metadata, spec: { network: { name: 'blue', subnets: ['10.1.0.0/16'] } } };
    const sequence = { schemas: 'original', changes: [] } as const;
    assert.equal(admitted(sequence, routing('green', '10.1.0.0/16'), before), undefined);
    assert.ok(admitted(sequence, routing('blue', '10.2.0.0/16'), before));
  });
});

describe('the rooms, under objects that follow the schemas, and some that do not', function () {
  this.timeout(600_000);

  for (let seed = 1; seed <= SEQUENCES; seed++)
    it(`end as a fresh system on the last objects, each invalid one told: ${seed}`, async () => {
      const { problems } = await fuzz(sequenceFor(seed));
      assert.deepEqual(problems, []);
    });
});
