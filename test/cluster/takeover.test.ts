/**
 * Sluice takes over a cluster that another controller ran: nothing moves, nothing of users is lost.
 */
import assert from 'node:assert/strict';
import type { CrdShape } from '../controlplane/crd.ts';
import { type House, openHouse } from './house.ts';
import { egressIPObject, egressIPs, type Item, markKey, nodes } from './objects.ts';

/** An EgressIP as the other controller left it. */
interface Left {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly items: readonly Item[];
  readonly mark?: string;
}

const item = (egressIP: string, node: string): Item => ({ egressIP, node });
const one = item('10.0.6.1', 'a3');

const left: readonly Left[] = [
  // Everything on one node: far from balanced, but valid.
  { name: 'whole', addresses: ['10.0.6.1'], items: [one], mark: '50007' },
  { name: 'whole-too', addresses: ['10.0.6.2'], items: [item('10.0.6.2', 'a3')], mark: '50001' },
  { name: 'unmarked', addresses: ['10.0.6.3'], items: [item('10.0.6.3', 'a3')] },
  {
    name: 'partly',
    addresses: ['10.0.6.4', '10.0.6.5'],
    items: [item('10.0.6.5', 'a3')],
    mark: '50002',
  },
  { name: 'astray', addresses: ['10.0.6.6'], items: [item('10.0.6.6', 'b1')], mark: '50000' },
  { name: 'stale', addresses: ['10.0.6.7'], items: [item('10.0.6.8', 'a3')], mark: '50003' },
  { name: 'odd-mark', addresses: ['10.0.6.9'], items: [item('10.0.6.9', 'a3')], mark: 'seven' },
  { name: 'same-mark', addresses: ['10.0.6.10'], items: [item('10.0.6.10', 'a3')], mark: '50007' },
];

const users = { 'example.com/owner': 'team-a' };

async function leave(house: House, crd: CrdShape): Promise<void> {
  for (const name of ['a1', 'a2', 'a3']) await house.node(name, { labels: { pool: 'a' } });
  await house.node('b1');
  for (const { name, addresses, items, mark } of left) {
    const object = egressIPObject(name, addresses, { pool: 'a' });
    const annotations = { ...users, ...(mark !== undefined && { [markKey]: mark }) };
    const metadata = { ...object.metadata, annotations };
    await house.post(egressIPs, { ...object, metadata, status: { items } });
    if (crd === 'status')
      await house.api.patch(`${egressIPs}/${name}/status`, { status: { items } });
  }
}

const shapes: readonly CrdShape[] = ['plain', 'status'];
for (const crd of shapes) {
  describe(`taking over a cluster whose EgressIPs have the ${crd} shape`, function () {
    this.timeout(90_000);
    let house: House;
    let found = 0;
    before(async () => {
      const leaveAll = async (opened: House): Promise<void> => {
        await leave(opened, crd);
        await opened.until('all are left', () =>
          left.every(({ name }) => opened.homes(name) !== ''),
        );
        found = opened.egressIPs.history.length;
      };
      house = await openHouse({ crd, before: leaveAll });
      await house.homed('stale', /10\.0\.6\.7 on/);
      await house.homed('astray', /on a/);
      await house.homed('partly', /10\.0\.6\.4 on/);
      await house.rest();
    });
    after(() => house.stop());

    const writesTo = (name: string): number => {
      const writes = house.egressIPs.history.slice(found);
      return writes.filter(({ object }) => object.metadata.name === name).length;
    };

    it('writes nothing to objects that are as they should be', () => {
      assert.equal(house.homes('whole'), '10.0.6.1 on a3');
      for (const name of ['whole', 'whole-too', 'odd-mark', 'same-mark'])
        assert.equal(writesTo(name), 0, name);
    });

    it('records no event about what it found in order', () => {
      for (const name of ['whole', 'whole-too', 'unmarked', 'odd-mark', 'same-mark'])
        assert.equal(house.told(name, 'Assigned').length + house.told(name, 'Moved').length, 0);
    });

    it('gives a mark of its own to an object that has none, and moves nothing', () => {
      const object = house.egressIPs.objects.get('unmarked');
      const mark = Number(object?.metadata.annotations?.[markKey]);
      assert.ok(mark >= 50_000 && mark <= 54_999);
      assert.ok(!left.some((other) => other.mark === String(mark)));
      assert.equal(house.homes('unmarked'), '10.0.6.3 on a3');
      assert.equal(writesTo('unmarked'), 1);
    });

    it('gives a partly assigned object only what is missing, in one write', () => {
      assert.match(house.homes('partly'), /^10\.0\.6\.4 on a[12], 10\.0\.6\.5 on a3$/);
      assert.equal(writesTo('partly'), 1);
    });

    it('moves what is on a node that does not match, and drops what is not in the spec', () => {
      assert.match(house.homes('astray'), /^10\.0\.6\.6 on a[12]$/);
      assert.match(house.homes('stale'), /^10\.0\.6\.7 on a[12]$/);
      assert.equal(writesTo('astray'), 1);
      assert.equal(writesTo('stale'), 1);
    });

    it('keeps marks and the annotations of users', () => {
      for (const { name, mark } of left) {
        const { annotations = {} } = house.egressIPs.objects.get(name)?.metadata ?? {};
        assert.equal(annotations['example.com/owner'], 'team-a');
        if (mark !== undefined) assert.equal(annotations[markKey], mark);
      }
    });

    it('then works on: a new object has its mark no later than its first node', async () => {
      await house.egressIP('fresh', ['10.0.6.20', '10.0.6.21'], { pool: 'a' });
      await house.homed('fresh', /10\.0\.6\.20 on a., 10\.0\.6\.21 on a./);
      const writes = house.egressIPs.history.filter(({ object }) => object.status?.items?.length);
      for (const { object } of writes.slice(-1))
        assert.match(object.metadata.annotations?.[markKey] ?? '', /^5/);
      const from = house.nodeOf('fresh', '10.0.6.20');
      await house.api.delete(`${nodes}/${from}`);
      await house.hasTold('fresh', 'Moved', /10\.0\.6\.20 moved from/);
      await house.silent(await house.rest());
    });
  });
}
