/**
 * Long random lives of the publisher on a cloud, judged by a model that knows nothing of its code.
 */
import assert from 'node:assert/strict';
import type { Decision } from '../../core/decision.ts';
import { seeded } from '../every.ts';
import { CloudModel } from './cloud-model.ts';
import { PublisherBench } from './publisher-bench.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 150);
const STEPS = 120;
const objects = ['w', 'x', 'y'];
const nodes = ['n1', 'n2', 'n3'];
const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
const STRANGE = '10.0.0.9';
const faults = [404, 409, 429, 500, 503];

type Draw = ReturnType<typeof seeded>;
type Placed = Map<string, { name: string; node: string }>;

class Life {
  readonly draw: Draw;
  readonly model: CloudModel;
  readonly bench: PublisherBench;
  /** Address → who has it where, as the assigner decided. */
  readonly placed: Placed = new Map();
  storm = true;

  constructor(seed: number) {
    this.draw = seeded(seed);
    this.model = new CloudModel(this.draw.next() < 0.5);
    for (const node of nodes) this.addNode(node);
    for (const name of objects) this.model.addEgressIP(name);
    this.model.setClaim(STRANGE, {
      uid: 'strange',
      node: 'n1',
      statusNode: 'n1',
      assigned: 'True',
    });
    this.bench = new PublisherBench(this.model);
  }

  addNode(name: string): void {
    if (this.model.nodes.has(name)) return;
    this.model.nodes.add(name);
    const node = {
      name,
      uid: `uid-${name}`,
      labels: {},
      ready: true,
      annotations: {},
      providerID: '',
      internalIPs: [],
    };
    this.model.facts.push({ kind: 'NodeSeen', node });
  }

  /** One object gets other placements; who loses an address is told first. */
  decide(address: string, name: string, node: string): void {
    const before = this.placed.get(address);
    if (node === '') this.placed.delete(address);
    else this.placed.set(address, { name, node });
    const touched = new Set([before?.name ?? name, name]);
    this.bench.decide([...touched].map((one) => this.decision(one)));
  }

  decision(name: string): Decision {
    const uid = this.model.egressIPs.get(name)?.uid;
    if (uid === undefined)
      return { kind: 'EgressIPForgotten', name, uid: '', mark: 0, markSerial: 0 };
    const placements = [...this.placed]
      .filter(([, home]) => home.name === name)
      .map(([address, { node }]) => ({ address, node, previous: '' }));
    const level = { name, uid, placements, refusals: [], mark: 50_000, markSerial: 0 };
    return { kind: 'EgressIPDecided', ...level, cloud: true, rests: [], notices: [] };
  }

  async step(): Promise<void> {
    const { draw, model, bench } = this;
    const roll = draw.next();
    if (roll < 0.3) bench.deliver(1 + Math.floor(draw.next() * 3));
    else if (roll < 0.6) await this.serve();
    else if (roll < 0.8) model.cloudStep(draw.one(addresses), this.storm && draw.next() < 0.2);
    else if (roll < 0.88) await bench.sleep(draw.one([200, 1_000, 10_000]));
    else this.disturb();
    if (draw.next() < 0.8) await bench.think();
    if (this.storm && draw.next() < 0.03) await bench.restart(() => draw.next() < 0.5);
  }

  async serve(): Promise<void> {
    const { draw, bench } = this;
    const index = Math.floor(draw.next() * bench.pending.length);
    const fault = this.storm && draw.next() < 0.15 ? draw.one(faults) : 0;
    await bench.serve(index, fault, this.storm && draw.next() < 0.08);
  }

  disturb(): void {
    const { draw, model, bench } = this;
    if (!this.storm) return;
    const roll = draw.next();
    const living = objects.filter((name) => model.egressIPs.has(name));
    const address = draw.one([...addresses, ...addresses, STRANGE]);
    const node = draw.one([...model.nodes, '']);
    if (roll < 0.6 && living.length > 0) return this.decide(address, draw.one(living), node);
    if (roll < 0.7) return this.replace(draw.one(objects));
    if (roll < 0.8) return this.loseOrFind(draw.one(['n2', 'n3']));
    if (roll < 0.85) model.statusSubresource = !model.statusSubresource;
    // What people do to claims happens between the publisher's looks and writes only by accident.
    else if (bench.pending.length === 0) model.removeClaim(draw.one(addresses));
  }

  replace(name: string): void {
    if (this.model.egressIPs.has(name)) {
      this.model.removeEgressIP(name);
      for (const [address, home] of this.placed)
        if (home.name === name) this.placed.delete(address);
    } else this.model.addEgressIP(name);
    this.bench.deliver(Number.POSITIVE_INFINITY);
    this.bench.decide([this.decision(name)]);
  }

  loseOrFind(node: string): void {
    if (!this.model.nodes.has(node)) return this.addNode(node);
    this.model.nodes.delete(node);
    this.model.facts.push({ kind: 'NodeGone', name: node, uid: `uid-${node}` });
    for (const [address, home] of this.placed)
      if (home.node === node) this.decide(address, home.name, this.draw.one(['n1', '']));
  }

  /** Everything works, nothing new happens: everybody comes to rest. */
  async settle(): Promise<void> {
    const { model, bench } = this;
    this.storm = false;
    for (let quiet = 0, rounds = 0; quiet < 3; rounds++) {
      assert.ok(rounds < 400, `comes to rest: ${model.writes.slice(-6).join(', ')}`);
      let busy = model.facts.length > 0;
      bench.deliver(Number.POSITIVE_INFINITY);
      await bench.think();
      for (; bench.pending.length > 0; busy = true) await bench.serve(0, 0, false);
      const cloud = addresses.map((address) => model.cloudStep(address, false)).some((did) => did);
      await bench.sleep(60_000);
      quiet = busy || cloud ? 0 : quiet + 1;
    }
  }

  judgeAtRest(seed: string): void {
    for (const [name, { items }] of this.model.egressIPs) {
      const homes = [...this.placed].filter(([a, home]) => home.name === name && a !== STRANGE);
      const wanted = homes.map(([address, { node }]) => `${address} ${node}`).sort();
      const got = items.map(({ egressIP, node }) => `${egressIP} ${node}`).sort();
      assert.deepEqual(got, wanted, `${seed}: the status of ${name}`);
    }
    const claimed = [...this.model.claims.values()].filter(({ uid }) => uid !== 'strange');
    const got = claimed.map(({ name, owner, node }) => `${name} ${owner} ${node}`).sort();
    const wanted = [...this.placed].filter(([address]) => address !== STRANGE);
    const texts = wanted.map(([address, { name, node }]) => `${address} ${name} ${node}`).sort();
    assert.deepEqual(got, texts, `${seed}: the claims`);
  }
}

async function live(seed: number): Promise<number> {
  const life = new Life(seed);
  for (let step = 0; step < STEPS; step++) {
    await life.step();
    assert.deepEqual(life.model.sins, [], `seed ${seed} step ${step}`);
  }
  await life.settle();
  assert.deepEqual(life.model.sins, [], `seed ${seed} at rest`);
  life.judgeAtRest(`seed ${seed}`);
  const { model, bench } = life;
  const [writes, words] = [model.writes.length, bench.said.length];
  await bench.restart(() => true);
  await life.settle();
  assert.deepEqual(
    model.writes.slice(writes),
    [],
    `seed ${seed}: a restart at rest writes nothing`,
  );
  assert.equal(bench.said.length, words, `seed ${seed}: a restart at rest says nothing`);
  return writes;
}

describe('the publisher on a cloud, through long random lives', function () {
  this.timeout(240_000);

  it('never outruns the cloud, converges after every storm, and is silent at rest', async () => {
    let writes = 0;
    for (let seed = 1; seed <= SEEDS; seed++) writes += await live(seed);
    console.log(`      ${SEEDS} lives of ${STEPS} steps, ${writes} writes`);
    assert.ok(writes > SEEDS * 5, 'the lives are eventful');
  });
});
