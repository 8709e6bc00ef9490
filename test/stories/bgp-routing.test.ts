/** CUDNBgpRouting: claims, gate, namespaces, networks, and how one ends. */
import assert from 'node:assert/strict';
import { BGP_MANAGER, MANAGED_BY } from '../../core/annotation.ts';
import { Field } from '../bgp/field.ts';
import { givenConfig, givenNamespace, givenRouting, NOW_MS, zones3 } from '../bgp/givens.ts';
import { advertised } from '../bgp/ovnk.ts';

const CUDN = 'ClusterUserDefinedNetwork';
const RA = 'cudn-bgp-route-advertisements';

/** A config that is Ready, and a namespace for network prod. */
function field(): Field {
  const made = Field.withNodes('a');
  made.config(givenConfig({ zones: zones3.slice(0, 1) }));
  made.namespace('app1', 'prod');
  made.rest();
  assert.equal(made.configState().phase, 'Ready');
  return made;
}

const older = (name: string, network = 'prod', ms = 0) =>
  givenRouting(name, { network, createdMs: NOW_MS + ms });

describe('a CUDNBgpRouting', () => {
  it('gets its network and the shared route advertisements, and is Ready (UT-04)', () => {
    const f = field();
    f.routing(givenRouting());
    f.rest();
    assert.equal(f.routingState().phase, 'Ready');
    assert.deepEqual(
      f.routingState().conditions.map((one) => `${one.type} ${one.status} ${one.reason}`),
      [
        'CUDNCreated True Created',
        'RouteAdvertisementsCreated True Created',
        'NamespacesPresent True Present',
      ],
    );
    assert.deepEqual(f.object(CUDN, 'cluster-udn-prod')?.labels, {
      advertise: 'true',
      [MANAGED_BY]: BGP_MANAGER,
      'sluice.dev/advertised': 'true',
    });
    assert.deepEqual(f.spec(CUDN, 'cluster-udn-prod'), {
      namespaceSelector: { matchLabels: { 'cluster-udn': 'prod' } },
      network: {
        topology: 'Layer2',
        layer2: { role: 'Primary', ipam: { lifecycle: 'Persistent' }, subnets: ['10.100.0.0/16'] },
      },
    });
    const ownOnly = { matchLabels: { 'sluice.dev/advertised': 'true' } };
    assert.deepEqual(f.spec('RouteAdvertisements', RA), {
      nodeSelector: {},
      frrConfigurationSelector: ownOnly,
      networkSelectors: [
        {
          networkSelectionType: 'ClusterUserDefinedNetworks',
          clusterUserDefinedNetworkSelector: { networkSelector: ownOnly },
        },
      ],
      advertisements: ['PodNetwork'],
    });
    assert.deepEqual(advertised(f), ['cluster-udn-prod']);
  });

  it('needs a namespace with both labels that is not terminating (UT-04b, UT-11b)', () => {
    const f = field();
    f.routing(older('stage', 'stage'));
    f.namespace('going', 'stage', { deleting: true });
    f.tell({
      kind: 'NamespaceSeen',
      namespace: { ...givenNamespace('late', 'stage'), primary: false },
    });
    f.rest();
    assert.equal(f.routingState('stage').phase, 'Degraded');
    assert.equal(f.condition('CUDNCreated', 'stage'), 'False NamespaceNotReady');
    assert.match(
      f.message('CUDNCreated', 'stage'),
      /primary-user-defined-network.*cluster-udn=stage/,
    );
    assert.deepEqual(f.names(CUDN), []);
    f.namespace('app2', 'stage');
    f.rest();
    assert.equal(f.routingState('stage').phase, 'Ready');
  });

  it('keeps its network, its phase and its repair when the namespaces go (W-30)', () => {
    const f = field();
    f.routing(givenRouting());
    f.rest();
    f.tell({ kind: 'NamespaceGone', name: 'app1', uid: 'uid-app1' });
    f.rest();
    assert.equal(f.condition('NamespacesPresent', 'prod'), 'False NamespaceNotReady');
    assert.equal(f.routingState().phase, 'Ready');
    f.remove(CUDN, 'cluster-udn-prod');
    f.rest();
    assert.deepEqual(f.names(CUDN), ['cluster-udn-prod']);
  });

  it('is Pending until the config was Ready once; later trouble changes nothing (W-21)', () => {
    const f = new Field();
    f.serve();
    f.addNode('worker-a', 'a', false);
    f.namespace('app1', 'prod');
    f.routing(givenRouting());
    f.rest();
    assert.equal(f.routingState().phase, 'Pending');
    assert.match(f.message('CUDNCreated', 'prod'), /there is no CUDNBgpConfig named cluster/);
    f.config(givenConfig({ zones: zones3.slice(0, 1) }));
    f.rest();
    assert.equal(f.condition('CUDNCreated', 'prod'), 'Unknown WaitingForConfig');
    f.pod('worker-a', true);
    f.rest();
    assert.equal(f.routingState().phase, 'Ready');
    const before = f.routingState();
    f.pod('worker-a', false);
    f.pass(120_000);
    assert.equal(f.configState().phase, 'Degraded');
    assert.equal(f.routingState(), before, 'not one word on it');
    f.namespace('app2', 'second');
    f.routing(givenRouting('second', { subnets: ['10.101.0.0/16'] }));
    f.rest();
    assert.equal(f.routingState('second').phase, 'Ready', 'new ones are served');
  });

  it('is not called Ready before OVN-Kubernetes has made the network (W-27)', () => {
    const f = field();
    f.ovnAsleep = true;
    f.routing(givenRouting());
    f.rest();
    assert.equal(f.routingState().phase, 'Configuring');
    assert.equal(f.condition('CUDNCreated', 'prod'), 'False WaitingForNetwork');
    f.pass(60_000);
    assert.equal(f.routingState().phase, 'Ready', 'no report at all does not block for ever');
    assert.match(f.message('CUDNCreated', 'prod'), /has not reported on it/);
  });

  it('tells what OVN-Kubernetes does not like about network or route advertisements', () => {
    const f = field();
    f.routing(givenRouting());
    f.rest();
    const failed = { status: 'False', reason: 'Frozen', observedGeneration: 0, sinceMs: 1 };
    const message = 'namespace app1: label is missing';
    f.put(CUDN, 'cluster-udn-prod', {
      conditions: [{ ...failed, type: 'NetworkCreated', message }],
    });
    f.put('RouteAdvertisements', RA, {
      conditions: [{ ...failed, type: 'Accepted', message: 'no VRF' }],
    });
    f.pass(1_000);
    f.think();
    assert.equal(f.routingState().phase, 'Ready', 'a short trouble is not told');
    f.pass(10_000);
    assert.equal(f.routingState().phase, 'Degraded');
    assert.equal(f.condition('CUDNCreated', 'prod'), 'False NetworkNotCreated');
    assert.match(f.message('CUDNCreated', 'prod'), /label is missing/);
    assert.equal(f.condition('RouteAdvertisementsCreated', 'prod'), 'False NotAccepted');
  });

  it('whose subnets are edited keeps the running network and says what to do (W-05)', () => {
    const f = field();
    f.routing(givenRouting());
    f.rest();
    const routing = f.routings.get('prod');
    assert.ok(routing);
    const before = f.object(CUDN, 'cluster-udn-prod');
    f.routing({ ...routing, subnets: ['10.200.0.0/16'], generation: 2 });
    f.rest();
    assert.equal(f.object(CUDN, 'cluster-udn-prod'), before);
    assert.equal(f.condition('CUDNCreated', 'prod'), 'False SubnetsImmutable');
    assert.match(
      f.message('CUDNCreated', 'prod'),
      /10\.100\.0\.0\/16, not 10\.200.*new CUDNBgpRouting/,
    );
    assert.equal(f.routingState().phase, 'Degraded');
  });

  it('does not take a network that is not ours (W-06)', () => {
    const f = field();
    const spec = JSON.stringify({ network: { topology: 'Layer3' } });
    f.put(CUDN, 'cluster-udn-prod', { labels: { advertise: 'true' }, spec });
    f.routing(givenRouting());
    f.rest();
    assert.equal(f.condition('CUDNCreated', 'prod'), 'False ForeignObject');
    f.deleteRouting('prod');
    f.rest();
    assert.equal(f.routings.size, 0);
    assert.equal(f.object(CUDN, 'cluster-udn-prod')?.spec, spec);
  });

  it('with a name or subnet that an old schema lets through hurts only itself', () => {
    const f = field();
    f.routing(givenRouting('bad', { network: 'Not_A_Label' }));
    f.routing(givenRouting('worse', { subnets: ['10.0.0.1'] }));
    f.routing(givenRouting());
    f.rest();
    assert.equal(f.condition('CUDNCreated', 'bad'), 'False InvalidName');
    assert.equal(f.condition('CUDNCreated', 'worse'), 'False InvalidSubnet');
    assert.equal(f.routingState().phase, 'Ready');
  });
});

describe('two routings of one network', () => {
  it('leave it with the older one; the newer says whose it is (UT-03, W-03)', () => {
    const f = field();
    f.routing(older('existing-prod'));
    f.rest();
    f.routing(older('a-prod', 'prod', 5_000));
    f.rest();
    assert.equal(f.routingState('existing-prod').phase, 'Ready');
    assert.equal(f.routingState('a-prod').phase, 'Degraded');
    assert.equal(f.condition('CUDNCreated', 'a-prod'), 'False DuplicateNetwork');
    assert.match(f.message('CUDNCreated', 'a-prod'), /that of existing-prod already/);
    assert.equal(f.routingState('a-prod').finalizer, false, 'it has nothing to clean up');
  });

  it('leave the owner’s network untouched when the duplicate is deleted (W-02)', () => {
    const f = field();
    f.routing(older('first'));
    f.routing(older('second', 'prod', 1_000));
    f.rest();
    const before = f.object(CUDN, 'cluster-udn-prod');
    f.deleteRouting('second');
    f.rest();
    assert.equal(f.object(CUDN, 'cluster-udn-prod'), before);
    assert.equal(f.routingState('first').phase, 'Ready');
  });

  it('let the newer one have it when the older one’s network is gone', () => {
    const f = field();
    f.routing(older('first'));
    f.routing(older('second', 'prod', 1_000));
    f.rest();
    const { uid } = f.object(CUDN, 'cluster-udn-prod') ?? {};
    const held = ['k8s.ovn.org/user-defined-network-protection'];
    f.put(CUDN, 'cluster-udn-prod', { finalizers: held });
    f.deleteRouting('first');
    f.rest();
    assert.equal(f.object(CUDN, 'cluster-udn-prod')?.deleting, true);
    assert.equal(f.condition('CUDNCreated', 'second'), 'False DuplicateNetwork');
    assert.match(f.message('CUDNCreated', 'first'), /user-defined-network-protection holds it/);
    f.remove(CUDN, 'cluster-udn-prod');
    f.rest();
    assert.equal(f.routingState('second').phase, 'Ready');
    assert.ok(!f.routings.has('first'));
    assert.notEqual(f.object(CUDN, 'cluster-udn-prod')?.uid, uid);
    assert.ok(f.object('RouteAdvertisements', RA));
  });

  it('of different networks must not overlap: the newer is refused with the other’s name', () => {
    const f = field();
    f.namespace('app2', 'wide');
    f.routing(older('prod'));
    f.rest();
    f.routing(givenRouting('wide', { subnets: ['10.0.0.0/8', '2001:db8::/64'], createdMs: 0 }));
    f.rest();
    assert.equal(f.routingState('prod').phase, 'Ready', 'who runs keeps its subnets');
    assert.equal(f.condition('CUDNCreated', 'wide'), 'False SubnetOverlap');
    assert.match(f.message('CUDNCreated', 'wide'), /CUDNBgpRouting prod/);
    f.deleteRouting('prod');
    f.rest();
    assert.equal(f.routingState('wide').phase, 'Ready');
  });
});

describe('a CUDNBgpRouting that is deleted', () => {
  it('is withdrawn first, then its network goes, then its finalizer (W-70)', () => {
    const f = field();
    f.namespace('app2', 'second');
    f.routing(givenRouting());
    f.routing(givenRouting('second', { subnets: ['10.101.0.0/16'] }));
    f.rest();
    f.deleteRouting('prod');
    f.think();
    f.obey();
    assert.deepEqual(advertised(f), ['cluster-udn-second']);
    assert.ok(f.object(CUDN, 'cluster-udn-prod'), 'it is still there');
    assert.ok(f.routings.has('prod'));
    f.rest();
    assert.deepEqual(f.names(CUDN), ['cluster-udn-second']);
    assert.ok(!f.routings.has('prod'));
    assert.ok(f.object('RouteAdvertisements', RA), 'UT-06');
    assert.equal(f.routingState('second').phase, 'Ready');
  });

  it('takes the route advertisements with it when it was the last one (UT-05)', () => {
    const f = field();
    f.routing(givenRouting());
    f.rest();
    f.deleteRouting('prod');
    f.rest();
    assert.deepEqual([f.routings.size, f.names(CUDN), f.names('RouteAdvertisements')], [0, [], []]);
    assert.equal(f.think(), 0);
  });

  it('together with another one leaves no route advertisements (W-71)', () => {
    const f = field();
    f.namespace('app2', 'second');
    f.routing(givenRouting());
    f.routing(givenRouting('second', { subnets: ['10.101.0.0/16'] }));
    f.rest();
    f.deleteRouting('prod');
    f.deleteRouting('second');
    f.rest();
    assert.deepEqual([f.routings.size, f.names(CUDN), f.names('RouteAdvertisements')], [0, [], []]);
  });

  it('and made anew waits until the old network is gone (W-72)', () => {
    const f = field();
    f.routing(givenRouting());
    f.rest();
    f.put(CUDN, 'cluster-udn-prod', { finalizers: ['pods'] });
    f.deleteRouting('prod');
    f.rest();
    f.dropRouting('prod');
    f.routing(givenRouting('prod', { uid: 'uid-new' }));
    f.rest();
    assert.equal(f.condition('CUDNCreated', 'prod'), 'False Terminating');
    f.remove(CUDN, 'cluster-udn-prod');
    f.rest();
    assert.equal(f.routingState().phase, 'Ready');
  });

  it('without its finalizer leaves a network that is withdrawn and removed all the same', () => {
    const f = field();
    f.routing(givenRouting());
    f.rest();
    f.dropRouting('prod');
    f.rest();
    assert.deepEqual([f.names(CUDN), f.names('RouteAdvertisements')], [[], []]);
  });

  it('and one whose network was renamed leaves no network behind (W-04)', () => {
    const f = field();
    f.routing(givenRouting());
    f.rest();
    const routing = f.routings.get('prod');
    assert.ok(routing);
    f.namespace('app2', 'stage');
    f.routing({ ...routing, network: 'stage', generation: 2 });
    f.rest();
    assert.deepEqual(f.names(CUDN), ['cluster-udn-stage']);
  });
});

describe('objects that are changed by hand', () => {
  it('are wanted as before, and a network that terminates is made again when it is gone', () => {
    const f = field();
    f.routing(givenRouting());
    f.rest();
    const before = f.log.length;
    f.remove('RouteAdvertisements', RA);
    f.remove('FRRConfiguration', 'cudn-bgp-us-east-1a');
    f.remove(CUDN, 'cluster-udn-prod');
    f.rest();
    assert.deepEqual(advertised(f), ['cluster-udn-prod']);
    const told = f.log.slice(before).map(({ event }) => ('phase' in event ? event.phase : 'Ready'));
    assert.deepEqual(new Set(told), new Set(['Ready']), 'nobody is told of it');
  });
});
