/** Shadow mode on a real API server: whatever happens, not one write of Sluice reaches it. */
import assert from 'node:assert/strict';
import { bodyOf } from '../controlplane/http.ts';
import { type House, openHouse } from './house.ts';
import { egressIPs, type Item, markKey } from './objects.ts';

const address = '10.0.7.1';

describe('shadow mode on a real API server', function () {
  this.timeout(90_000);
  let house: House;
  before(async () => {
    house = await openHouse({ env: { SLUICE_MODE: 'shadow' } });
  });
  after(() => house?.stop());

  /** What the log of the publisher had when nothing went on any more. */
  const said = async (): Promise<number> => (await house.rest())['publisher'] ?? 0;

  it('writes nothing while nodes fail and EgressIPs come and go, and tells all', async () => {
    for (const name of ['a1', 'a2']) await house.node(name, { labels: { pool: 'a' } });
    await house.egressIP('web', [address], { pool: 'a' });
    const first = await said();
    assert.ok(first > 0, 'it has told what it would write');
    await house.setReady('a1', false);
    await house.setReady('a2', false);
    await house.rest();
    await house.setReady('a2', true);
    await house.egressIP('brief', ['10.0.7.2'], { pool: 'a' });
    await house.rest();
    await house.api.delete(`${egressIPs}/brief`);
    assert.ok((await said()) > first);
    // The writes that the watch shows are the operator's own: two creations and a deletion.
    const seen = house.egressIPs.history.map(
      ({ type, object }) => `${type} ${object.metadata.name}`,
    );
    assert.deepEqual(seen, ['ADDED web', 'ADDED brief', 'DELETED brief']);
    assert.equal(house.events.history.length, 0);
  });

  it('differs in nothing once the other controller has written the same', async () => {
    const items: Item[] = [{ egressIP: address, node: 'a2' }];
    const metadata = { annotations: { [markKey]: '50000' } };
    await house.api.patch(`${egressIPs}/web`, { metadata, status: { items } });
    await house.rest();
    const page = await bodyOf(`${house.rooms?.room('publisher').healthUrl}/metrics`);
    assert.match(page, /^sluice_shadow_differences 0$/m);
  });

  it('says nothing when it comes back', async () => {
    const before = await house.rest();
    await house.rooms?.room('publisher').restart();
    await house.rooms?.ready(30_000);
    await house.silent(before);
  });
});
