/** What a reader of a collection sees while the Kubernetes API fails. */
import assert from 'node:assert/strict';
import { object } from './apiserver-double.ts';
import { brief, type Setting, setting, watching } from './kubernetes-setting.ts';

/** With these pauses, what is not done at once is not done within the time of a test. */
const atOnceOrNever = { backoffMs: 60_000, backoffCapMs: 60_000 };

describe('following a collection while the Kubernetes API fails', () => {
  let here: Setting | undefined;
  afterEach(async () => {
    await here?.stop();
    here = undefined;
  });

  it('lists again when the watch says that its version is too old', async () => {
    const started = await watching(atOnceOrNever);
    here = started;
    started.watch.event('ERROR', { kind: 'Status', code: 410, message: 'too old' });
    const list = await started.api.next();
    assert.ok(!list.isWatch);
    assert.equal(list.query.get('resourceVersion'), null);
    list.list('50', [object('web', '40')]);
    assert.deepEqual(brief(await started.seen), ['Listed 1']);
    assert.match(started.troubles[0] ?? '', /410 too old/);
  });

  it('lists again when a watch is refused because its version is too old', async () => {
    const started = await watching({ ...atOnceOrNever, steadyMs: 0 });
    here = started;
    started.watch.end();
    (await started.api.next()).refuse(410, 'too old');
    const list = await started.api.next();
    assert.ok(!list.isWatch);
    list.list('50', []);
    assert.deepEqual(brief(await started.seen), ['Listed 0']);
  });

  it('begins the list anew when its next page is no longer kept', async () => {
    here = await setting(atOnceOrNever);
    const seen = here.next();
    (await here.api.next()).list('10', [object('a', '3')], 'page-2');
    (await here.api.next()).refuse(410, 'the continue token is too old');
    const anew = await here.api.next();
    assert.equal(anew.query.get('continue'), null);
    anew.list('20', [object('a', '3'), object('b', '15')]);
    assert.deepEqual(brief(await seen), ['Listed 2']);
  });

  it('waits as long as the server asks', async () => {
    here = await setting();
    const seen = here.next();
    const refused = await here.api.next();
    const atMs = performance.now();
    refused.refuse(429, 'storage is (re)initializing', { 'retry-after': '1' });
    (await here.api.next()).list('10', []);
    assert.ok(performance.now() - atMs >= 990, `${performance.now() - atMs} ms`);
    assert.deepEqual(brief(await seen), ['Listed 0']);
    assert.match(here.troubles[0] ?? '', /storage is \(re\)initializing/);
  });

  it('asks ever more slowly for watches that end at once', async () => {
    const started = await watching({ backoffMs: 40 });
    here = started;
    let { watch } = started;
    for (const atLeastMs of [20, 40, 80]) {
      const atMs = performance.now();
      watch.end();
      watch = (await started.api.next()).open();
      const waitedMs = performance.now() - atMs;
      assert.ok(waitedMs >= atLeastMs - 2, `${waitedMs} ms rather than ${atLeastMs}`);
    }
  });

  it('forgets earlier failures once a watch has held', async () => {
    const started = await watching({ backoffMs: 80, steadyMs: 200, silenceMs: 300 });
    here = started;
    let { watch } = started;
    for (let failures = 0; failures < 3; failures += 1) {
      watch.end();
      watch = (await started.api.next()).open();
    }
    await watch.dropped();
    const atMs = performance.now();
    await started.api.next();
    const waitedMs = performance.now() - atMs;
    assert.ok(waitedMs < 300, `${waitedMs} ms, as if it were the fourth failure in a row`);
  });

  it('asks ever more slowly for lists that expire at once', async () => {
    const started = await watching({ backoffMs: 100 });
    here = started;
    const { api } = started;
    started.watch.event('ERROR', { code: 410 });
    (await api.next()).list('20', []);
    await started.seen;
    const seen = started.next();
    const atMs = performance.now();
    (await api.next()).open().event('ERROR', { code: 410 });
    (await api.next()).list('30', []);
    assert.ok(performance.now() - atMs >= 49, 'the second list in a row is not made at once');
    assert.deepEqual(brief(await seen), ['Listed 0']);
  });

  it('outlives a line that cannot be read, and lists what it may have said', async () => {
    const started = await watching();
    here = started;
    started.watch.write('{"type":"ADDED","object":{"meta\n');
    const list = await started.api.next();
    assert.ok(!list.isWatch);
    list.list('20', [object('web', '11')]);
    assert.deepEqual(brief(await started.seen), ['Listed 1']);
    assert.match(started.troubles[0] ?? '', /cannot be read/);
  });

  it('goes on from the last whole line when the connection is cut within one', async () => {
    const started = await watching();
    here = started;
    started.watch.event('ADDED', object('web', '11'));
    assert.deepEqual(brief(await started.seen), ['Put web 11']);
    const seen = started.next();
    started.watch.write('{"type":"MODIFIED","obj');
    started.watch.cut();
    const again = await started.api.next();
    assert.equal(again.query.get('resourceVersion'), '11');
    again.open().event('MODIFIED', object('web', '12'));
    assert.deepEqual(brief(await seen), ['Put web 12']);
  });

  it('gives up a silent watch and goes on from where it was', async () => {
    const started = await watching({ silenceMs: 60 });
    here = started;
    await started.watch.dropped();
    const again = await started.api.next();
    assert.equal(again.query.get('resourceVersion'), '10');
    assert.match(started.troubles[0] ?? '', /silent for 60 ms/);
  });

  it('keeps a watch on which nothing but bookmarks arrive', async () => {
    const started = await watching({ silenceMs: 600 });
    here = started;
    for (let version = 11; version < 21; version += 1) {
      started.watch.event('BOOKMARK', { metadata: { resourceVersion: String(version) } });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    started.watch.event('ADDED', object('web', '30'));
    assert.deepEqual(brief(await started.seen), ['Put web 30']);
    assert.deepEqual(started.troubles, []);
  });
});
