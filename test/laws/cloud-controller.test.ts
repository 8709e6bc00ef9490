/** The cloud controller simulator speaks the protocol of the real one (`spec/egressip.md` 2.2). */
import assert from 'node:assert/strict';
import { listOf, property, textOf } from '../../core/json.ts';
import { CLOUD_CLAIMS, NODES } from '../../edge/simulated/admission.ts';
import { type CloudManners, SimulatedCloud } from '../../edge/simulated/cloud.ts';
import { SimulatedWorld } from '../../edge/simulated/world.ts';

const name = '10.0.0.100';
const path = `${CLOUD_CLAIMS}/${name}`;

/** A cloud with two nodes and nothing else, and what its controller has told so far. */
class Scene {
  readonly cloud: SimulatedCloud;
  readonly world: SimulatedWorld;
  readonly told: string[] = [];

  constructor(manners: Partial<CloudManners> = {}) {
    this.cloud = new SimulatedCloud(manners);
    this.world = new SimulatedWorld({ tenants: [], cloud: this.cloud });
    for (const node of ['a', 'b']) this.world.cluster.set(NODES, node, {});
    void this.#follow();
    this.world.start();
  }

  async #follow(): Promise<void> {
    for await (const sightings of this.world.cluster.watch(
      CLOUD_CLAIMS,
      AbortSignal.timeout(9_000),
    ))
      for (const sighting of sightings) {
        if (sighting.kind === 'Gone') this.told.push('gone');
        if (sighting.kind !== 'Put' || sighting.object['status'] === undefined) continue;
        const text = this.status(sighting.object['status']);
        if (this.told.at(-1) !== text) this.told.push(text);
      }
  }

  status(status: unknown = this.world.cluster.get(CLOUD_CLAIMS, name)?.['status']): string {
    const [condition] = listOf(property(status, 'conditions'));
    return `${textOf(property(status, 'node'))} ${textOf(property(condition, 'status'))}`.trim();
  }

  async write(method: 'POST' | 'PATCH' | 'DELETE', node = ''): Promise<void> {
    const body = { metadata: { name }, spec: { node } };
    const contentType = 'application/merge-patch+json';
    const at = method === 'POST' ? CLOUD_CLAIMS : path;
    const answer = this.world.cluster.act({
      method,
      path: at,
      contentType,
      body: method === 'DELETE' ? undefined : body,
    });
    assert.ok(answer.status < 300, answer.message);
    await this.world.settle();
  }

  async during(work: () => Promise<void>): Promise<readonly string[]> {
    this.told.length = 0;
    await work();
    return [...this.told];
  }
}

describe('the cloud controller', () => {
  let scene = new Scene();
  const open = (manners: Partial<CloudManners> = {}) => (scene = new Scene(manners));
  afterEach(() => scene.world.end());

  it('assigns: it is under way, then done', async () => {
    open();
    assert.deepEqual(await scene.during(() => scene.write('POST', 'a')), ['a Unknown', 'a True']);
    assert.deepEqual([...scene.cloud.addresses], [[name, 'a']]);
  });

  it('keeps a deleted object until the cloud has released the address', async () => {
    open({ delayMs: 1_000 });
    await scene.write('POST', 'a');
    await scene.world.advance(1_000);
    await scene.write('DELETE');
    assert.equal(scene.status(), 'a Unknown');
    assert.equal(scene.cloud.addresses.size, 1);
    assert.deepEqual(await scene.during(() => scene.world.advance(1_000)), ['gone']);
    assert.equal(scene.cloud.addresses.size, 0);
    assert.deepEqual(scene.cloud.calls, [`assign ${name} on a`, `release ${name} on a`]);
  });

  it('moves on AWS, Azure and GCP by releasing first', async () => {
    open();
    await scene.write('POST', 'a');
    const told = await scene.during(() => scene.write('PATCH', 'b'));
    assert.deepEqual(told.slice(-4), ['a Unknown', 'True', 'b Unknown', 'b True']);
  });

  it('moves on OpenStack in one step', async () => {
    open({ moves: true });
    await scene.write('POST', 'a');
    const told = await scene.during(() => scene.write('PATCH', 'b'));
    assert.deepEqual(told.slice(-2), ['a Unknown', 'b True']);
    assert.ok(!told.includes('True'));
  });

  it('tells a failure, tries again and again, and at last waits for a change', async () => {
    open({ retryMs: 1_000, tries: 3 });
    scene.cloud.failures.set('a', 'quota');
    await scene.write('POST', 'a');
    assert.equal(scene.status(), 'a False');
    await scene.world.advance(60_000);
    assert.equal(scene.cloud.calls.length, 3);
    await scene.write('PATCH', 'b');
    assert.equal(scene.status(), 'b True');
  });

  it('succeeds by itself once the cloud is well again', async () => {
    open();
    scene.cloud.outages = 2;
    await scene.write('POST', 'a');
    assert.equal(scene.status(), 'a False');
    await scene.world.advance(3_000);
    assert.equal(scene.status(), 'a True');
  });

  it('does not try again for a node that does not exist', async () => {
    open();
    await scene.write('POST', 'nowhere');
    assert.equal(scene.status(), 'nowhere False');
    await scene.world.advance(60_000);
    assert.deepEqual(scene.cloud.calls, []);
  });

  it('leaves an address where it is when it is to move to a node that does not exist', async () => {
    open();
    await scene.write('POST', 'a');
    await scene.write('PATCH', 'nowhere');
    assert.equal(scene.status(), 'a False');
    assert.deepEqual([...scene.cloud.addresses], [[name, 'a']]);
  });

  it('ends a call that is under way before it does what is wanted since', async () => {
    open({ delayMs: 1_000 });
    await scene.write('POST', 'a');
    await scene.write('PATCH', 'b');
    await scene.world.advance(3_000);
    assert.deepEqual(scene.cloud.calls, [
      `assign ${name} on a`,
      `release ${name} on a`,
      `assign ${name} on b`,
    ]);
    assert.equal(scene.status(), 'b True');
  });

  it('refuses what does not fit on a node', async () => {
    open();
    scene.cloud.limits.set('a', 0);
    await scene.write('POST', 'a');
    assert.equal(scene.status(), 'a False');
  });
});
