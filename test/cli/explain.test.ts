/** Why an address is where it is: each rule by name. */
import assert from 'node:assert/strict';
import { changes, explained, IP, onProduction, production, verdicts } from './explained.ts';
import { egressIP, node, probe, Scene, seen, synced } from './scene.ts';

/** Annotations of a node that lives in another network. */
const elsewhere = {
  ...node('worker-4', 4).annotations,
  'k8s.ovn.org/node-primary-ifaddr': JSON.stringify({ ipv4: '192.0.2.4/24' }),
  'k8s.ovn.org/host-cidrs': JSON.stringify(['192.0.2.4/24']),
};

describe('why an egress IP has no node', () => {
  it('names for each node the rule that refuses it', () => {
    const scene = new Scene().see(
      synced('grpc'),
      seen(node('worker-1', 1)),
      seen(node('worker-2', 2, production, { ready: false })),
      seen(node('worker-3', 3, production)),
      probe('worker-3', false),
      seen(node('worker-4', 4, production, { annotations: elsewhere })),
      probe('worker-4', true),
      seen(node('worker-10', 10, production, { annotations: {} })),
      egressIP('web', [IP], onProduction),
    );
    assert.deepEqual(verdicts(explained(scene)), [
      'worker-1: does not match tier=production',
      'worker-2: not ready',
      'worker-3: unreachable (port 9107 silent for 3 probes)',
      `worker-4: has no network that contains ${IP}`,
      'worker-10: not infrastructure-ready (k8s.ovn.org/node-primary-ifaddr is absent)',
    ]);
  });

  it('counts the matching nodes by what is amiss with them', () => {
    const scene = new Scene().see(
      synced('grpc'),
      seen(node('worker-2', 2, production, { ready: false })),
      seen(node('worker-3', 3, production)),
      probe('worker-3', false),
      egressIP('web', [IP], onProduction),
    );
    const { words, because } = explained(scene);
    assert.equal(words, 'NoAvailableNode (1 not ready, 1 unreachable)');
    assert.equal(
      because,
      '2 nodes match tier=production: worker-2 is not ready, worker-3 is unreachable',
    );
  });

  it('blames no node for a selector that cannot be read', () => {
    const broken = {
      matchLabels: {},
      matchExpressions: [{ key: 'tier', operator: 'Near', values: ['x'] }],
    };
    const scene = new Scene().see(
      synced(),
      seen(node('worker-1', 1)),
      egressIP('web', [IP], broken),
    );
    const { nodes, help, words } = explained(scene);
    assert.deepEqual([nodes, help], [[], []]);
    assert.equal(words, 'InvalidSelector (tier: "Near" is no operator)');
  });

  it('says that a text is no address', () => {
    const scene = new Scene().see(synced(), egressIP('web', ['203.0.113.300'], onProduction));
    const { words, because } = explained(scene, 'web', '203.0.113.300');
    assert.deepEqual([words, because], ['InvalidAddress', 'it is no IP address']);
  });

  it('says that it waits for the first probe of a new node', () => {
    const scene = new Scene().see(
      synced('grpc'),
      seen(node('worker-1', 1, production)),
      egressIP('web', [IP], onProduction),
    );
    const explanation = explained(scene);
    assert.equal(explanation.because, 'it waits for the first probe of 1 node');
    assert.deepEqual(changes(explanation), ['worker-1 answers its probe']);
  });

  it('says where the rules put it when the assigner sleeps', () => {
    const scene = new Scene()
      .see(synced(), egressIP('web', [IP], onProduction))
      .seeUndecided(seen(node('worker-1', 1, production)));
    const { soon, help } = explained(scene);
    assert.deepEqual([soon, help], ['worker-1', []]);
  });
});
