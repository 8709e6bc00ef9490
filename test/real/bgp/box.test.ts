/** Boxes leave nothing behind, however the run that made them ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../../controlplane/wait.ts';
import { describeRealBgp } from './describe.ts';

const soon = { withinMs: 30_000 };

/** What the host sees of the boxes in a folder. */
interface Remains {
  /** Command lines of processes whose mounts or words name the folder. */
  readonly processes: string[];
  /** Network namespaces other than ours that those processes are in. */
  readonly networks: Set<string>;
}

function remainsOf(folder: string): Remains {
  const processes: string[] = [];
  const networks = new Set<string>();
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
      if (!words.includes(folder) && !mounts.includes(folder)) continue;
      processes.push(words);
      const network = readlinkSync(`/proc/${pid}/ns/net`);
      if (network !== readlinkSync('/proc/self/ns/net')) networks.add(network);
    } catch {
      // It has ended in the meantime.
    }
  }
  return { processes, networks };
}

describeRealBgp('a box with FRR', function () {
  this.timeout(60_000);

  for (const how of ['SIGKILL', 'SIGTERM', 'the end of its input'] as const) {
    it(`ends with the run that made it, by ${how}`, async () => {
      const orphan = join(import.meta.dirname, 'orphan.ts');
      const run = spawn('node', [orphan], { stdio: ['pipe', 'pipe', 'inherit'] });
      const gone = once(run, 'exit');
      const [line] = await once(createInterface({ input: run.stdout }), 'line');
      const { folder } = JSON.parse(line as string) as { folder: string };
      const { processes, networks } = remainsOf(folder);
      // Two times unshare, its shell, and three daemons.
      assert.ok(processes.length >= 10, processes.join('\n'));
      assert.equal(networks.size, 2);
      if (how === 'the end of its input') run.stdin.end();
      else run.kill(how);
      await gone;
      const detail = (): string => `: ${remainsOf(folder).processes.join('\n')}`;
      await eventually('no process has its mounts', { ...soon, detail }, () => {
        return remainsOf(folder).processes.length === 0;
      });
      // The next run would remove the files of one that was killed; the others did so themselves.
      assert.equal(existsSync(folder), how === 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
  }
});
