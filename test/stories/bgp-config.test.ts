/** CUDNBgpConfig without a cloud: from an empty cluster to established sessions. */
import assert from 'node:assert/strict';
import { ADVERTISED, BGP_MANAGER, MANAGED_BY } from '../../core/annotation.ts';
import { Field } from '../bgp/field.ts';
import { givenConfig, givenNode, neighbor, zone, zones3 } from '../bgp/givens.ts';

const ours = { [MANAGED_BY]: BGP_MANAGER };
const crd = { platform: ['networks', 'frrconfigurations', 'routeadvertisements'] };

const conditions = (field: Field): string[] =>
  field.configState().conditions.map((one) => `${one.type} ${one.status} ${one.reason}`);

describe('a CUDNBgpConfig without a cloud', () => {
  it('switches FRR on, makes one FRRConfiguration per zone, and is Ready (UT-01)', () => {
    const field = Field.withNodes('abc');
    field.config(givenConfig());
    field.rest();
    const { phase, finalizer } = field.configState();
    assert.deepEqual({ phase, finalizer }, { phase: 'Ready', finalizer: true });
    assert.deepEqual(conditions(field), [
      'NetworkOperatorPatched True Patched',
      'FRRNamespaceReady True Ready',
      'FRRConfigurationApplied True Applied',
      'SessionsEstablished True Established',
    ]);
    assert.deepEqual(field.names('FRRConfiguration'), [
      'cudn-bgp-us-east-1a',
      'cudn-bgp-us-east-1b',
      'cudn-bgp-us-east-1c',
    ]);
    assert.deepEqual(field.spec('Network', 'cluster'), {
      additionalRoutingCapabilities: { providers: ['FRR'] },
      defaultNetwork: { ovnKubernetesConfig: { routeAdvertisements: 'Enabled' } },
    });
    assert.equal(field.think(), 0, 'at rest nothing is said');
  });

  it('makes each FRRConfiguration as the seed has it, with our label and a connect time', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: zones3.slice(0, 1) }));
    field.rest();
    const found = field.object('FRRConfiguration', 'cudn-bgp-us-east-1a');
    assert.deepEqual(found?.labels, { ...ours, [ADVERTISED]: 'true' });
    const each = (address: string) => ({
      ...{ address, asn: 64512, disableMP: true, connectTime: '10s' },
      toReceive: { allowed: { mode: 'all' } },
    });
    assert.deepEqual(JSON.parse(found.spec), {
      nodeSelector: {
        matchLabels: { bgp_router: 'true', 'topology.kubernetes.io/zone': 'us-east-1a' },
      },
      bgp: { routers: [{ asn: 65001, neighbors: [each('10.0.1.47'), each('10.0.1.183')] }] },
    });
  });

  it('gives each neighbor a BFD profile of its own name when liveness is bfd (UT-12)', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: zones3.slice(0, 1), livenessDetection: 'bfd' }));
    field.rest();
    const spec = field.spec('FRRConfiguration', 'cudn-bgp-us-east-1a') as {
      bgp: { bfdProfiles: object[]; routers: { neighbors: { bfdProfile: string }[] }[] };
    };
    const times = { receiveInterval: 300, transmitInterval: 300, detectMultiplier: 3 };
    assert.deepEqual(spec.bgp.bfdProfiles, [{ name: 'cudn-bgp', ...times }]);
    assert.equal(spec.bgp.routers[0]?.neighbors[1]?.bfdProfile, 'cudn-bgp');
  });

  it('lets the zone win where both selectors name a label, and takes empty ones for all', () => {
    const field = Field.withNodes('ab');
    field.tell({ kind: 'NodeSeen', node: givenNode('other', 'c', { bgp_router: 'edge' }) });
    field.pod('other', true);
    const edge = { nodeSelector: { bgp_router: 'edge' }, neighbors: [neighbor('10.0.9.1')] };
    field.config(givenConfig({ zones: [edge] }));
    field.rest();
    const [name = ''] = field.names('FRRConfiguration');
    assert.match(name, /^cudn-bgp-[0-9a-f]{8}$/);
    assert.deepEqual(
      (field.spec('FRRConfiguration', name) as { nodeSelector: object }).nodeSelector,
      {
        matchLabels: { bgp_router: 'edge' },
      },
    );
    const all = { nodeSelector: {}, neighbors: [neighbor('100.72.142.4', 64501)] };
    const two = Field.withNodes('ab');
    two.config(givenConfig({ zones: [all], routerNodeSelector: {} }));
    two.rest();
    assert.equal(two.configState().phase, 'Ready');
    assert.match(two.message('SessionsEstablished'), /^2 sessions established/);
  });

  it('speaks with neighbors of both families, whatever way an address is written', () => {
    const field = Field.withNodes('a');
    const both = ['100.72.142.4', '2A00:8a00:4000:780::4'].map((one) => neighbor(one, 64501));
    field.config(givenConfig({ zones: [{ nodeSelector: {}, neighbors: both }] }));
    field.think();
    const session = { name: 's', uid: 's', node: 'worker-a', vrf: '', bfdStatus: '' };
    const peer = '2a00:8a00:4000:780::4';
    field.rest();
    field.tell({ kind: 'SessionSeen', session: { ...session, peer, bgpStatus: 'Established' } });
    field.think();
    assert.equal(field.message('SessionsEstablished'), '2 sessions established');
  });

  it('removes what no zone needs any more, and nobody else’s (UT-13, UT-14)', () => {
    const field = Field.withNodes('a');
    const spec = JSON.stringify({
      nodeSelector: { matchLabels: { x: 'y' } },
      bgp: { routers: [] },
    });
    field.put('FRRConfiguration', 'cudn-bgp-az-3', { labels: ours, spec });
    field.put('FRRConfiguration', 'user-custom-frr', { labels: { owner: 'user' }, spec });
    field.put('FRRConfiguration', 'mine-too', { labels: ours, spec });
    field.config(givenConfig({ zones: zones3.slice(0, 1) }));
    field.rest();
    assert.deepEqual(field.names('FRRConfiguration'), [
      'cudn-bgp-us-east-1a',
      'mine-too',
      'user-custom-frr',
    ]);
  });

  it('leaves an object alone that is not ours though it has the name, and says so', () => {
    const field = Field.withNodes('ab');
    const spec = JSON.stringify({ nodeSelector: {}, bgp: { routers: [] } });
    field.put('FRRConfiguration', 'cudn-bgp-us-east-1a', { labels: { owner: 'user' }, spec });
    field.config(givenConfig({ zones: zones3.slice(0, 2) }));
    field.rest();
    assert.deepEqual(field.object('FRRConfiguration', 'cudn-bgp-us-east-1a')?.labels, {
      owner: 'user',
    });
    assert.equal(field.condition('FRRConfigurationApplied'), 'False ForeignObject');
    assert.match(field.message('FRRConfigurationApplied'), /cudn-bgp-us-east-1a is there already/);
    assert.equal(field.configState().phase, 'Degraded');
    assert.ok(field.object('FRRConfiguration', 'cudn-bgp-us-east-1b'), 'the other zone goes on');
  });

  it('keeps an object that lost our label, and restores the label (W-15)', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: zones3.slice(0, 1) }));
    field.rest();
    field.put('FRRConfiguration', 'cudn-bgp-us-east-1a', { labels: {} });
    field.think();
    assert.equal(
      field.world.objectsDecided.get('FRRConfiguration/cudn-bgp-us-east-1a')?.want,
      'present',
    );
    assert.equal(field.configState().phase, 'Ready', 'what is repaired at once is not told');
  });

  it('waits for FRR without being Degraded, then goes on with the first node that has it', () => {
    const field = new Field();
    field.serve();
    for (const letter of 'abc') field.addNode(`worker-${letter}`, letter, false);
    field.config(givenConfig());
    field.rest();
    assert.equal(field.condition('FRRNamespaceReady'), 'False WaitingForFRR');
    assert.equal(field.configState().phase, 'Configuring');
    assert.deepEqual(field.names('FRRConfiguration'), []);
    field.pod('worker-b', true);
    field.rest();
    assert.equal(field.condition('FRRNamespaceReady'), 'True Ready');
    assert.match(field.message('FRRNamespaceReady'), /1 of 3 router nodes, but not on worker-a, /);
    assert.equal(field.names('FRRConfiguration').length, 3);
    assert.equal(field.configState().phase, 'Ready', 'one session is enough');
  });

  it('takes any ready pod while there is no router node', () => {
    const field = Field.withNodes('z');
    field.config(givenConfig({ routerNodeSelector: { bgp_router: 'none' } }));
    field.rest();
    assert.equal(field.configState().phase, 'Ready');
    assert.equal(field.condition('SessionsEstablished'), 'True NoRouterNodes');
  });

  it('waits for kinds that are not served yet, and picks them up (W-23)', () => {
    const field = Field.withNodes('a', [...crd.platform, 'bgpsessionstates']);
    field.config(givenConfig({ zones: [zone('a', '10.0.1.47')] }));
    field.rest();
    assert.deepEqual(conditions(field), [
      'NetworkOperatorPatched False NotServed',
      'FRRNamespaceReady True Ready',
      'FRRConfigurationApplied Unknown NotServed',
      'SessionsEstablished Unknown NotServed',
    ]);
    assert.equal(field.configState().phase, 'Configuring');
    field.serve(['bgpsessionstates']);
    field.rest();
    assert.equal(field.configState().phase, 'Ready', 'sessions that nobody tells block nothing');
  });

  it('decides nothing before it has heard of every kind', () => {
    const field = new Field();
    field.tell({ kind: 'KindSeen', plural: 'cudnbgpconfigs', served: true });
    field.config(givenConfig());
    assert.equal(field.think(), 0);
    assert.match(field.room.waits(field.world), /^the watcher to list nodes, cudnbgproutings/);
    field.serve();
    assert.ok(field.think() > 0);
    assert.equal(field.room.waits(field.world), '');
  });

  it('keeps what else the Network operator was told', () => {
    const field = Field.withNodes('a');
    const providers = ['Other'];
    field.put('Network', 'cluster', {
      spec: JSON.stringify({ additionalRoutingCapabilities: { providers } }),
    });
    field.config(givenConfig());
    field.rest();
    const spec = field.spec('Network', 'cluster') as { additionalRoutingCapabilities: object };
    assert.deepEqual(spec.additionalRoutingCapabilities, { providers: ['Other', 'FRR'] });
  });

  it('says it when the patch does not stay, though not in the first moment', () => {
    const field = Field.withNodes('abc');
    field.config(givenConfig());
    field.rest();
    field.put('Network', 'cluster', { spec: '{}' });
    field.think();
    assert.equal(field.condition('NetworkOperatorPatched'), 'True Patched');
    const decided = field.world.objectsDecided.get('Network/cluster');
    assert.equal(decided?.want, 'present');
    field.publisherAsleep = true;
    field.pass(10_000);
    assert.equal(field.condition('NetworkOperatorPatched'), 'False Patching');
  });

  it('does not touch anything for an object of another name', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ name: 'mine' }));
    field.think();
    const decided = field.world.configsDecided.get('mine');
    assert.equal(decided?.phase, 'Degraded');
    assert.equal(decided.conditions[0]?.reason, 'InvalidName');
    assert.equal(decided.finalizer, false);
    assert.equal(field.world.objectsDecided.size, 0);
  });
});
