/** What would place an address: changes that are proved to suffice. */
import assert from 'node:assert/strict';
import type { Fact } from '../../core/fact.ts';
import { explain } from '../../services/assigner/explain.ts';
import { changes, explained, IP, onProduction, production, verdicts } from './explained.ts';
import { egressIP, node, probe, Scene, seen, synced } from './scene.ts';

/** The node after these facts, '' for none: the judge of whether a change suffices. */
function homeAfter(scene: Scene, facts: readonly Fact[], name = 'web', address = IP): string {
  scene.see(...facts);
  return scene.picture.world.claims.get(name)?.homes.get(address)?.node ?? '';
}

describe('what would place an egress IP', () => {
  const stuck = (): Scene =>
    new Scene().see(
      synced(),
      seen(node('worker-1', 1)),
      seen(node('worker-2', 2, production, { ready: false })),
      seen(node('worker-3', 3, {}, { ready: false })),
      egressIP('web', [IP], onProduction),
    );

  it('lists single changes only: a node that lacks two things is not among them', () => {
    assert.deepEqual(changes(explained(stuck())), [
      'worker-2 becomes ready',
      'worker-1 gets tier=production',
    ]);
  });

  it('is true: the node that becomes ready takes it', () => {
    assert.equal(homeAfter(stuck(), [seen(node('worker-2', 2, production))]), 'worker-2');
  });

  it('is true: the node that gets the label takes it', () => {
    assert.equal(homeAfter(stuck(), [seen(node('worker-1', 1, production))]), 'worker-1');
  });

  it('tells that a node which is not probed now must also answer', () => {
    const scene = new Scene().see(
      synced('grpc'),
      seen(node('worker-1', 1)),
      seen(node('worker-2', 2, production)),
      probe('worker-2', false),
      egressIP('web', [IP], onProduction),
    );
    assert.deepEqual(changes(explained(scene)), [
      'worker-2 answers its probe',
      'worker-1 gets tier=production and answers its probe',
    ]);
    assert.equal(homeAfter(scene, [probe('worker-2', true)]), 'worker-2');
  });

  it('knows selectors of every operator', () => {
    const selector = {
      matchLabels: { tier: 'production' },
      matchExpressions: [
        { key: 'zone', operator: 'In', values: ['a', 'b'] },
        { key: 'gateway', operator: 'Exists', values: [] },
        { key: 'old', operator: 'DoesNotExist', values: [] },
        { key: 'gpu', operator: 'NotIn', values: ['yes'] },
      ],
    };
    const scene = new Scene().see(
      synced(),
      seen(node('worker-1', 1, { old: 'x', gpu: 'yes' })),
      egressIP('web', [IP], selector),
    );
    assert.deepEqual(changes(explained(scene)), [
      'worker-1 gets tier=production and gets zone=a and gets gateway and loses old and loses gpu',
    ]);
    const labels = { tier: 'production', zone: 'a', gateway: '' };
    assert.equal(homeAfter(scene, [seen(node('worker-1', 1, labels))]), 'worker-1');
  });

  it('is nothing where a selector contradicts itself', () => {
    const never = {
      matchLabels: { tier: 'a' },
      matchExpressions: [{ key: 'tier', operator: 'In', values: ['b'] }],
    };
    const scene = new Scene().see(
      synced(),
      seen(node('worker-1', 1)),
      egressIP('web', [IP], never),
    );
    assert.deepEqual(changes(explained(scene)), []);
  });

  it('offers no node that the sibling would take: the first of the spec comes first', () => {
    const first = '203.0.113.99';
    const scene = new Scene().see(
      synced(),
      seen(node('worker-1', 1, production, { ready: false })),
      egressIP('web', [first, IP], onProduction),
    );
    assert.deepEqual(changes(explained(scene, 'web', first)), ['worker-1 becomes ready']);
    assert.deepEqual(changes(explained(scene, 'web', IP)), []);
  });

  it('offers another node where every one has a sibling', () => {
    const scene = new Scene().see(
      synced(),
      seen(node('worker-1', 1, production)),
      seen(node('worker-2', 2)),
      egressIP('web', ['203.0.113.99', IP], onProduction),
    );
    const explanation = explained(scene);
    assert.equal(explanation.words, 'SiblingsEverywhere (1 available)');
    assert.deepEqual(verdicts(explanation), [
      'worker-1: hosts 203.0.113.99 of the same EgressIP',
      'worker-2: does not match tier=production',
    ]);
    assert.deepEqual(changes(explanation), ['worker-2 gets tier=production']);
    assert.equal(homeAfter(scene, [seen(node('worker-2', 2, production))]), 'worker-2');
  });

  it('is the end of a conflict with a host address', () => {
    const own = { 'k8s.ovn.org/host-cidrs': JSON.stringify(['203.0.113.2/24', `${IP}/24`]) };
    const plain = node('worker-2', 2, production);
    const conflicting = { ...plain, annotations: { ...plain.annotations, ...own } };
    const scene = new Scene().see(
      synced(),
      seen(node('worker-1', 1, production)),
      seen(conflicting),
      egressIP('web', [IP], onProduction),
    );
    const explanation = explained(scene);
    assert.equal(explanation.words, 'HostConflict (worker-2)');
    assert.equal(explanation.because, 'it is a host address of worker-2');
    assert.deepEqual(changes(explanation), [`worker-2 has ${IP} as a host address no more`]);
    assert.equal(homeAfter(scene, [seen(plain)]), 'worker-1');
  });

  it('is the release by the EgressIP that holds the address', () => {
    const scene = new Scene()
      .see(synced(), seen(node('worker-1', 1, production)), egressIP('old', [IP], onProduction))
      .see(egressIP('web', [IP], onProduction));
    const explanation = explained(scene);
    assert.equal(explanation.words, 'HeldByOther (old)');
    assert.equal(explanation.because, 'EgressIP old holds it on worker-1');
    assert.deepEqual(changes(explanation), ['old lets it go']);
    assert.equal(homeAfter(scene, [egressIP('old', [], onProduction)]), 'worker-1');
  });

  it('costs the same for each node, however many there are', () => {
    const nodes = Array.from({ length: 1_000 }, (_, index) => seen(node(`worker-${index}`, 7)));
    const scene = new Scene().see(synced(), ...nodes, egressIP('web', [IP], onProduction));
    const { picture } = scene;
    const claim = picture.world.claims.get('web');
    assert.ok(claim);
    const startMs = performance.now();
    const { help } = explain(picture, claim, IP);
    assert.equal(help.length, 1_000);
    const tookMs = performance.now() - startMs;
    assert.ok(tookMs < 5_000, `${tookMs} ms; trying each in the whole cluster takes 10 s`);
  });
});
