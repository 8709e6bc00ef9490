/** Every vector of test/vectors/egressip.json, through the whole chain on simulated doors. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { better } from '../cli/vectors/better.ts';
import type { VectorFile } from '../cli/vectors/format.ts';
import { distinguish, play } from '../cli/vectors/play.ts';
import { runVectors } from '../cli/vectors/run.ts';
import { playTables } from '../cli/vectors/unit.ts';

const path = new URL('vectors/egressip.json', import.meta.url);
const file = JSON.parse(readFileSync(path, 'utf8')) as VectorFile;
const tables = await playTables(file.unit);

describe('the vectors of the EgressIP control plane', () => {
  for (const verdict of tables) {
    if (verdict.word === 'skip') continue;
    it(`${verdict.name}: each row as the table says`, () => assert.equal(verdict.text, ''));
  }
  for (const vector of file.vectors) {
    it(vector.name, async () => {
      const verdict = await play(vector);
      const from = vector.expect.distinctFrom;
      const other = file.vectors.find(({ name }) => name === from);
      const judged = distinguish(vector, verdict, other && (await play(other)));
      assert.notEqual(judged.word, 'fail', judged.text);
    });
  }

  it('better is said only of what the snapshot does badly, and stays a short list', () => {
    const names = Object.keys(better);
    const headOnly = file.vectors.filter((vector) => vector.headOnly).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => !headOnly.includes(name)),
      [],
    );
    assert.ok(names.length <= 5);
  });

  it('none is skipped, and a table only where there is nothing to hold it against', async () => {
    const lines: string[] = [];
    await runVectors(file, (line) => lines.push(line));
    const skipped = lines.filter((line) => line.startsWith('skip '));
    assert.deepEqual(
      skipped.map((line) => line.split(' ')[1]),
      ['unit/retry'],
    );
    assert.equal(lines.at(-1), '139 passed, 0 failed, 1 skipped');
  }).timeout(60_000);

  it('a cloud that says something else than expected is noticed', async () => {
    const name = 'cloud-assign-needs-confirmation';
    const vector = file.vectors.find((one) => one.name === name);
    assert.ok(vector);
    const wanted = [{ name: '192.168.126.101', specNode: 'node2', deleting: true }];
    const wrong = { ...vector, expect: { cloudPrivateIPConfigs: wanted } };
    const { word, text } = await play(wrong);
    assert.equal(word, 'fail');
    assert.match(text, /expected specNode node2, got node1; .* expected deleting true, got false/);
    const none = { ...vector, expect: { noCloudPrivateIPConfigs: ['192.168.126.101'] } };
    assert.match((await play(none)).text, /there is a CloudPrivateIPConfig 192\.168\.126\.101/);
  });
});

describe('the runner of vectors', () => {
  const named = file.vectors.find(({ name }) => name === 'okep-label-loss-reassigns');
  assert.ok(named);

  it('says which expectation was not met, and counts it as failed', async () => {
    const status = { egressip: [{ egressIP: '192.168.126.101', node: 'nowhere' }] };
    const wrong = { ...named, expect: { status, probed: ['nowhere'] } };
    const lines: string[] = [];
    const tally = await runVectors({ unit: {}, vectors: [wrong] }, (line) => lines.push(line));
    assert.equal(tally.failed, 1);
    assert.match(lines[0] ?? '', /^fail okep-label-loss-reassigns: egressip: expected 192\.168/);
    assert.match(lines[0] ?? '', /on nowhere, got 192\.168\.126\.101 on node\d; probed: /);
    assert.equal(lines.at(-1), '0 passed, 1 failed, 0 skipped');
  });

  it('does not let a vector that is no weakness of the snapshot be called better', async () => {
    const name = 'deleted-object-frees-ip-only-on-next-trigger';
    const vector = file.vectors.find((one) => one.name === name);
    assert.ok(vector);
    const { headOnly: _, ...ordinary } = vector;
    assert.equal((await play(ordinary)).word, 'fail');
  });

  it('fails a situation that cannot be told from another by its events', async () => {
    const verdict = await play(named);
    const same = { ...named, expect: { distinctFrom: named.name } };
    assert.equal(distinguish(same, verdict, verdict).word, 'fail');
  });
});
