/** Claims on networks, in every small world of three routings: who has what, at every moment. */
import assert from 'node:assert/strict';
import type { BgpRouting } from '../../core/bgp-fact.ts';
import { Field } from '../bgp/field.ts';
import { givenConfig, givenRouting, NOW_MS, zones3 } from '../bgp/givens.ts';
import { advertised } from '../bgp/ovnk.ts';
import { every, type Choose } from '../every.ts';

const CUDN = 'ClusterUserDefinedNetwork';
const networks = ['x', 'y'];
const subnets = { x: '10.1.0.0/16', y: '10.2.0.0/16' };

function open(): Field {
  const field = Field.withNodes('a');
  field.config(givenConfig({ zones: zones3.slice(0, 1) }));
  for (const network of networks) field.namespace(`app-${network}`, network);
  field.rest();
  return field;
}

/** Three routings, each for one of two networks; `ages` are in seconds. */
function routingsOf(choose: Choose, ages: readonly number[]): BgpRouting[] {
  return ['p', 'q', 'r'].map((name) => {
    const network = choose.one(networks) as 'x' | 'y';
    const createdMs = NOW_MS + choose.one(ages) * 1_000;
    return givenRouting(name, { network, createdMs, subnets: [subnets[network]] });
  });
}

/** What must hold at any moment, whatever is under way. */
function anytime(field: Field): void {
  for (const network of networks) {
    const holders = [...field.world.routingsDecided.values()].filter(
      (one) => one.holds && one.network === network,
    );
    assert.ok(holders.length <= 1, `${network} is held once`);
  }
  for (const { owner, want, name, uid } of field.todo.values())
    if (want === 'absent' && uid !== '' && field.object(CUDN, name)?.uid === uid) {
      const routing = field.world.routingsDecided.get(owner.split('/')[1] ?? '');
      assert.ok(routing === undefined || routing.holds, `${name} is removed by its holder only`);
    }
}

/** What must hold when nothing happens any more. */
function atRest(field: Field): void {
  const live = [...field.routings.values()];
  const wanted = [...new Set(live.map(({ network }) => `cluster-udn-${network}`))].toSorted();
  assert.deepEqual(field.names(CUDN), wanted, 'a network exists while somebody claims it');
  assert.deepEqual(advertised(field).toSorted(), wanted);
  assert.equal(field.names('RouteAdvertisements').length, Number(wanted.length > 0));
  for (const network of networks) {
    const rivals = live.filter((one) => one.network === network);
    const ready = rivals.filter(({ name }) => field.routingState(name).phase === 'Ready');
    assert.equal(ready.length, Math.min(1, rivals.length), `one of ${rivals.length} is Ready`);
    for (const { name } of rivals)
      if (name !== ready[0]?.name)
        assert.equal(field.condition('CUDNCreated', name), 'False DuplicateNetwork');
  }
  assert.equal(field.rest(), 0);
  field.restart();
  assert.equal(field.rest(), 0, 'a restart says nothing');
}

/** Everybody works on, one round after the other, and at each moment the claims hold. */
function settle(field: Field): void {
  for (let round = 0; round < 30; round++) {
    const said = field.think();
    anytime(field);
    if (!field.obey() && said === 0) return;
  }
  assert.fail('it does not come to rest');
}

const orders = [
  ['p', 'q', 'r'],
  ['p', 'r', 'q'],
  ['q', 'p', 'r'],
  ['q', 'r', 'p'],
  ['r', 'p', 'q'],
  ['r', 'q', 'p'],
];

describe('claims on networks', function () {
  this.timeout(120_000);

  it('told together, go to the older one, then by name, in whatever order they are told', () => {
    const worlds = every((choose) => {
      const routings = routingsOf(choose, [0, 1]);
      const order = choose.one(orders);
      const field = open();
      for (const name of order) field.routing(routings.find((one) => one.name === name)!);
      settle(field);
      atRest(field);
      for (const network of networks) {
        const [first] = routings
          .filter((one) => one.network === network)
          .toSorted((a, b) => a.createdMs - b.createdMs || (a.name < b.name ? -1 : 1));
        if (first !== undefined) assert.ok(field.routingState(first.name).holds);
      }
    });
    assert.equal(worlds, 4 ** 3 * 6);
  });

  it('made one after the other and deleted in any order never cost a holder its network', () => {
    every((choose) => {
      // Their clocks may say what they like: who has a network keeps it.
      const sign = choose.one([1, -1]);
      const routings = routingsOf(choose, [0]).map((one, index) => ({
        ...one,
        createdMs: one.createdMs + sign * index * 1_000,
      }));
      const field = open();
      for (const routing of routings) {
        const before = new Map(field.world.routingsDecided);
        field.routing(routing);
        settle(field);
        for (const [name, { holds }] of before)
          assert.equal(field.routingState(name).holds, holds, 'a claim is kept');
      }
      const order = choose.one(orders);
      const hasty = choose.one([false, true]);
      for (const name of order) {
        const others = new Map(field.objects);
        const { network, holds } = field.routingState(name);
        field.deleteRouting(name);
        if (hasty) field.think();
        else settle(field);
        if (!holds && !hasty)
          assert.equal(
            field.object(CUDN, `cluster-udn-${network}`),
            others.get(`${CUDN}/cluster-udn-${network}`),
            'who never had it touches nothing',
          );
        anytime(field);
      }
      settle(field);
      atRest(field);
      assert.equal(field.routings.size, 0);
    });
  });
});
