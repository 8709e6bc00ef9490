/** The simulated cluster tells what changes, and carries out only what reaches it. */
import assert from 'node:assert/strict';
import type { Sighting } from '../../core/door.ts';
import { EGRESSIPS, NODES } from '../../edge/simulated/admission.ts';
import { never, openCluster, path, spec, take, valueAt, web } from './simulated-setting.ts';

describe('the simulated cluster', () => {
  it('lists, then tells what changes; a patch that changes nothing is no event', async () => {
    const { cluster, ask } = openCluster();
    await ask('POST', EGRESSIPS, web);
    const watch = cluster.watch(EGRESSIPS, never);
    const [listed] = await take(watch);
    assert.equal(listed?.kind, 'Listed');
    const version = cluster.get(EGRESSIPS, 'web')?.metadata.resourceVersion;
    await ask('PATCH', path, { spec });
    assert.equal(cluster.get(EGRESSIPS, 'web')?.metadata.resourceVersion, version);
    const next = take(watch);
    await ask('PATCH', path, { status: { items: [] } });
    const [put] = await next;
    assert.ok(put?.kind === 'Put' && put.object.metadata.resourceVersion !== version);
    await ask('DELETE', path);
    const uid = put.object.metadata.uid;
    assert.deepEqual(await take(watch), [
      { kind: 'Gone', collection: EGRESSIPS, name: 'web', uid },
    ]);
  });

  it('tells a burst at once, and after a relist only how it ended', async () => {
    const { cluster } = openCluster();
    const watch = cluster.watch(NODES, never);
    await take(watch);
    const kinds = (sightings: readonly Sighting[]) => sightings.map(({ kind }) => kind);
    cluster.set(NODES, 'a', { metadata: { labels: { x: '1' } } });
    cluster.set(NODES, 'a', { metadata: { labels: { x: '2' } } });
    assert.deepEqual(kinds(await take(watch)), ['Put', 'Put']);
    cluster.hold(NODES);
    cluster.set(NODES, 'b', {});
    cluster.set(NODES, 'c', {});
    const next = take(watch);
    cluster.release(NODES, true);
    assert.deepEqual(kinds(await next), ['Listed']);
  });

  it('keeps an object that a finalizer holds until it is let go', async () => {
    const { cluster, ask } = openCluster();
    await ask('POST', EGRESSIPS, { ...web, metadata: { name: 'web', finalizers: ['mine'] } });
    await ask('DELETE', path);
    assert.ok(valueAt(cluster.get(EGRESSIPS, 'web'), 'metadata', 'deletionTimestamp'));
    await ask('PATCH', path, { metadata: { finalizers: [] } });
    assert.equal(cluster.get(EGRESSIPS, 'web'), undefined);
  });

  it('does not carry out what a killed room had on its way', async () => {
    const { cluster } = openCluster();
    const stop = new AbortController();
    const request = { method: 'POST', path: EGRESSIPS, contentType: '', body: web } as const;
    const asked = cluster.request(request, stop.signal);
    stop.abort();
    assert.equal((await asked).status, 0);
    assert.equal(cluster.get(EGRESSIPS, 'web'), undefined);
    assert.deepEqual(cluster.requests, []);
  });
});
