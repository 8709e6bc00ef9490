/** How `sluice rehearse` complains about a file that it cannot play. */
import assert from 'node:assert/strict';
import { Failure } from '../cli/failure.ts';
import { rehearse } from '../cli/rehearse/rehearse.ts';

const cluster = `nodes:
  worker-1: { address: 10.0.1.11/24, labels: { k8s.ovn.org/egress-assignable: '' } }
egressips:
  web: { addresses: [10.0.1.100] }
---
`;

/** The complaint about a rehearsal that cannot be played. */
async function complaint(text: string): Promise<string> {
  try {
    await rehearse(text, { file: 'story.yaml', print: () => undefined });
  } catch (error) {
    assert.ok(error instanceof Failure);
    assert.equal(error.exitCode, 64);
    return error.message;
  }
  return assert.fail('there was no complaint');
}

describe('a rehearsal', () => {
  const complaints: readonly (readonly [string, string, string])[] = [
    [
      'a node that was never defined',
      'expect: { status: { web: { 10.0.1.100: worker-9 } } }',
      '6:40: node "worker-9" is not defined above; did you mean "worker-1"?',
    ],
    ['an unknown verb', 'lable: {}', '6:1: a step has no "lable"; did you mean "label"?'],
    [
      'an unknown object',
      'delete: egressip/wep',
      '6:9: egressip "wep" is not defined above; did you mean "web"?',
    ],
    ['a time without unit', 'advance: 5', '6:10: advance is a time such as 10s, 250ms, 5m or 1h'],
    [
      'an unknown room',
      'restart: asigner',
      '6:10: there is no room "asigner"; did you mean "assigner"?',
    ],
    [
      'an object of another kind',
      'kind: Pod',
      '6:1: objects of kind "Pod" play no part here; Node and EgressIP do',
    ],
    [
      'what the API server would refuse',
      'apply: { kind: EgressIP, metadata: { name: x }, spec: { egressIPs: [1.2.3.4] } }',
      '6:8: egressip x is invalid: spec.namespaceSelector: Required value',
    ],
    [
      'an address without prefix',
      'nodes: { n: { address: 10.0.0.1 } }',
      '6:24: "10.0.0.1" is no address with its prefix, such as 10.0.1.11/24',
    ],
    ['what is gone when it is its turn', 'delete: [web, web]', '6:15: egressips "web" not found'],
    ['settings that come late', 'settings: {}', '6:1: settings stand in the first document'],
  ];
  for (const [what, line, message] of complaints) {
    it(`names line, column and a hint for ${what}`, async () => {
      assert.equal(await complaint(`${cluster}${line}\n`), `rehearse: story.yaml:${message}`);
    });
  }

  it('complains about a file that is no YAML, no mapping, or empty', async () => {
    assert.match(await complaint('a: ['), /^rehearse: story\.yaml:\d+:\d+: /);
    assert.match(await complaint('- a'), /1:1: a document is a mapping, got a list/);
    assert.match(await complaint('# nothing\n'), /1:1: there is nothing in it/);
  });
});
