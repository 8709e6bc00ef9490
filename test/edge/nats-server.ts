/** A real nats-server on loopback, for tests: started, killed, frozen, restored. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
const binary =
  process.env['TEST_ASSET_NATS_SERVER'] ??
  join(cache, 'sluice/tools/nats-server-v2.15.2/nats-server');

export interface NatsServer {
  readonly url: string;
  /** SIGKILL, and until the process is gone. */
  kill(): Promise<void>;
  /** On the same port and the same store. */
  restart(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** The store as it is now; the server must be dead. Returns how to put it back. */
  copyStore(): Promise<() => Promise<void>>;
  /** Kills the server and removes what it stored. */
  stop(): Promise<void>;
}

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

export async function startNatsServer(): Promise<NatsServer> {
  const home = await mkdtemp(join(tmpdir(), 'sluice-nats-'));
  const store = join(home, 'store');
  let child = await launch(home, -1);
  const url = await urlOf(home, child);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    alive.delete(child);
  };
  return {
    url,
    kill,
    restart: async () => {
      child = await launch(home, Number(new URL(url).port));
      await urlOf(home, child);
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    copyStore: async () => {
      const copy = await mkdtemp(join(home, 'copy-'));
      await cp(store, copy, { recursive: true });
      return async () => {
        await rm(store, { recursive: true });
        await cp(copy, store, { recursive: true });
      };
    },
    stop: async () => {
      await kill();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function launch(home: string, port: number): Promise<ChildProcess> {
  const config = `
    listen: "127.0.0.1:${port}"
    ports_file_dir: "${home}"
    jetstream { store_dir: "${home}/store", max_mem: 256MB, max_file: 4GB }
  `;
  await writeFile(join(home, 'nats.conf'), config);
  const child = spawn(binary, ['-c', join(home, 'nats.conf')], { stdio: 'ignore' });
  alive.add(child);
  return child;
}

/** The ports file appears once JetStream has recovered; it may be seen half-written. */
async function urlOf(home: string, child: ChildProcess): Promise<string> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
    const file = (await readdir(home)).find((name) => name.endsWith(`_${child.pid}.ports`));
    const text = file ? await readFile(join(home, file), 'utf8') : '';
    try {
      return (JSON.parse(text) as { nats: [string] }).nats[0];
    } catch {
      await sleep(5);
    }
  }
}
