/** The double of frr-k8s' daemons on a real API server. */
import assert from 'node:assert/strict';
import { type Seen, Watched } from '../cluster/watched.ts';
import type { Api } from '../controlplane/api.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { applyPlatformCrds } from '../controlplane/crd.ts';
import { eventually } from '../controlplane/wait.ts';
import { type FrrDouble, openFrr } from './daemon.ts';
import {
  type FrrConfiguration,
  frrConfiguration,
  frrConfigurations,
  frrPods,
  type Neighbor,
  sessionStates,
} from './objects.ts';

interface SessionState extends Seen {
  readonly metadata: Seen['metadata'] & {
    readonly labels: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly { readonly uid: string }[];
  };
  readonly status?: {
    readonly node: string;
    readonly peer: string;
    readonly bgpStatus: string;
    readonly bfdStatus: string;
  };
}

const soon = { withinMs: 20_000 };
const neighbor = (address: string, fields: Partial<Neighbor> = {}): Neighbor => ({
  address,
  asn: 64512,
  ...fields,
});
const zone = (name: string, ...neighbors: readonly Neighbor[]): FrrConfiguration =>
  frrConfiguration(`zone-${name}`, {
    nodeSelector: { matchLabels: { zone: name } },
    bgp: { bfdProfiles: [{ name: 'fast' }], routers: [{ asn: 65001, neighbors }] },
  });

describe('the double of frr-k8s on the nodes', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let api: Api;
  let frr: FrrDouble;
  let states: Watched<SessionState>;
  before(async () => {
    plane = await startControlPlane({
      nats: false,
      crd: 'none',
      platform: ['frrconfigurations'],
    });
    ({ api } = plane);
    for (const [name, label] of [
      ['worker-1', 'a'],
      ['worker-2', 'a'],
      ['worker-3', 'b'],
    ] as const)
      await api.apply({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: { zone: label } },
      });
    frr = await openFrr(plane, { duplicates: true });
    for (const node of ['worker-1', 'worker-2', 'worker-3']) await frr.pod(node);
  });
  after(async () => {
    states?.stop();
    await frr?.stop();
    await plane?.stop();
  });

  /** `worker-1 10.0.1.47 Established`, in order. */
  const told = (): string[] =>
    [...states.objects.values()]
      .map(({ status }) => `${status?.node} ${status?.peer} ${status?.bgpStatus}`)
      .sort();
  const tells = (...wanted: string[]): Promise<unknown> =>
    eventually(
      `the sessions are ${wanted.join(', ')}`,
      { ...soon, detail: () => `: ${told().join(', ')}` },
      () => JSON.stringify(told()) === JSON.stringify(wanted),
    );
  const apply = (config: FrrConfiguration): Promise<unknown> => api.apply({ ...config });

  it('has pods that are Ready, and waits for kinds that come later', async () => {
    const list = await api.get(`${frrPods}?labelSelector=app%3Dfrr-k8s`);
    assert.equal(list.items.length, 3);
    for (const pod of list.items) assert.equal(pod.status.conditions[0].status, 'True');
    await apply(zone('a', neighbor('10.0.1.47')));
    await applyPlatformCrds(api, ['bgpsessionstates']);
    states = new Watched(plane, sessionStates);
    await states.start();
    await tells('worker-1 10.0.1.47 Established', 'worker-2 10.0.1.47 Established');
  });

  it('gives a new session no status, then Idle, then Established', async () => {
    const before = states.history.length;
    await apply(zone('b', neighbor('10.0.2.47', { bfdProfile: 'fast' }), neighbor('2001:db8::47')));
    await tells(
      'worker-1 10.0.1.47 Established',
      'worker-2 10.0.1.47 Established',
      'worker-3 10.0.2.47 Established',
      'worker-3 2001-0db8-0000-0000-0000-0000-0000-0047 Established',
    );
    const lives = states.history.slice(before).filter(({ object }) => {
      return object.metadata.labels['frrk8s.metallb.io/peer'] === '10.0.2.47';
    });
    const types = lives.map(({ type }) => type).sort();
    const duplicate = ['ADDED', 'ADDED', 'DELETED', 'MODIFIED', 'MODIFIED'];
    assert.deepEqual(types, duplicate, 'there was a second one for a moment');
    const last = lives.find(({ object }) => object.status?.bgpStatus === 'Established');
    const { metadata } = last?.object ?? assert.fail();
    const words = lives.flatMap(
      ({
        object: {
          metadata: { name },
          status,
        },
      }) => {
        return name === metadata.name ? [`${status?.bgpStatus} ${status?.bfdStatus}`] : [];
      },
    );
    assert.deepEqual(words, ['undefined undefined', 'Idle Down', 'Established Up']);
    assert.match(metadata.name, /^worker-3-\w{5}$/);
    assert.equal(metadata.labels['frrk8s.metallb.io/node'], 'worker-3');
    assert.equal(metadata.labels['frrk8s.metallb.io/vrf'], '');
    const pod = await api.get(`${frrPods}/frr-k8s-worker-3`);
    assert.equal(metadata.ownerReferences[0]?.uid, pod.metadata.uid);
    await api.delete(`${frrConfigurations}/zone-b`);
    await tells('worker-1 10.0.1.47 Established', 'worker-2 10.0.1.47 Established');
  });

  it('loses the sessions of a neighbor that is down, and gets them back', async () => {
    const before = states.history.length;
    frr.peer('10.0.1.47', false);
    await tells('worker-1 10.0.1.47 Active', 'worker-2 10.0.1.47 Active');
    const words = states.history.slice(before).map(({ object }) => object.status?.bgpStatus);
    assert.deepEqual(new Set(words), new Set(['Idle', 'Active']), 'Idle comes first');
    frr.peer('10.0.1.47', true);
    await tells('worker-1 10.0.1.47 Established', 'worker-2 10.0.1.47 Established');
  });

  it('lets a session flap', async () => {
    const before = states.history.length;
    frr.flap('10.0.1.47', 300);
    await eventually('it came and went twice', soon, () => {
      const words = states.history.slice(before).map(({ object }) => object.status?.bgpStatus);
      return words.filter((word) => word === 'Established').length >= 4;
    });
    frr.peer('10.0.1.47', true);
    await tells('worker-1 10.0.1.47 Established', 'worker-2 10.0.1.47 Established');
  });

  it('goes on telling of sessions of a node whose FRR has died', async () => {
    await frr.die('worker-1');
    frr.peer('10.0.1.47', false);
    await tells('worker-1 10.0.1.47 Established', 'worker-2 10.0.1.47 Active');
    const pod = await api.get(`${frrPods}/frr-k8s-worker-1`);
    assert.equal(pod.status.conditions[0].status, 'False');
    frr.peer('10.0.1.47', true);
    await frr.revive('worker-1');
    await tells('worker-1 10.0.1.47 Established', 'worker-2 10.0.1.47 Established');
  });

  it('ends the sessions of a node that loses the label', async () => {
    await api.patch('/api/v1/nodes/worker-2', { metadata: { labels: { zone: null } } });
    await tells('worker-1 10.0.1.47 Established');
    await api.patch('/api/v1/nodes/worker-2', { metadata: { labels: { zone: 'a' } } });
    await tells('worker-1 10.0.1.47 Established', 'worker-2 10.0.1.47 Established');
  });

  it('keeps what a node has when its objects do not go together', async () => {
    const nodeSelector = { matchLabels: { zone: 'a' } };
    await apply(frrConfiguration('foreign', { nodeSelector, bgp: { routers: [{ asn: 65099 }] } }));
    await apply(zone('a', neighbor('10.0.1.47'), neighbor('10.0.1.183')));
    // Zone b has no such trouble, and shows that what came before it was looked at.
    await apply(zone('b', neighbor('10.0.2.47')));
    await tells(
      'worker-1 10.0.1.47 Established',
      'worker-2 10.0.1.47 Established',
      'worker-3 10.0.2.47 Established',
    );
    await api.delete(`${frrConfigurations}/foreign`);
    await tells(
      'worker-1 10.0.1.183 Established',
      'worker-1 10.0.1.47 Established',
      'worker-2 10.0.1.183 Established',
      'worker-2 10.0.1.47 Established',
      'worker-3 10.0.2.47 Established',
    );
  });

  it('takes what it told with it when a pod is removed', async () => {
    await frr.removePod('worker-3');
    await tells(
      'worker-1 10.0.1.183 Established',
      'worker-1 10.0.1.47 Established',
      'worker-2 10.0.1.183 Established',
      'worker-2 10.0.1.47 Established',
    );
    assert.equal((await api.call('GET', `${frrPods}/frr-k8s-worker-3`)).status, 404);
  });

  it('has a pod of the webhook too, with the label of the others', async () => {
    await frr.webhookPod('worker-3', 'Pending');
    const list = await api.get(`${frrPods}?labelSelector=app%3Dfrr-k8s`);
    const phases = list.items.map((pod: { status: { phase: string } }) => pod.status.phase);
    assert.deepEqual(phases.sort(), ['Pending', 'Running', 'Running']);
  });
});
