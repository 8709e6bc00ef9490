/** Long random lives of bgp in a cluster that obeys it late, forgets, is edited and restarted. */
import assert from 'node:assert/strict';
import type { Zone } from '../../core/bgp-fact.ts';
import { Field, type FrrSpec } from '../bgp/field.ts';
import { givenConfig, givenRouting, neighbor, zones3 } from '../bgp/givens.ts';
import { advertised } from '../bgp/ovnk.ts';
import { seeded } from '../every.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 40);
const STEPS = 60;
const letters = ['a', 'b', 'c'];
const names = ['prod', 'second', 'third', 'rival'];
const subnets = { prod: '10.1.0.0/16', second: '10.2.0.0/16', third: '10.2.128.0/17' } as const;
const kinds = ['FRRConfiguration', 'ClusterUserDefinedNetwork', 'RouteAdvertisements'] as const;

class Life {
  readonly draw: ReturnType<typeof seeded>;
  readonly field = new Field();
  uids = 0;

  constructor(seed: number) {
    this.draw = seeded(seed);
    this.field.serve();
    for (const letter of letters) this.field.addNode(`worker-${letter}`, letter);
    for (const network of Object.keys(subnets)) this.field.namespace(`app-${network}`, network);
  }

  step(): void {
    const { draw, field } = this;
    const acts = [
      () => this.putConfig(),
      () => this.putRouting(draw.one(names)),
      () => this.deleteRouting(draw.one(names)),
      () => field.pod(`worker-${draw.one(letters)}`, draw.next() < 0.7),
      () => this.listen(draw.one(zones3).neighbors[0]!.address),
      () => this.vandalise(),
      () => field.restart(),
      () => field.pass(draw.one([1_000, 30_000, 400_000])),
      () => (field.ovnAsleep = !field.ovnAsleep),
      () => draw.next() < 0.2 && this.deleteConfig(),
    ];
    draw.one(acts)();
    // The world goes on for a while: nothing, a thought, a thought and its work.
    const pace = draw.one([0, 1, 2, 3]);
    for (let round = 0; round < pace; round++) {
      field.think();
      if (draw.next() < 0.8) field.obey();
    }
  }

  putConfig(): void {
    const { draw, field } = this;
    const known = field.configs.get('cluster');
    if (known?.deleting === true) return;
    const zones = zones3
      .filter(() => draw.next() < 0.7)
      .map((zone): Zone => (draw.next() < 0.2 ? this.changed(zone) : zone));
    const more = {
      zones: zones.length > 0 ? zones : zones3,
      localASN: draw.one([65001, 65001, 65002]),
      livenessDetection: draw.one(['bgp-keepalive', 'bgp-keepalive', 'bfd']),
    };
    if (known === undefined) field.config(givenConfig({ uid: `config-${++this.uids}`, ...more }));
    else field.config({ ...known, ...more, generation: known.generation + 1 });
  }

  changed(zone: Zone): Zone {
    const [first] = zone.neighbors;
    return { ...zone, neighbors: [neighbor(first!.address, 64513)] };
  }

  putRouting(name: string): void {
    const { field, draw } = this;
    if (field.routings.has(name)) return;
    const network = name === 'rival' ? draw.one(Object.keys(subnets)) : name;
    const subnet = subnets[network as 'prod'];
    const uid = `routing-${++this.uids}`;
    const createdMs = field.nowMs - draw.one([0, 5_000]);
    field.routing(givenRouting(name, { uid, network, subnets: [subnet], createdMs }));
  }

  deleteRouting(name: string): void {
    if (this.field.routings.get(name)?.deleting === false) this.field.deleteRouting(name);
  }

  deleteConfig(): void {
    if (this.field.configs.get('cluster')?.deleting === false) this.field.deleteConfig();
  }

  listen(address: string): void {
    if (!this.field.deaf.delete(address)) this.field.deaf.add(address);
  }

  /** Somebody edits or deletes what is ours. */
  vandalise(): void {
    const { draw, field } = this;
    const kind = draw.one(kinds);
    const all = field.names(kind);
    if (all.length === 0) return;
    const name = draw.one(all);
    if (draw.next() < 0.5) field.remove(kind, name);
    else field.put(kind, name, { labels: {} });
  }

  /** What all of it must come to. */
  end(): void {
    const { field } = this;
    field.ovnAsleep = false;
    field.deaf.clear();
    for (const letter of letters) field.pod(`worker-${letter}`, true);
    field.rest();
    for (let minute = 0; minute < 12; minute++) field.pass(60_000);
    field.rest();
    assert.equal(field.rest(), 0, 'at rest nothing is said');
    field.restart();
    assert.equal(field.rest(), 0, 'a restart says nothing');
    assert.equal(field.obey(), false, 'nothing is left to be done');
    this.zonesAreServed();
    this.networksAreServed();
  }

  zonesAreServed(): void {
    const { field } = this;
    const config = field.configs.get('cluster');
    if (config === undefined || config.deleting) return;
    const wanted = config.zones.map(({ neighbors }) => neighbors.map((n) => n.address).join());
    const there = field.names('FRRConfiguration').map((name) => {
      const { bgp } = field.spec('FRRConfiguration', name) as FrrSpec;
      assert.equal(bgp.routers[0]?.asn, config.localASN);
      assert.equal(bgp.bfdProfiles !== undefined, config.livenessDetection === 'bfd');
      return bgp.routers[0]?.neighbors.map((n) => n.address).join();
    });
    assert.deepEqual(there.toSorted(), wanted.toSorted());
    assert.equal(field.configState().phase, 'Ready');
  }

  networksAreServed(): void {
    const { field } = this;
    const config = field.configs.get('cluster');
    const open = config !== undefined && !config.deleting;
    const live = [...field.routings.values()];
    const there = field.names('ClusterUserDefinedNetwork');
    const claimed = new Set(live.map(({ network }) => `cluster-udn-${network}`));
    for (const name of there) assert.ok(claimed.has(name), `${name} is claimed`);
    if (!open) return;
    assert.deepEqual(advertised(field).toSorted(), there);
    // Second and third overlap: one of them at most runs, and all others that are claimed do.
    assert.ok(!(there.includes('cluster-udn-second') && there.includes('cluster-udn-third')));
    const both = claimed.has('cluster-udn-second') && claimed.has('cluster-udn-third');
    assert.equal(there.length, claimed.size - Number(both));
  }
}

describe('a long life of bgp', function () {
  this.timeout(300_000);
  it(`ends as it should whatever happened (${SEEDS} lives)`, () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const life = new Life(seed);
      try {
        for (let step = 0; step < STEPS; step++) life.step();
        life.end();
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  });
});
