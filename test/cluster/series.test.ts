/** Events that come again, on a real API server: counted as a series, not created anew. */
import assert from 'node:assert/strict';
import { type House, openHouse } from './house.ts';
import type { Told } from './objects.ts';

interface Series extends Told {
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

describe('an event that comes again on a real API server', function () {
  this.timeout(60_000);
  let house: House;
  before(async () => {
    house = await openHouse();
    await house.node('a1', { labels: { pool: 'a' } });
    await house.egressIP('web', ['10.0.9.1'], { pool: 'a' });
  });
  after(() => house?.stop());

  const told = (): Series[] => house.told('web', 'NoMatchingNodeFound');

  it('is counted up, and its time is that of the last one', async () => {
    for (let times = 1; times <= 3; times++) {
      await house.homed('web', '10.0.9.1 on a1');
      await house.label('a1', { pool: null });
      await house.homed('web', '');
      await house.until(`told ${times} times`, () => (told()[0]?.series?.count ?? 1) === times);
      await house.hasTold('web', 'NoMatchingNodeFound');
      await house.label('a1', { pool: 'a' });
    }
    assert.equal(told().length, 1);
    const [event] = told();
    const lastMs = Date.parse(event?.series?.lastObservedTime ?? '');
    assert.ok(Math.abs(Date.now() - lastMs) < 30_000);
  });
});
