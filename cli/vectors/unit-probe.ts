/** The tables of the legacy probe and of writes, against what our probe and our patches do. */
import { isDeepStrictEqual } from 'node:util';
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import type { Item } from '../../core/fact.ts';
import { listOf, property, textOf } from '../../core/json.ts';
import { Silent } from '../../edge/probe/connect.ts';
import { provesAlive, tryTimeoutMs } from '../../edge/probe/tcp.ts';
import { jsonPatch, mergePatch } from '../../edge/simulated/patch.ts';
import { egressIPRequests } from '../../services/publisher/requests.ts';
import type { Compared, Row } from './unit.ts';

/** Rows with several addresses do not apply: ours are tried at once and do not share the time. */
export function legacyDial(table: unknown): readonly Compared[] {
  const outcomes = listOf(property(table, 'outcomes')).map((row) => {
    const result = textOf(property(row, 'result'));
    const error = result === 'timeout' ? new Silent() : coded(result);
    const got = result === 'connected' || provesAlive(error);
    return { want: property(row, 'reachable'), got };
  });
  const times = listOf(property(table, 'timeoutsMs'))
    .filter((row) => property(row, 'ips') === 1)
    .map((row) => {
      const deadlineMs = Number(property(row, 'totalTimeoutS')) * 1000;
      return {
        want: [property(row, 'first'), property(row, 'retry')],
        got: [tryTimeoutMs(deadlineMs, 0), tryTimeoutMs(deadlineMs, 1)],
      };
    });
  return [...outcomes, ...times];
}

const coded = (code: string): Error => Object.assign(new Error(code), { code });

/** What is on the object after the snapshot's patch, and after ours: the same, and nothing lost. */
export const patchBodies: Row = (row) => {
  const theirs = property(row, 'snapshotBody');
  const before = { metadata: { name: 'web', uid: '1' }, status: { items: [] } };
  const after = jsonPatch(before, [
    { op: 'add', path: '/metadata/annotations', value: {} },
    ...listOf(theirs),
  ]);
  const marked = property(property(after, 'metadata'), 'annotations');
  const mark = Number(property(marked, EGRESSIP_MARK) ?? 0);
  const status = listOf(theirs).find((one) => property(one, 'path') === '/status');
  const items = property(property(status, 'value'), 'items') as readonly Item[] | undefined;
  const kept = { ...before, metadata: { ...before.metadata, annotations: { owner: 'us' } } };
  const ours = egressIPRequests('web', '1', items, mark, false).reduce<unknown>(
    (object, { body }) =>
      Array.isArray(body) ? jsonPatch(object, body) : mergePatch(object, body),
    kept,
  );
  const annotations = { owner: 'us', ...(marked as object) };
  const want = { ...(after as object), metadata: { ...before.metadata, annotations } };
  return { want: true, got: isDeepStrictEqual(ours, want) };
};
