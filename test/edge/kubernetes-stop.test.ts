/** A reader that stops leaves nothing behind, whatever it was waiting for. */
import assert from 'node:assert/strict';
import { object } from './apiserver-double.ts';
import { type Setting, setting, watching } from './kubernetes-setting.ts';

describe('a reader of the Kubernetes API that is told to stop', () => {
  let here: Setting;
  afterEach(() => here.stop());

  async function endsWithNothingOpen(next: ReturnType<Setting['next']>): Promise<void> {
    here.control.abort();
    assert.equal(await next, undefined);
    assert.equal(await here.next(), undefined, 'it does not come back');
    await here.cluster.close();
    await here.api.deserted();
    assert.equal(here.api.unanswered, 0, 'nothing was asked after the end');
  }

  it('before it has begun, asks for nothing', async () => {
    here = await setting();
    here.control.abort();
    await endsWithNothingOpen(here.next());
  });

  it('while it lists, drops the list', async () => {
    here = await setting();
    const next = here.next();
    const list = await here.api.next();
    here.control.abort();
    await list.dropped();
    await endsWithNothingOpen(next);
  });

  it('between two pages, asks for no more of them', async () => {
    here = await setting();
    const next = here.next();
    (await here.api.next()).list('10', [], 'page-2');
    const page = await here.api.next();
    here.control.abort();
    await page.dropped();
    await endsWithNothingOpen(next);
  });

  it('while its watch is not answered yet, drops the watch', async () => {
    here = await setting();
    const listed = here.next();
    (await here.api.next()).list('10', []);
    await listed;
    const next = here.next();
    const watch = await here.api.next();
    here.control.abort();
    await watch.dropped();
    await endsWithNothingOpen(next);
  });

  it('while it watches, drops the watch', async () => {
    const started = await watching();
    here = started;
    here.control.abort();
    await started.watch.dropped();
    await endsWithNothingOpen(started.seen);
  });

  it('while it is busy with a list, opens no watch', async () => {
    here = await setting();
    const listed = here.next();
    (await here.api.next()).list('10', []);
    await listed;
    here.control.abort();
    await endsWithNothingOpen(here.next());
  });

  it('while more is waiting for it, does not see that', async () => {
    const started = await watching();
    here = started;
    started.watch.event('ADDED', object('web', '11'));
    await started.seen;
    started.watch.event('MODIFIED', object('web', '12'));
    // Another request is answered meanwhile, so the event has had the time to come.
    const other = started.cluster.get('/healthz', started.control.signal);
    (await started.api.next()).json(200, {});
    await other;
    started.control.abort();
    await endsWithNothingOpen(here.next());
  });

  it('while it waits to try again, does not try again', async () => {
    here = await setting({ backoffMs: 60_000, backoffCapMs: 60_000 });
    const next = here.next();
    const list = await here.api.next();
    list.cut();
    while (here.troubles.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await endsWithNothingOpen(next);
  });

  it('while it waits for a kind to be served, does not look again', async () => {
    here = await setting({ absentMs: 60_000 });
    const missing = here.next();
    (await here.api.next()).refuse(404, 'not served');
    await missing;
    await endsWithNothingOpen(here.next());
  });

  it('by leaving its loop, drops the watch', async () => {
    const started = await watching();
    here = started;
    const mine = started.cluster.watch('/api/v1/nodes', new AbortController().signal);
    const left = (async () => {
      for await (const sightings of mine) {
        if (sightings[0]?.kind === 'Put') break;
      }
    })();
    (await started.api.next()).list('5', []);
    const watch = (await started.api.next()).open();
    watch.event('ADDED', { metadata: { name: 'n', uid: 'u', resourceVersion: '6' } });
    await Promise.all([left, watch.dropped()]);
  });

  it('by closing the door, ends every watch', async () => {
    const started = await watching();
    here = started;
    await started.cluster.close();
    assert.equal(await started.seen, undefined);
    await started.api.deserted();
  });
});
