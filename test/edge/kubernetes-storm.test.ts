/** Nothing is missed while a real kube-apiserver is killed and frozen under four writers. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject, KubeRequest, Sighting } from '../../core/door.ts';
import { fixedToken } from '../../edge/kubernetes/authorization.ts';
import { type OpenCluster, openCluster } from '../../edge/kubernetes/cluster.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { eventually } from '../controlplane/wait.ts';
import { egressIPs } from './kubernetes-setting.ts';

const patient = new AbortController().signal;

/** What a reader knows: uid to version. */
class Store {
  readonly objects = new Map<string, string>();
  readonly seen = { Listed: 0, Put: 0, Gone: 0, NotServed: 0 };

  take(sighting: Sighting): void {
    this.seen[sighting.kind] += 1;
    if (sighting.kind === 'Listed') this.objects.clear();
    if (sighting.kind === 'Listed') for (const object of sighting.objects) this.put(object);
    if (sighting.kind === 'Put') this.put(sighting.object);
    if (sighting.kind === 'Gone') this.objects.delete(sighting.uid);
  }

  put({ metadata }: KubeObject): void {
    this.objects.set(metadata.uid, `${metadata.name} ${metadata.resourceVersion}`);
  }
}

/** Changes its 35 EgressIPs in turn, whatever becomes of each write. */
async function writer(cluster: OpenCluster, id: number, signal: AbortSignal): Promise<number> {
  let written = 0;
  for (let turn = 0; !signal.aborted; turn += 1) {
    const name = `eip-${id}-${turn % 35}`;
    const answer = await cluster.request(change(name, turn), patient);
    if (answer.status >= 200 && answer.status < 300) written += 1;
    else if (answer.status === 0 || answer.status >= 429) await sleep(50);
    await sleep(4);
  }
  return written;
}

/** First each is created; later one in nine is deleted, and then is created again. */
function change(name: string, turn: number): KubeRequest {
  const path = `${egressIPs}/${name}`;
  const json = 'application/json';
  if (turn >= 35 && turn % 9 === 0) return { method: 'DELETE', path, contentType: json, body: {} };
  if (turn < 35 || turn % 9 === 1 || turn % 3 === 2) {
    const spec = { egressIPs: ['10.0.1.10'], namespaceSelector: {} };
    const body = { apiVersion: 'k8s.ovn.org/v1', kind: 'EgressIP', metadata: { name }, spec };
    return { method: 'POST', path: egressIPs, contentType: json, body };
  }
  const items = [{ egressIP: '10.0.1.10', node: `worker-${turn}` }];
  return {
    method: 'PATCH',
    path,
    contentType: 'application/merge-patch+json',
    body: { status: { items } },
  };
}

async function hurt({ apiserver }: ControlPlane): Promise<void> {
  await sleep(2_000);
  await apiserver.restart();
  await sleep(2_000);
  apiserver.freeze();
  await sleep(6_000);
  apiserver.thaw();
  await sleep(2_000);
  await apiserver.restart();
  await sleep(2_000);
}

describe('a reader of a Kubernetes API that is killed twice and frozen once', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let cluster: OpenCluster;
  const troubles: string[] = [];

  before(async () => {
    plane = await startControlPlane({ nats: false });
    cluster = openCluster({
      server: plane.server,
      ca: plane.ca,
      authorization: fixedToken(plane.token),
      deadlineMs: 3_000,
      silenceMs: 4_000,
      backoffCapMs: 1_000,
      pageSize: 30,
      onTrouble: (sentence) => void troubles.push(sentence),
    });
  });
  after(async () => {
    await cluster.close();
    await plane.stop();
  });

  it('knows in the end exactly what is there', async () => {
    const store = new Store();
    const [reading, writing] = [new AbortController(), new AbortController()];
    const read = (async () => {
      for await (const sightings of cluster.watch(egressIPs, reading.signal)) {
        for (const sighting of sightings) store.take(sighting);
        if (store.seen.Put % 50 === 0) await sleep(30);
      }
    })();
    const writers = [1, 2, 3, 4].map((id) => writer(cluster, id, writing.signal));
    await hurt(plane);
    writing.abort();
    const written = (await Promise.all(writers)).reduce((sum, count) => sum + count);
    const truth = new Store();
    for (const object of await cluster.list(egressIPs, patient)) truth.put(object);
    const differences = (): string[] => [
      ...[...truth.objects].filter(([uid, is]) => store.objects.get(uid) !== is).map(String),
      ...[...store.objects].filter(([uid]) => !truth.objects.has(uid)).map(String),
    ];
    const detail = (): string => `\n${differences().join('\n')}\n${troubles.join('\n')}`;
    const alike = { withinMs: 30_000, detail };
    await eventually('the reader knows what is there', alike, () => differences().length === 0);
    reading.abort();
    await read;
    assert.ok(truth.objects.size >= 100, `${truth.objects.size} EgressIPs`);
    assert.ok(written > 500, `${written} writes`);
    assert.ok(troubles.length >= 3, 'each of the faults was felt');
    assert.equal(
      store.seen.NotServed,
      0,
      'a server that starts does not look like one without EgressIP',
    );
  });
});
