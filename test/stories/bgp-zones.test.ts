/** Zones that are added, removed, reordered, renamed, and objects of the original operator. */
import assert from 'node:assert/strict';
import { ADVERTISED, BGP_MANAGER, MANAGED_BY } from '../../core/annotation.ts';
import type { Zone } from '../../core/bgp-fact.ts';
import { Field, type FrrSpec } from '../bgp/field.ts';
import { givenConfig, givenRouting, neighbor, zone, zones3 } from '../bgp/givens.ts';
import { advertised } from '../bgp/ovnk.ts';

const ours = { [MANAGED_BY]: BGP_MANAGER };
const ZONE = 'topology.kubernetes.io/zone';

const edit = (field: Field, zones: readonly Zone[], more: object = {}): void => {
  const config = field.configs.get('cluster');
  assert.ok(config);
  field.config({ ...config, zones, generation: config.generation + 1, ...more });
};

const decisions = (field: Field, letter: string): unknown =>
  field.world.objectsDecided.get(`FRRConfiguration/cudn-bgp-us-east-1${letter}`);

/** A cluster whose network is advertised. */
function running(letters = 'abc', zones = zones3.slice(0, letters.length)): Field {
  const field = Field.withNodes(letters);
  field.config(givenConfig({ zones }));
  field.namespace('app1', 'prod');
  field.routing(givenRouting());
  field.rest();
  assert.equal(field.configState().phase, 'Ready');
  assert.deepEqual(advertised(field), ['cluster-udn-prod']);
  return field;
}

describe('zones', () => {
  it('that come, go or change places leave the others’ objects as they are (W-07)', () => {
    const field = running('abc', zones3.slice(0, 2));
    const [a, b] = [decisions(field, 'a'), decisions(field, 'b')];
    field.done.length = 0;
    edit(field, [zones3[2]!, zones3[1]!, zones3[0]!]);
    field.rest();
    assert.deepEqual([decisions(field, 'a'), decisions(field, 'b')], [a, b]);
    edit(field, [zones3[1]!]);
    field.rest();
    assert.deepEqual(decisions(field, 'b'), b);
    assert.deepEqual(field.names('FRRConfiguration'), ['cudn-bgp-us-east-1b']);
    assert.deepEqual(field.done, ['create cudn-bgp-us-east-1c']);
    assert.deepEqual(field.denied, []);
  });

  it('lose an old FRRConfiguration only when all new ones are in', () => {
    const field = running('ab', zones3.slice(0, 1));
    edit(field, zones3.slice(1, 2));
    field.think();
    const wants = ['b', 'a'].map((one) => (decisions(field, one) as { want: string }).want);
    assert.deepEqual(wants, ['present', 'present']);
    field.rest();
    assert.deepEqual(field.names('FRRConfiguration'), ['cudn-bgp-us-east-1b']);
  });

  it('that share a zone label get names that last, and the first keeps the one it had', () => {
    const sub = (number: string, address: string): Zone => ({
      nodeSelector: { [ZONE]: 'us-east-1a', subnet: number },
      neighbors: [neighbor(address)],
    });
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: [sub('1', '10.0.1.47')] }));
    field.rest();
    assert.deepEqual(field.names('FRRConfiguration'), ['cudn-bgp-us-east-1a']);
    edit(field, [sub('2', '10.0.4.1'), sub('1', '10.0.1.47')]);
    field.rest();
    const names = field.names('FRRConfiguration');
    assert.equal(names.length, 2);
    assert.ok(names.includes('cudn-bgp-us-east-1a'));
    edit(field, [sub('2', '10.0.4.1')]);
    field.rest();
    assert.deepEqual(
      field.names('FRRConfiguration'),
      names.filter((name) => name.length > 19),
    );
  });

  it('with names that are no DNS labels, or look numbered, get a hash', () => {
    const field = Field.withNodes('a');
    const odd = ['Zone_A', 'az-1', `${'long-'.repeat(11)}zone`].map((name, index) => ({
      nodeSelector: { [ZONE]: name },
      neighbors: [neighbor(`10.0.1.${index}`)],
    }));
    field.config(givenConfig({ zones: odd }));
    field.rest();
    const names = field.names('FRRConfiguration');
    assert.equal(names.length, 3);
    for (const name of names) assert.match(name, /^cudn-bgp-[a-z0-9-]{1,45}-[0-9a-f]{8}$/);
  });
});

describe('a changed session parameter', () => {
  it('comes zone by zone, each when it has no copies: nothing is denied (W-08)', () => {
    const field = running();
    field.done.length = 0;
    const seen: number[] = [];
    edit(field, zones3, { localASN: 65002 });
    for (let round = 0; round < 40; round++) {
      field.think();
      field.obey();
      seen.push(unlabelled(field).length);
    }
    assert.ok(Math.max(...seen) === 1, `one at a time: ${seen.join(' ')}`);
    assert.deepEqual(field.denied, []);
    for (const name of field.names('FRRConfiguration'))
      assert.equal((field.spec('FRRConfiguration', name) as FrrSpec).bgp.routers[0]?.asn, 65002);
    assert.deepEqual(unlabelled(field), []);
    assert.equal(field.configState().phase, 'Ready');
  });

  const unlabelled = (field: Field): string[] =>
    field
      .names('FRRConfiguration')
      .filter((name) => field.object('FRRConfiguration', name)?.labels[ADVERTISED] !== 'true');

  it('waits with the next zone until the one before has a session again, a minute at most', () => {
    const field = running('ab');
    for (const { address } of zones3[0]!.neighbors) field.deaf.add(address);
    edit(field, zones3.slice(0, 2), { localASN: 65002 });
    field.rest();
    const asn = (letter: string): unknown =>
      (field.spec('FRRConfiguration', `cudn-bgp-us-east-1${letter}`) as FrrSpec).bgp.routers[0]
        ?.asn;
    assert.deepEqual([asn('a'), asn('b')], [65002, 65001], 'b waits for a');
    field.pass(60_000);
    assert.deepEqual([asn('a'), asn('b')], [65002, 65002]);
    assert.deepEqual(field.denied, []);
  });

  it('survives a restart in the middle', () => {
    const field = running();
    edit(field, zones3, { livenessDetection: 'bfd' });
    for (let round = 0; round < 40; round++) {
      field.think();
      field.obey();
      field.restart();
    }
    assert.deepEqual(field.denied, []);
    assert.equal(field.configState().phase, 'Ready');
    assert.deepEqual(unlabelled(field), []);
  });

  it('that only adds, a neighbor, comes at once and withdraws nothing', () => {
    const field = running('a');
    edit(field, [zone('a', '10.0.1.47', '10.0.1.183', '10.0.1.9')]);
    field.think();
    const decided = field.world.objectsDecided.get('FRRConfiguration/cudn-bgp-us-east-1a');
    assert.deepEqual(decided?.dropped, []);
    assert.match(decided?.spec ?? '', /10\.0\.1\.9/);
    field.rest();
    assert.deepEqual(field.denied, []);
    assert.equal(field.configState().phase, 'Ready');
  });

  it('together with another selector replaces the object: the old one goes first', () => {
    const field = running('a', [{ nodeSelector: {}, neighbors: zones3[0]!.neighbors }]);
    const [old = ''] = field.names('FRRConfiguration');
    edit(field, [{ nodeSelector: { [ZONE]: 'us-east-1a' }, neighbors: zones3[0]!.neighbors }], {
      localASN: 65009,
    });
    field.rest();
    assert.deepEqual(field.denied, []);
    assert.deepEqual(field.names('FRRConfiguration'), ['cudn-bgp-us-east-1a']);
    assert.notEqual(old, 'cudn-bgp-us-east-1a');
    assert.equal(field.configState().phase, 'Ready');
  });
});

describe('objects of the original operator', () => {
  /** As the original left them: numbered names, its own BFD profile, no connect time. */
  function taken(): Field {
    const field = Field.withNodes('abc');
    for (const [index, { nodeSelector, neighbors }] of zones3.entries()) {
      const all = neighbors.map(({ address, remoteASN }) => ({
        ...{ address, asn: remoteASN, disableMP: true, bfdProfile: 'default' },
        toReceive: { allowed: { mode: 'all' } },
      }));
      const times = { receiveInterval: 300, transmitInterval: 300, detectMultiplier: 3 };
      const spec = {
        nodeSelector: { matchLabels: { bgp_router: 'true', ...nodeSelector } },
        bgp: {
          routers: [{ asn: 65001, neighbors: all }],
          bfdProfiles: [{ name: 'default', ...times }],
        },
      };
      field.put('FRRConfiguration', `cudn-bgp-az-${index + 1}`, {
        labels: ours,
        spec: JSON.stringify(spec),
      });
    }
    field.put('ClusterUserDefinedNetwork', 'cluster-udn-prod', {
      labels: { ...ours, advertise: 'true' },
      spec: JSON.stringify({
        namespaceSelector: { matchLabels: { 'cluster-udn': 'prod' } },
        network: {
          topology: 'Layer2',
          layer2: {
            role: 'Primary',
            ipam: { lifecycle: 'Persistent' },
            subnets: ['10.100.0.0/16'],
          },
        },
      }),
    });
    const networkSelector = { matchLabels: { advertise: 'true' } };
    field.put('RouteAdvertisements', 'cudn-bgp-route-advertisements', {
      labels: ours,
      spec: JSON.stringify({
        nodeSelector: {},
        frrConfigurationSelector: {},
        networkSelectors: [
          {
            networkSelectionType: 'ClusterUserDefinedNetworks',
            clusterUserDefinedNetworkSelector: { networkSelector },
          },
        ],
        advertisements: ['PodNetwork'],
      }),
    });
    field.obey();
    field.namespace('app1', 'prod');
    return field;
  }

  it('are taken over in place: no session parameter differs, nothing is ever withdrawn', () => {
    const field = taken();
    const uids = [...field.objects.values()].map(({ name, uid }) => `${name} ${uid}`);
    field.config(givenConfig({ livenessDetection: 'bfd' }));
    field.routing(givenRouting());
    for (let round = 0; round < 20; round++) {
      field.think();
      field.obey();
      assert.deepEqual(advertised(field), ['cluster-udn-prod'], 'advertised all the time');
    }
    assert.deepEqual(field.denied, []);
    assert.deepEqual(
      [...field.objects.values()]
        .map(({ name, uid }) => `${name} ${uid}`)
        .filter((one) => uids.includes(one)),
      uids,
    );
    assert.deepEqual(field.names('FRRConfiguration'), [
      'cudn-bgp-az-1',
      'cudn-bgp-az-2',
      'cudn-bgp-az-3',
    ]);
    const spec = field.spec('FRRConfiguration', 'cudn-bgp-az-2') as FrrSpec;
    assert.deepEqual(
      spec.bgp.routers[0]?.neighbors.map((one) => one.connectTime),
      [undefined, undefined],
    );
    assert.equal(spec.bgp.bfdProfiles?.[0]?.name, 'default');
    assert.equal(field.routingState().phase, 'Ready');
    assert.equal(field.configState().phase, 'Ready');
  });

  it('keep their names while their zones stand; a new zone is named after itself', () => {
    const field = taken();
    field.config(givenConfig({ livenessDetection: 'bfd' }));
    field.rest();
    field.addNode('worker-d', 'd');
    edit(field, [zone('d', '10.0.4.1'), zones3[2]!, zones3[0]!]);
    field.rest();
    assert.deepEqual(field.names('FRRConfiguration'), [
      'cudn-bgp-az-1',
      'cudn-bgp-az-3',
      'cudn-bgp-us-east-1d',
    ]);
    field.remove('FRRConfiguration', 'cudn-bgp-az-1');
    field.rest();
    assert.ok(!field.object('FRRConfiguration', 'cudn-bgp-us-east-1a'), 'restored under its name');
    assert.deepEqual(field.denied, []);
  });
});
