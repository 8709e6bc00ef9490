/** Kubernetes Events: the same again is counted, a flood is summed up, nothing is told twice. */
import assert from 'node:assert/strict';
import type { Notice } from '../../core/decision.ts';
import { Record } from '../../services/publisher/record.ts';
import { item, stage } from './scene.ts';

const notice = (note: string): Notice => ({ reason: 'NoAvailableNode', type: 'Warning', note });

describe('recording events', () => {
  it('counts the same notice as a series instead of creating it anew', async () => {
    const { bench, model, place } = await stage(['web']);
    for (const node of ['n1', 'n2', 'n1']) {
      place('web', [item('10.0.0.1', node)], [notice('no node is ready')]);
      await bench.rest();
      await bench.sleep(60_000);
    }
    const [first, ...more] = model.events;
    assert.equal(first?.method, 'POST');
    assert.deepEqual(
      more.map(({ method, body }) => [
        method,
        (body as { series: { count: number } }).series.count,
      ]),
      [
        ['PATCH', 2],
        ['PATCH', 3],
      ],
    );
    const created = first?.body as { metadata: { name: string } } | undefined;
    for (const { path } of more) assert.ok(path.includes(`/${created?.metadata.name}?`));
  });

  it('begins a new event when the last one is longer ago than six minutes', () => {
    const first = new Record().plan(notice('a'), 'one', 0);
    assert.equal(first.after.plan(notice('a'), 'two', 5 * 60_000).entry.kind, 'Again');
    assert.equal(first.after.plan(notice('a'), 'two', 6 * 60_000).entry.kind, 'New');
  });

  it('creates at most ten and a summary of the rest within a minute', () => {
    let record = new Record();
    const entries = Array.from({ length: 25 }, (_, index) => {
      const planned = record.plan(notice(`number ${index}`), `event-${index}`, index * 1_000);
      record = planned.after;
      return planned.entry;
    });
    const created = entries.filter(({ kind }) => kind === 'New');
    assert.equal(created.length, 11);
    assert.deepEqual(entries.at(-1), {
      kind: 'Again',
      event: 'event-10',
      count: 15,
      lastMs: 24_000,
    });
    assert.equal(record.plan(notice('later'), 'event-25', 61_000).entry.kind, 'New');
  });

  it('creates the event anew when somebody deleted the one that would be counted up', async () => {
    const { bench, model, place } = await stage(['web']);
    place('web', [item('10.0.0.1', 'n1')], [notice('a')]);
    await bench.rest();
    place('web', [item('10.0.0.1', 'n2')], [notice('a')]);
    await bench.rest(({ method, path }) =>
      method === 'PATCH' && path.includes('/events/') ? 404 : 0,
    );
    await bench.sleep(1_000);
    await bench.rest();
    assert.deepEqual(
      model.events.map(({ method }) => method),
      ['POST', 'POST'],
    );
  });

  it('tells nothing again after a restart', async () => {
    const { bench, model, place } = await stage(['web']);
    place('web', [item('10.0.0.1', 'n1')], [notice('a')]);
    await bench.rest();
    await bench.restart(() => true);
    await bench.rest();
    assert.equal(model.events.length, 1);
  });
});
