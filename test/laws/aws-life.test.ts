/** Random lives of aws-sync before an AWS that lags, fails and is meddled with (facts I1 to I6). */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../core/canonical.ts';
import { seeded } from '../every.ts';
import { usualTimes } from '../../services/aws-sync/input.ts';
import type { Manners } from '../aws/manners.ts';
import type { Machine } from '../aws/machine.ts';
import { gone, node, OWNER, scene, type Scene, standing } from '../stories/aws-cluster.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 10);
const STEPS = 25;
const MINUTE = 60_000;
const LATER_MS = 40_000;

const kinds = [
  'throttle',
  'unavailable',
  'internal',
  'fail-after-apply',
  'lost-reply',
  'cut',
] as const;
const actions = [
  ...['CreateRouteServerPeer', 'DeleteRouteServerPeer', 'CreateTags', 'DescribeRouteServerPeers'],
  ...['DescribeInstances', 'ModifyNetworkInterfaceAttribute', '*'],
] as const;

class Life {
  readonly scene: Scene;
  readonly draw: ReturnType<typeof seeded>;
  readonly machines = new Map<string, Machine>();
  #serial = 0;
  #later: { name: string; machine: Machine; dueMs: number }[] = [];

  constructor(seed: number) {
    this.draw = seeded(seed);
    const { draw } = this;
    const manners: Partial<Manners> = {
      ...{
        lagsMs: draw.one([[0], [0, 5_000], [0, 12_000, 25_000]]),
        pageSize: draw.one([2, 1000]),
      },
      ...{ tagOnCreate: draw.one([true, false]), emptyPages: draw.one([true, false]) },
      ...{ tagDelayMs: draw.one([0, 10_000]), pendingMs: draw.one([1_000, 20_000]) },
    };
    const aws = { adoptionPolicy: draw.one(['IfMatches', 'IfUntagged', 'Never']) };
    const settings = { times: { ...usualTimes, sessionMs: 30_000 } };
    this.scene = scene({ seed, manners, aws, settings, size: { zones: 2, nodes: 3 } });
    for (const [index, machine] of this.scene.made.nodes.entries())
      this.machines.set(`worker-${index}`, machine);
  }

  step(): void {
    const { draw, scene: s } = this;
    const { bench } = s;
    const { region } = bench;
    const roll = draw.next();
    const name = draw.one([...this.machines.keys(), 'none']);
    const machine = this.machines.get(name);
    const peers = region.livePeers();
    const peer = peers.length > 0 ? draw.one(peers) : undefined;
    if (roll < 0.25)
      return bench.aws.fault({
        ...{ action: draw.one(actions), kind: draw.one(kinds), times: draw.one([1, 2, 5]) },
        skip: draw.one([0, 1, 3]),
      });
    if (roll < 0.35) return bench.restart();
    if (roll < 0.45) return this.join();
    if (roll < 0.6 && machine !== undefined) return this.leave(name, machine);
    if (roll < 0.7 && peer?.state === 'available')
      return void region.setPeer(peer.id, { state: draw.one(['deleting', 'failed', 'failing']) });
    if (roll < 0.75 && machine !== undefined) return region.sourceDestCheck(machine.id, true);
    if (roll < 0.85) return s.edit({ localASN: draw.one([65_001, 65_002]) });
    if (roll < 0.9 && machine !== undefined)
      return bench.hear(
        node(name, machine, draw.one([{ providerID: '' }, { internalIPs: [] }, {}])),
      );
  }

  join(): void {
    if (this.machines.size >= 6) return;
    const { bench, made } = this.scene;
    const machine = bench.region.instance({ subnet: this.draw.one(made.subnets).id });
    const name = `joined-${this.#serial++}`;
    if (this.draw.next() < 0.6) {
      this.machines.set(name, machine);
      return bench.hear(node(name, machine));
    }
    // A stranger's peer is known to every reader by the time that the node joins.
    this.squat(machine);
    this.#later.push({ name, machine, dueMs: bench.clock.nowMs() + LATER_MS });
  }

  /** Nodes whose machine is there already. */
  joinLate(): void {
    const { bench } = this.scene;
    const due = this.#later.filter(({ dueMs }) => dueMs <= bench.clock.nowMs());
    this.#later = this.#later.filter((one) => !due.includes(one));
    for (const { name, machine } of due) {
      this.machines.set(name, machine);
      bench.hear(node(name, machine));
    }
  }

  /** Somebody made a peer for its address, before we hear of the node. */
  squat({ subnet, address }: Machine): void {
    const { bench, made } = this.scene;
    const { draw } = this;
    const place = made.endpoints.find(({ subnetId }) => subnetId === subnet);
    const tags = draw.one<Record<string, string>>([{}, { 'managed-by': 'somebody/else' }]);
    bench.region.peer(place?.id ?? '', address, { tags, asn: draw.one([65_001, 65_002]) });
  }

  leave(name: string, { id }: Machine): void {
    const { bench } = this.scene;
    this.machines.delete(name);
    bench.region.setInstance(id, { state: 'terminated' });
    if (this.draw.next() < 0.7) bench.hear(gone(name));
  }

  async live(): Promise<void> {
    for (let step = 0; step < STEPS; step++) {
      this.step();
      this.joinLate();
      await this.scene.bench.run(this.draw.one([100, 1_000, 4_000, 20_000]));
    }
    const { bench } = this.scene;
    bench.aws.clearFaults();
    await bench.run(LATER_MS);
    this.joinLate();
    for (const [name, machine] of this.machines) bench.hear(node(name, machine));
    await bench.run(14 * MINUTE);
  }

  /** What there is in the end follows from what is wanted alone. */
  judge(): void {
    const { bench, made, config } = this.scene;
    bench.aws.check();
    const living = bench.region.livePeers();
    const ours = living.filter(({ tags }) => tags['managed-by'] === OWNER);
    const wanted = new Set<string>();
    let conflicts = 0;
    for (const { id, subnetId } of made.endpoints)
      for (const machine of this.machines.values()) {
        if (machine.subnet !== subnetId) continue;
        wanted.add(`${id} ${machine.address}`);
        const here = living.filter((p) => p.endpointId === id && p.address === machine.address);
        assert.equal(here.length, 1, `one peer at ${id} ${machine.address}`);
        const [peer] = here;
        if (peer?.tags['managed-by'] !== OWNER) conflicts++;
        else {
          assert.equal(peer.asn, config.localASN);
          assert.ok(peer.state === 'available' || peer.state === 'failing', peer.state);
          if (peer.state === 'failing') conflicts++;
        }
      }
    if (this.machines.size > 0)
      assert.deepEqual(
        ours.filter((p) => !wanted.has(`${p.endpointId} ${p.address}`)),
        [],
        'nothing of ours is left where nobody wants it',
      );
    for (const { eni } of this.machines.values()) {
      const check = bench.region.interfaces.find(({ id }) => id === eni)?.sourceDestCheck;
      if (!standing(bench).includes('ForeignWriter')) assert.equal(check, false);
    }
    assert.equal(standing(bench) === 'True Reconciled', conflicts === 0, standing(bench));
  }

  async rest(): Promise<void> {
    const { bench } = this.scene;
    const said = bench.said.length;
    bench.aws.rest(6 * 60);
    bench.restart();
    await bench.run(5 * MINUTE);
    const news = bench.said.slice(said).map(({ event }) => canonicalJson(event));
    assert.deepEqual(news, [], 'at rest nothing is said, after a restart neither');
    bench.aws.check();
  }
}

describe('aws-sync: random lives', () => {
  for (let seed = 1; seed <= SEEDS; seed++)
    it(`life ${seed} ends as it should, and breaks no rule on the way`, async function () {
      this.timeout(120_000);
      const life = new Life(seed);
      await life.live();
      life.judge();
      await life.rest();
    });
});
