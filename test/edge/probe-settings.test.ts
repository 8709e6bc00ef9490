/** The settings of the probes that an operator changes while the watcher runs. */
import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../core/door.ts';
import { probeSettings, readProbeSettings } from '../../edge/config/probefile.ts';

const usual = {
  deadlineMs: 1000,
  intervalMs: 5000,
  failures: 4,
  recoveries: 1,
  isolationShare: 50,
};

describe('a file with settings of the probes', () => {
  it('is YAML or JSON, times in seconds', () => {
    const wanted = { ...usual, intervalMs: 2500, failures: 2 };
    assert.deepEqual(readProbeSettings('interval: 2.5\nfailures: 2\n', usual), wanted);
    assert.deepEqual(readProbeSettings('{"interval": 2.5, "failures": 2}', usual), wanted);
    const all = 'timeout: 0.5\ninterval: 10\nfailures: 3\nrecoveries: 2\nisolationShare: 80';
    assert.deepEqual(readProbeSettings(all, usual), {
      deadlineMs: 500,
      intervalMs: 10_000,
      failures: 3,
      recoveries: 2,
      isolationShare: 80,
    });
  });

  it('may be empty: then the settings are those of the environment', () => {
    assert.deepEqual(readProbeSettings('', usual), usual);
    assert.deepEqual(readProbeSettings('# nothing\n', usual), usual);
  });

  for (const [text, why] of [
    ['interval: soon', 'interval must be 0.1 to 3600 seconds'],
    ['timeout: 0', 'timeout must be 0.01 to 60 seconds'],
    ['failures: 0\nrecoveries: 1.5', 'failures must be 1 to 100; recoveries must be 1 to 100'],
    ['isolationShare: 101', 'isolationShare must be 1 to 100 percent'],
    ['intervall: 3', 'intervall is no setting'],
    ['- interval', 'it is no map of settings'],
    ['interval: [', 'line 1: '],
  ] as const) {
    it(`is refused when it says ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => readProbeSettings(text, usual),
        ({ message }: Error) => message.startsWith(why),
      );
    });
  }

  it('holds from when it changes; an invalid one changes nothing but is told', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-probes-'));
    const path = join(folder, 'probes.yaml');
    const put = (text: string): void => {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    };
    const changes = ['interval: 2', 'interval: 2 # the same', 'interval: x', 'interval: 3', ''];
    const complaints: string[] = [];
    const stop = new AbortController();
    // Each look at the file is followed by the next change of it.
    const clock: Clock = {
      nowMs: () => 0,
      breathe: () => Promise.resolve(),
      sleep: async () => {
        const next = changes.shift();
        if (next === undefined) stop.abort();
        else put(next);
      },
    };
    const complain = (sentence: string): unknown => complaints.push(sentence);
    const seen: number[] = [];
    try {
      for await (const { intervalMs } of probeSettings(path, usual, clock, complain, stop.signal))
        seen.push(intervalMs);
    } finally {
      rmSync(folder, { recursive: true });
    }
    assert.deepEqual(seen, [2000, 3000, 5000]);
    assert.deepEqual(complaints, [
      `${path} is not usable, the old settings hold: interval must be 0.1 to 3600 seconds`,
    ]);
  });
});
