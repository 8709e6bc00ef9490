/** Whether sessions are established, and what that means for the phase. */
import assert from 'node:assert/strict';
import { Field } from '../bgp/field.ts';
import { givenConfig, zones3 } from '../bgp/givens.ts';

const peers = (from: number, to: number): string[] =>
  zones3.slice(from, to).flatMap(({ neighbors }) => neighbors.map(({ address }) => address));

const deaf = (field: Field, addresses: readonly string[]): void => {
  for (const address of addresses) field.deaf.add(address);
};

const ready = (letters = 'abc'): Field => {
  const field = Field.withNodes(letters);
  field.config(givenConfig({ zones: zones3.slice(0, letters.length) }));
  field.rest();
  return field;
};

describe('sessions', () => {
  it('keep a new config Configuring until one is established, Degraded after five minutes', () => {
    const field = Field.withNodes('abc');
    deaf(field, peers(0, 3));
    field.config(givenConfig());
    field.rest();
    assert.equal(field.condition('FRRConfigurationApplied'), 'True Applied');
    assert.equal(field.condition('SessionsEstablished'), 'False SessionsDown');
    field.pass(299_000);
    assert.equal(field.configState().phase, 'Configuring');
    field.pass(1_000);
    assert.equal(field.configState().phase, 'Degraded');
    field.deaf.delete('10.0.1.47');
    field.rest();
    field.rest();
    assert.equal(field.configState().wasReady, true);
  });

  it('are named node by neighbor where they are down; one dead neighbor blocks nothing', () => {
    const field = ready();
    deaf(field, ['10.0.1.47']);
    field.rest();
    assert.equal(field.condition('SessionsEstablished'), 'False SessionsDown');
    assert.equal(
      field.message('SessionsEstablished'),
      '5 of 6 sessions established; worker-a to 10.0.1.47 is down',
    );
    field.pass(600_000);
    assert.equal(field.configState().phase, 'Ready');
  });

  it('of a zone that are all down for a minute make the config Degraded, and it recovers', () => {
    const field = ready();
    deaf(field, peers(1, 2));
    field.rest();
    field.pass(59_000);
    assert.equal(field.configState().phase, 'Ready');
    field.pass(1_000);
    assert.equal(field.configState().phase, 'Degraded');
    assert.equal(field.condition('SessionsEstablished'), 'False ZoneDown');
    assert.match(
      field.message('SessionsEstablished'),
      /^no session for a minute in us-east-1b; 4 of/,
    );
    field.deaf.clear();
    field.rest();
    assert.equal(field.configState().phase, 'Ready');
  });

  it('that were down before a restart are not counted anew after it', () => {
    const field = ready();
    deaf(field, peers(1, 2));
    field.rest();
    field.pass(40_000);
    field.restart();
    assert.equal(field.think(), 0, 'a restart says nothing');
    field.pass(20_000);
    assert.equal(field.configState().phase, 'Degraded');
  });

  it('have the same text while a neighbor that is silent goes from Idle to Active', () => {
    const field = ready('a');
    deaf(field, ['10.0.1.47']);
    field.rest();
    const session = { uid: 'uid-worker-a-10.0.1.47', node: 'worker-a', peer: '10.0.1.47', vrf: '' };
    const name = 'worker-a-10-0-1-47';
    field.tell({
      kind: 'SessionSeen',
      session: { ...session, name, bgpStatus: 'Idle', bfdStatus: '' },
    });
    assert.equal(field.think(), 0);
  });

  it('of a node whose FRR died are not believed', () => {
    const field = ready();
    field.pod('worker-b', false);
    field.rest();
    assert.equal(field.condition('SessionsEstablished'), 'False SessionsDown');
    assert.match(
      field.message('SessionsEstablished'),
      /worker-b to 10.0.2.91 is not known, FRR is not/,
    );
    assert.match(field.message('FRRNamespaceReady'), /2 of 3 router nodes, but not on worker-b/);
  });

  it('of a node that is gone are not wanted', () => {
    const field = ready('ab');
    field.nodes.delete('worker-b');
    field.tell({ kind: 'NodeGone', name: 'worker-b', uid: 'uid-worker-b' });
    field.think();
    assert.equal(field.message('SessionsEstablished'), '2 sessions established');
  });

  it('that were born a moment ago without a status count as not reported', () => {
    const field = ready('a');
    const session = { uid: 'u', node: 'worker-a', peer: '10.0.1.47', vrf: '', bfdStatus: '' };
    field.tell({ kind: 'SessionSeen', session: { ...session, name: 'dup', bgpStatus: '' } });
    assert.equal(field.think(), 0, 'a double without a status changes nothing');
  });
});
