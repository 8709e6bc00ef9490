/** A CRD that gets or loses its status subresource while Sluice runs loses no write. */
import assert from 'node:assert/strict';
import { item, stage } from './scene.ts';

describe('the shape of the CRD', () => {
  for (const before of [false, true])
    it(`may ${before ? 'lose' : 'get'} its status subresource at run time`, async () => {
      const scene = await stage(['web']);
      scene.model.statusSubresource = before;
      await scene.bench.restart(() => true);
      scene.place('web', [item('10.0.0.1', 'n1')]);
      await scene.bench.rest();
      scene.model.statusSubresource = !before;
      scene.place('web', [item('10.0.0.1', 'n2')]);
      await scene.bench.rest();
      await scene.bench.sleep(1_000);
      await scene.bench.rest();
      assert.deepEqual(scene.model.egressIPs.get('web')?.items, [item('10.0.0.1', 'n2')]);
    });

  it('does not let a mark that the admission policy refuses hold up the status', async () => {
    const scene = await stage(['web']);
    scene.place('web', [item('10.0.0.1', 'n1')]);
    const marks = (request: { body: unknown }): boolean =>
      JSON.stringify(request.body ?? '').includes('egressip-mark');
    await scene.bench.rest((request) => (marks(request) ? 422 : 0));
    assert.deepEqual(scene.model.egressIPs.get('web')?.items, [item('10.0.0.1', 'n1')]);
    assert.equal(scene.model.egressIPs.get('web')?.mark, '');
    const failures = scene.bench.said.filter(
      ({ event }) => 'failure' in event && event.failure !== '',
    );
    assert.equal(failures.length, 1, 'and it is said once');
  });
});
