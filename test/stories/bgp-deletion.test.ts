/** How a CUDNBgpConfig ends. */
import assert from 'node:assert/strict';
import { Field } from '../bgp/field.ts';
import { givenConfig, givenRouting, zones3 } from '../bgp/givens.ts';

function running(): Field {
  const field = Field.withNodes('abc');
  field.config(givenConfig());
  for (const [index, network] of ['prod', 'second', 'third'].entries()) {
    field.namespace(`app-${network}`, network);
    if (index < 2) field.routing(givenRouting(network, { subnets: [`10.${100 + index}.0.0/16`] }));
  }
  field.rest();
  return field;
}

describe('a CUDNBgpConfig that is deleted', () => {
  it('waits for routings and says which (UT-02, W-73)', () => {
    const field = running();
    field.deleteConfig();
    field.rest();
    assert.equal(field.configState().finalizer, true);
    assert.equal(field.condition('DeletionBlocked'), 'True RoutingCRsExist');
    assert.match(field.message('DeletionBlocked'), /: prod, second$/);
    assert.equal(field.names('FRRConfiguration').length, 3);
  });

  it('goes on with repairs meanwhile, and serves no new routing', () => {
    const field = running();
    field.deleteConfig();
    field.rest();
    field.remove('FRRConfiguration', 'cudn-bgp-us-east-1b');
    field.routing(givenRouting('third', { subnets: ['10.102.0.0/16'] }));
    field.rest();
    assert.equal(field.names('FRRConfiguration').length, 3);
    assert.equal(field.routingState('third').phase, 'Pending');
    assert.match(field.message('CUDNCreated', 'third'), /is being deleted/);
  });

  it('removes its FRRConfigurations once no routing is left, then lets go (E2E-04)', () => {
    const field = running();
    field.deleteConfig();
    field.rest();
    field.deleteRouting('prod');
    field.deleteRouting('second');
    field.rest();
    assert.equal(field.configs.size, 0);
    assert.deepEqual(field.names('FRRConfiguration'), []);
    assert.deepEqual([...field.sessions], []);
    assert.ok(field.object('Network', 'cluster')?.spec.includes('FRR'), 'the patch stays');
    assert.equal(field.world.objectsDecided.get('Network/cluster')?.want, 'untouched');
    assert.equal(field.think(), 0);
  });

  it('waits until its FRRConfigurations are gone', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: zones3.slice(0, 1) }));
    field.rest();
    field.put('FRRConfiguration', 'cudn-bgp-us-east-1a', { finalizers: ['somebody'] });
    field.deleteConfig();
    field.rest();
    assert.equal(field.condition('DeletionBlocked'), 'True FRRConfigurationsExist');
    assert.equal(field.configState().phase, 'Configuring');
    field.routing(givenRouting('late'));
    field.rest();
    assert.equal(field.condition('DeletionBlocked'), 'True FRRConfigurationsExist', 'no way back');
    field.remove('FRRConfiguration', 'cudn-bgp-us-east-1a');
    field.rest();
    assert.equal(field.configs.size, 0);
    assert.equal(field.routingState('late').phase, 'Pending');
  });

  it('has nothing to clean up where frr-k8s is not served any more (W-77)', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: zones3.slice(0, 1) }));
    field.rest();
    field.tell({ kind: 'KindSeen', plural: 'frrconfigurations', served: false });
    field.deleteConfig();
    field.rest();
    assert.equal(field.configs.size, 0);
  });

  it('without its finalizer leaves no FRRConfiguration behind, once none is needed', () => {
    const field = running();
    field.configs.clear();
    field.tell({ kind: 'BgpConfigGone', name: 'cluster', uid: 'uid-config' });
    field.rest();
    assert.equal(field.names('FRRConfiguration').length, 3, 'routings still need them');
    assert.equal(field.routingState('prod').phase, 'Ready');
    field.deleteRouting('prod');
    field.deleteRouting('second');
    field.rest();
    assert.deepEqual(field.names('FRRConfiguration'), []);
  });

  it('leaves nothing behind for a routing of which nothing came about', () => {
    const field = Field.withNodes('abc');
    field.config(givenConfig());
    field.rest();
    assert.equal(field.names('FRRConfiguration').length, 3);
    field.routing(givenRouting('late'));
    field.rest();
    assert.equal(field.routingState('late').phase, 'Degraded', 'its namespace is missing');
    field.configs.clear();
    field.tell({ kind: 'BgpConfigGone', name: 'cluster', uid: 'uid-config' });
    field.rest();
    assert.deepEqual(field.names('FRRConfiguration'), []);
  });
});

describe('a CUDNBgpConfig with AWS', () => {
  const aws = {
    ...{ region: 'us-east-1', routeServerIDs: ['rs-1'], adoptionPolicy: 'IfMatches' },
    ...{ sourceDestCheckScope: 'RouterNodes', restoreSourceDestCheck: false },
  };
  const group = (letter: string, address: string) => ({
    ...{ key: `us-east-1${letter}`, zone: `us-east-1${letter}`, nodes: [], localASN: 65001 },
    ...{ neighbors: [{ address, remoteASN: 64512 }], livenessDetection: 'bgp-keepalive' },
  });
  const judged = (phase: 'Ready' | 'Degraded' | 'Configuring', released = false) => ({
    ...{ kind: 'AwsJudged' as const, name: 'cluster', uid: 'uid-config', generation: 1, phase },
    ...{ conditions: [], status: '', released, notices: [] },
  });
  const groups = [group('a', '10.0.1.47'), group('b', '10.0.2.91')];

  it('makes its FRRConfigurations from what AWS offers, and waits for both halves', () => {
    const field = Field.withNodes('ab');
    field.config(givenConfig({ zones: [], aws }));
    field.rest();
    assert.equal(field.condition('FRRConfigurationApplied'), 'Unknown WaitingForNeighbors');
    assert.equal(field.condition('SessionsEstablished'), 'Unknown WaitingForNeighbors');
    field.tellAws({ kind: 'NeighborsSeen', uid: 'uid-config', groups });
    field.rest();
    assert.deepEqual(field.names('FRRConfiguration'), [
      'cudn-bgp-us-east-1a',
      'cudn-bgp-us-east-1b',
    ]);
    assert.equal(field.configState().phase, 'Configuring', 'AWS was not judged yet');
    field.tellAws(judged('Ready'));
    field.rest();
    assert.equal(field.configState().phase, 'Ready');
    field.tellAws(judged('Degraded'));
    field.rest();
    assert.equal(field.configState().phase, 'Degraded');
  });

  it('ignores what AWS offered to an object before it, and an empty picture', () => {
    const field = Field.withNodes('ab');
    field.config(givenConfig({ zones: [], aws }));
    field.tellAws({ kind: 'NeighborsSeen', uid: 'another', groups });
    field.rest();
    assert.deepEqual(field.names('FRRConfiguration'), []);
    field.tellAws({ kind: 'NeighborsSeen', uid: 'uid-config', groups });
    field.rest();
    field.tellAws({ kind: 'NeighborsSeen', uid: 'uid-config', groups: [] });
    field.rest();
    assert.equal(field.names('FRRConfiguration').length, 2, 'nothing is pruned');
  });

  it('selects nodes by name where a zone has several subnets', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: [], aws }));
    const sub = { ...group('a', '10.0.1.47'), key: 'us-east-1a/subnet-1', nodes: ['worker-a'] };
    field.tellAws({ kind: 'NeighborsSeen', uid: 'uid-config', groups: [sub] });
    field.think();
    const decided = [...field.world.objectsDecided.values()].find(
      ({ object }) => object === 'FRRConfiguration',
    );
    assert.match(decided?.name ?? '', /^cudn-bgp-us-east-1a-subnet-1/);
    assert.match(
      decided?.spec ?? '',
      /"kubernetes.io\/hostname","operator":"In","values":\["worker-a"\]/,
    );
  });

  it('removes FRRConfigurations first, then waits until AWS is released', () => {
    const field = Field.withNodes('ab');
    field.config(givenConfig({ zones: [], aws }));
    field.tellAws({ kind: 'NeighborsSeen', uid: 'uid-config', groups });
    field.tellAws(judged('Ready'));
    field.rest();
    field.deleteConfig();
    field.rest();
    assert.deepEqual(field.names('FRRConfiguration'), []);
    assert.equal(field.condition('DeletionBlocked'), 'True AWSResourcesExist');
    field.tellAws(judged('Configuring', true));
    field.rest();
    assert.equal(field.configs.size, 0);
  });
});
