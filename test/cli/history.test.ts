/** `sluice history`: the life of an object and what led to each event; how it was at some time. */
import assert from 'node:assert/strict';
import { type HistoryAsk, history } from '../../cli/history.ts';
import { targetOf } from '../../cli/history-target.ts';
import type { Heard } from '../../core/event.ts';
import { egressIP, node, probe, Scene, seen, START_MS, synced, where } from './scene.ts';
import { logOf, screenAt } from './stage.ts';

const production = { tier: 'production' };

/** prod-web is placed at 10:14:00, moves a minute later, and again the day after. */
function eventful(): Scene {
  const scene = new Scene();
  scene.see(
    synced('grpc'),
    seen(node('worker-1', 1, production)),
    probe('worker-1', true),
    seen(node('worker-2', 2, production)),
    probe('worker-2', true),
    egressIP('prod-web', ['203.0.113.100'], where(production)),
  );
  scene.wait(60_000).see(probe('worker-1', false));
  scene.wait(24 * 3_600_000).see(probe('worker-1', true), probe('worker-2', false));
  return scene;
}

async function told(scene: Scene, operand: string, more: Partial<HistoryAsk> = {}) {
  const settings = { excluded: undefined };
  const given = { target: targetOf(operand), sinceMs: undefined, atMs: undefined, settings };
  const ask = { ...given, output: 'text', ...more } as const;
  const screen = screenAt(scene.nowMs);
  const code = await history(logOf(scene.heard), ask, screen);
  return { code, text: screen.text() };
}

describe('sluice history', () => {
  const scene = eventful();

  it('tells a life by days, and beneath each event the events that led to it', async () => {
    const { code, text } = await told(scene, 'egressip/prod-web');
    const lines = text.trimEnd().split('\n');
    assert.deepEqual(lines.slice(0, 3), [
      '2026-11-30',
      '10:14:00.000  watcher    egressip/prod-web         seen',
      '10:14:00.004  assigner   egressip/prod-web         203.0.113.100 placed on worker-1',
    ]);
    assert.match(
      lines[3] ?? '',
      /^ {4}← watcher 6 {8}10:14:00\.000 {2}egressip\/prod-web {2}seen$/,
    );
    assert.equal(lines.filter((line) => line === '2026-12-01').length, 1);
    const cause =
      / ← watcher 7 +10:15:00\.004 {2}probe\/worker-1 {2}port 9107 silent for 3 probes$/m;
    assert.match(text, cause);
    assert.equal(code, 0);
  });

  it('tells of a node what its probe found as well', async () => {
    const { text } = await told(scene, 'node/worker-1');
    const objects = text.split('\n').map((line) => line.split(/ {2,}/)[2]);
    assert.deepEqual(
      objects.filter((object) => object !== undefined),
      ['node/worker-1', 'probe/worker-1', 'probe/worker-1', 'probe/worker-1'],
    );
  });

  it('begins where it is told to', async () => {
    const { text } = await told(scene, 'prod-web', { sinceMs: START_MS + 3_600_000 });
    assert.match(text, /^2026-12-01\n10:15:00\.012 {2}assigner .* moves worker-2 → worker-1/);
  });

  it('says of a cause that the log has lost that it is not there any more', async () => {
    const lost = new Scene();
    lost.heard.push(...scene.heard.filter(({ sequence }) => sequence !== 7));
    const { text } = await told(lost, 'egressip/prod-web');
    assert.match(text, /← watcher 7 +not on the log any more$/m);
  });

  it('writes an object a line for machines, each cause with its sentence', async () => {
    const { text } = await told(scene, 'egressip/prod-web', { output: 'json' });
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Heard);
    assert.equal(records.length, 4);
    assert.deepEqual(records[2]?.causes, [
      {
        stream: 'watcher',
        sequence: 7,
        time: '2026-11-30T10:15:00.004Z',
        object: 'probe/worker-1',
        said: 'port 9107 silent for 3 probes',
      },
    ]);
  });

  it('shows how it was at some time, and answers why as if it were then', async () => {
    const atMs = START_MS + 30_000;
    const { code, text } = await told(scene, 'egressip/prod-web', { atMs });
    assert.match(text, /^egressip\/prod-web at 2026-11-30T10:14:30\.000Z, by the last words on it/);
    assert.match(text, /^10:14:00 +assigner 1 +egressip\/prod-web +.* placed on worker-1$/m);
    assert.match(text, /^203\.0\.113\.100 of prod-web is on worker-1 since 10:14:00 \(29s\)\.$/m);
    assert.doesNotMatch(text, /silent|worker-1 → worker-2|12-01/);
    assert.equal(code, 0);
    const later = await told(scene, 'egressip/prod-web', { atMs: START_MS + 3_600_000 });
    assert.match(later.text, /^203\.0\.113\.100 of prod-web is on worker-2 since 10:15:00 /m);
    assert.match(later.text, /^worker-1 +yes +yes +no \(58m\) +.* unreachable/m);
  });

  it('shows which addresses a node had', async () => {
    const { text } = await told(scene, 'node/worker-2', { atMs: START_MS + 3_600_000 });
    assert.match(text, /^It hosted 203\.0\.113\.100 of prod-web\.$/m);
  });

  it('answers machines for a time as well', async () => {
    const { text } = await told(scene, 'prod-web', { atMs: START_MS + 30_000, output: 'json' });
    const { object, at, said, why } = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual([object, at], ['egressip/prod-web', '2026-11-30T10:14:30.000Z']);
    assert.equal((said as unknown[]).length, 2);
    assert.equal((why as { node: string }[])[0]?.node, 'worker-1');
  });

  it('fails for what was never spoken of, and knows what is near', async () => {
    await assert.rejects(told(scene, 'egressip/prod-wbe'), {
      exitCode: 1,
      message: 'nothing was ever said of egressip/prod-wbe. Did you mean "prod-web"?',
    });
    await assert.rejects(told(scene, 'prod-web', { atMs: START_MS - 1 }), { exitCode: 1 });
    assert.throws(() => targetOf('nod/worker-1'), {
      exitCode: 64,
      message: /"nod\/worker-1" has no history\. Did you mean "node"\? Allowed: egressip\/NAME,/,
    });
  });
});
