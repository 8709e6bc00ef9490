/** Who gets a network that several want: the older one, whatever was heard of first. */
import assert from 'node:assert/strict';
import type { BgpRouting } from '../../core/bgp-fact.ts';
import { Field, ROUTING_FINALIZER } from './field.ts';
import { givenConfig, givenRouting, NOW_MS, zones3 } from './givens.ts';

const first = givenRouting('a', { network: 'prod' });
const second = givenRouting('b', { network: 'prod', subnets: ['10.200.0.0/16'] });

/** Nothing is made yet: the config waits for FRR. */
function waiting(): Field {
  const field = new Field();
  field.serve();
  field.addNode('worker-a', 'a', false);
  field.config(givenConfig({ zones: zones3.slice(0, 1) }));
  field.namespace('app', 'prod');
  field.rest();
  return field;
}

function heard(field: Field, ...routings: readonly BgpRouting[]): Field {
  for (const routing of routings) {
    field.routing(routing);
    field.rest();
  }
  return field;
}

describe('a network that two CUDNBgpRoutings of the same second want', () => {
  it('goes to the first by name while none has it, whichever was heard of first', () => {
    for (const order of [
      [first, second],
      [second, first],
    ]) {
      const field = heard(waiting(), ...order);
      assert.equal(field.condition('CUDNCreated', 'b'), 'False DuplicateNetwork');
      assert.equal(field.condition('CUDNCreated', 'a'), 'Unknown WaitingForConfig');
      field.pod('worker-a', true);
      field.rest();
      assert.equal(field.routingState('a').phase, 'Ready');
      assert.deepEqual(field.routings.get('b')?.finalizers, []);
    }
  });

  it('stays with the one whose network is there, also when the log was lost', () => {
    const field = heard(waiting(), second);
    field.pod('worker-a', true);
    field.rest();
    heard(field, first);
    assert.equal(field.routingState('b').phase, 'Ready');
    assert.deepEqual(field.routings.get('b')?.finalizers, [ROUTING_FINALIZER]);
    field.log = field.log.filter(({ stream }) => stream !== 'bgp');
    field.restart();
    field.rest();
    assert.equal(field.routingState('b').phase, 'Ready');
    assert.equal(field.condition('CUDNCreated', 'a'), 'False DuplicateNetwork');
  });
});

describe('a CUDNBgpRouting that is no use', () => {
  const wrong = givenRouting('a', {
    network: 'prod',
    subnets: ['10.0.0.1'],
    createdMs: NOW_MS - 1,
  });

  it('keeps no network from a younger one, and is told its own fault', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: zones3.slice(0, 1) }));
    field.namespace('app', 'prod');
    heard(field, wrong, second);
    assert.equal(field.condition('CUDNCreated', 'a'), 'False InvalidSubnet');
    assert.equal(field.routingState('b').phase, 'Ready');
    field.routing({ ...wrong, subnets: ['10.1.0.0/16'], generation: 2 });
    field.rest();
    assert.equal(field.condition('CUDNCreated', 'a'), 'False DuplicateNetwork', 'b has it');
  });

  it('is told its own fault where the network is another one’s, too', () => {
    const field = heard(waiting(), second, { ...wrong, createdMs: NOW_MS + 1 });
    assert.equal(field.condition('CUDNCreated', 'a'), 'False InvalidSubnet');
  });

  it('keeps its network when it had one, until that is gone', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: zones3.slice(0, 1) }));
    field.namespace('app', 'prod');
    heard(field, first, second, { ...first, subnets: ['none'], generation: 2 });
    assert.equal(field.condition('CUDNCreated', 'a'), 'False InvalidSubnet');
    assert.equal(field.condition('CUDNCreated', 'b'), 'False DuplicateNetwork');
    assert.deepEqual(field.names('ClusterUserDefinedNetwork'), ['cluster-udn-prod']);
  });

  it('with two subnets of one family is told so', () => {
    const twice = givenRouting('a', { subnets: ['10.1.0.0/16', '10.2.0.0/16'] });
    const field = heard(waiting(), twice);
    assert.match(field.message('CUDNCreated', 'a'), /one family/);
  });

  it('keeps the addresses that its network runs with from everybody else', () => {
    for (const subnets of [['none'], ['10.1.0.0/16']]) {
      const field = Field.withNodes('a');
      field.config(givenConfig({ zones: zones3.slice(0, 1) }));
      field.namespace('app', 'prod');
      field.namespace('other', 'stage');
      const running = givenRouting('a', { network: 'prod', subnets: ['10.2.0.0/16'] });
      const other = givenRouting('c', { network: 'stage', subnets: ['10.2.128.0/20'] });
      heard(field, running, { ...running, subnets, generation: 2 }, other);
      assert.equal(field.condition('CUDNCreated', 'c'), 'False SubnetOverlap');
      assert.deepEqual(field.names('ClusterUserDefinedNetwork'), ['cluster-udn-prod']);
    }
  });
});
