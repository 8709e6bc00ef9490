/** What a reader of a collection sees while the Kubernetes API behaves well. */
import assert from 'node:assert/strict';
import { object } from './apiserver-double.ts';
import { brief, egressIPs, type Setting, setting, watching } from './kubernetes-setting.ts';

describe('following a collection of the Kubernetes API', () => {
  let here: Setting | undefined;
  afterEach(async () => {
    await here?.stop();
    here = undefined;
  });

  it('shows a collection of many pages as one', async () => {
    here = await setting();
    const seen = here.next();
    const first = await here.api.next();
    assert.equal(first.path, egressIPs);
    assert.equal(first.query.get('limit'), '500');
    assert.equal(first.query.get('resourceVersion'), null, 'the list is a consistent one');
    first.list('10', [object('a', '3'), object('b', '4')], 'page-2');
    const second = await here.api.next();
    assert.equal(second.query.get('continue'), 'page-2');
    second.list('10', [object('c', '9')]);
    assert.deepEqual(brief(await seen), ['Listed 3']);
  });

  it('watches from the version of the list, for 5 to 10 minutes, with bookmarks', async () => {
    const started = await watching();
    here = started;
    const { query } = started.watch;
    assert.equal(query.get('resourceVersion'), '10');
    assert.equal(query.get('allowWatchBookmarks'), 'true');
    const seconds = Number(query.get('timeoutSeconds'));
    assert.ok(seconds >= 300 && seconds <= 600, `${seconds} seconds`);
  });

  it('shows what arrives together together', async () => {
    const started = await watching();
    here = started;
    const lines = [
      { type: 'ADDED', object: object('web', '11') },
      { type: 'MODIFIED', object: object('web', '12') },
      { type: 'DELETED', object: object('web', '13') },
    ];
    started.watch.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    assert.deepEqual(brief(await started.seen), ['Put web 11', 'Put web 12', 'Gone uid-web']);
  });

  it('shows an object whole that arrives byte by byte', async () => {
    const started = await watching();
    here = started;
    const note = { spec: { note: 'naïve 出口 🚪' } };
    const line = JSON.stringify({ type: 'ADDED', object: object('web', '11', note) });
    for (const byte of Buffer.from(`${line}\n`)) {
      started.watch.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [sighting] = (await started.seen) ?? [];
    assert.ok(sighting?.kind === 'Put');
    assert.deepEqual(sighting.object['spec'], note.spec);
  });

  it('shows that an object was replaced by a namesake', async () => {
    const started = await watching();
    here = started;
    started.watch.event('DELETED', object('web', '11'));
    assert.deepEqual(brief(await started.seen), ['Gone uid-web']);
    const next = started.next();
    const namesake = { name: 'web', uid: 'uid-other', resourceVersion: '12' };
    started.watch.event('ADDED', { metadata: namesake });
    const [sighting] = (await next) ?? [];
    assert.equal(sighting?.kind === 'Put' && sighting.object.metadata.uid, 'uid-other');
  });

  it('leaves out who manages which field', async () => {
    const started = await watching();
    here = started;
    const metadata = { name: 'web', uid: 'u', resourceVersion: '11', managedFields: [{}] };
    started.watch.event('ADDED', { metadata });
    const [sighting] = (await started.seen) ?? [];
    assert.ok(sighting?.kind === 'Put');
    assert.deepEqual(Object.keys(sighting.object.metadata), ['name', 'uid', 'resourceVersion']);
  });

  it('goes on after a watch has ended in its time, from the last version seen', async () => {
    const started = await watching({ steadyMs: 0 });
    here = started;
    started.watch.event('ADDED', object('web', '11'));
    await started.seen;
    const seen = started.next();
    started.watch.end();
    const again = await started.api.next();
    assert.equal(again.query.get('resourceVersion'), '11');
    assert.deepEqual(started.troubles, []);
    again.open().event('MODIFIED', object('web', '12'));
    assert.deepEqual(brief(await seen), ['Put web 12']);
  });

  it('goes on from a bookmark, which the reader does not see', async () => {
    const started = await watching();
    here = started;
    started.watch.event('BOOKMARK', { metadata: { resourceVersion: '99' } });
    started.watch.end();
    const again = await started.api.next();
    assert.equal(again.query.get('resourceVersion'), '99');
  });

  it('does not go on before the reader has come back for more', async () => {
    const started = await watching();
    here = started;
    started.watch.event('ADDED', object('web', '11'));
    await started.seen;
    started.watch.event('MODIFIED', object('web', '12'));
    started.watch.end();
    // Another request is answered meanwhile, so a watch would have had the time to come.
    const other = started.cluster.get('/healthz', started.control.signal);
    const exchange = await started.api.next();
    assert.equal(exchange.path, '/healthz');
    exchange.json(200, {});
    await other;
    assert.equal(started.api.unanswered, 0);
    assert.deepEqual(brief(await started.next()), ['Put web 12'], 'what came meanwhile is kept');
    const more = started.next();
    const again = await started.api.next();
    assert.equal(again.query.get('resourceVersion'), '12');
    started.control.abort();
    assert.equal(await more, undefined);
  });
});
