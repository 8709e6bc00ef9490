/** What is told as Kubernetes Events, in the tail and to Prometheus. */
import assert from 'node:assert/strict';
import type { Notice } from '../../core/notice.ts';
import { Field } from '../bgp/field.ts';
import { givenConfig, givenRouting, zones3 } from '../bgp/givens.ts';

/** All notices since, each as `Warning Degraded: …`. */
function notices(field: Field, from = 0): string[] {
  const told = field.log
    .slice(from)
    .flatMap(({ event }): readonly Notice[] => ('notices' in event ? event.notices : []));
  return told.map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
}

function running(): Field {
  const field = Field.withNodes('ab');
  field.config(givenConfig({ zones: zones3.slice(0, 2) }));
  field.namespace('app1', 'prod');
  field.routing(givenRouting());
  field.rest();
  return field;
}

describe('events of BGP routing', () => {
  it('tell of the way to Ready, and nothing more', () => {
    const told = notices(running());
    assert.deepEqual(
      told.filter((text) => text.startsWith('Warning')),
      [],
    );
    const ready = told.filter((text) => text.startsWith('Normal Ready'));
    assert.equal(ready.length, 2, 'the config and the routing');
    assert.ok(told.some((text) => /^Normal Pending: .*WaitingForConfig/.test(text)));
  });

  it('tell once that a zone went down, with its name, and once that it is back', () => {
    const field = running();
    const from = field.log.length;
    for (const { address } of zones3[1]!.neighbors) field.deaf.add(address);
    field.rest();
    field.pass(120_000);
    field.deaf.clear();
    field.rest();
    const told = notices(field, from).map((text) => text.replace(/;.*/, ''));
    assert.deepEqual(told, [
      'Warning Ready: SessionsEstablished is False (SessionsDown): 2 of 4 sessions established',
      'Warning Degraded: SessionsEstablished is False (ZoneDown): ' +
        'no session for a minute in us-east-1b',
      'Normal Ready: everything is as it should be',
    ]);
  });

  it('tell whose network it is, on the duplicate alone', () => {
    const field = running();
    const from = field.log.length;
    field.routing(givenRouting('twin', { network: 'prod', createdMs: field.nowMs + 1 }));
    field.rest();
    assert.deepEqual(notices(field, from), [
      'Warning Degraded: CUDNCreated is False (DuplicateNetwork): ' +
        'network prod is that of prod already',
    ]);
  });

  it('tell that a config waits for routings, once', () => {
    const field = running();
    const from = field.log.length;
    field.deleteConfig();
    field.rest();
    field.remove('FRRConfiguration', 'cudn-bgp-us-east-1a');
    field.rest();
    assert.deepEqual(notices(field, from), ['Normal Deleting: 1 CUDNBgpRouting left: prod']);
  });

  it('are not repeated by a restart', () => {
    const field = running();
    const from = field.log.length;
    field.restart();
    field.rest();
    assert.deepEqual(notices(field, from), []);
  });
});

describe('readings of BGP routing', () => {
  it('count sessions by zone, routings by phase, and claims', () => {
    const field = running();
    field.deaf.add('10.0.2.91');
    field.routing(givenRouting('twin', { network: 'prod', createdMs: field.nowMs + 1 }));
    field.rest();
    const texts = [...(field.room.readings?.(field.world) ?? [])].map(
      ({ name, value, labels = {} }) => `${name} ${Object.values(labels).join()} ${value}`,
    );
    assert.deepEqual(texts, [
      'bgp_sessions_wanted us-east-1a 2',
      'bgp_sessions_established us-east-1a 2',
      'bgp_sessions_wanted us-east-1b 2',
      'bgp_sessions_established us-east-1b 1',
      'bgp_routings Pending 0',
      'bgp_routings Configuring 0',
      'bgp_routings Ready 1',
      'bgp_routings Degraded 1',
      'bgp_claims  1',
    ]);
  });

  it('are none where nobody uses it', () => {
    const field = Field.withNodes('a');
    field.think();
    const values = [...(field.room.readings?.(field.world) ?? [])].map(({ value }) => value);
    assert.deepEqual(new Set(values), new Set([0]));
  });
});

describe('what bgp says', () => {
  it('follows from facts that it names', () => {
    const field = running();
    field.routing(givenRouting('twin', { network: 'prod', createdMs: field.nowMs + 1 }));
    const { length } = field.log;
    const { says } = field.room.decide(field.world);
    const all = [...says, ...field.room.decide(field.world).says];
    assert.deepEqual(all.at(-1)?.causes, [{ stream: 'watcher', sequence: length }]);
    assert.match(all.at(-1)?.said ?? '', /^Degraded: CUDNCreated is False \(DuplicateNetwork\)/);
  });
});
