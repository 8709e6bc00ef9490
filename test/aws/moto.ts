/** moto, another emulator of EC2 that others wrote: found in the cache, or installed on demand. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newChild, type Child } from '../controlplane/child.ts';
import { answers } from '../controlplane/http.ts';
import { withLock } from '../controlplane/lock.ts';
import { freePort } from '../controlplane/port.ts';
import { toolCache } from '../controlplane/tools.ts';

const VERSION = '5.2.5';

/** Where it is, below the cache that every clone shares. */
const folder = join(toolCache(), `moto-${VERSION}`);

export interface Moto {
  readonly url: string;
  readonly child: Child;
}

/** Whether it has been installed before: it takes a minute or two, so nobody does it unasked. */
export const motoIsThere = (): boolean => existsSync(folder);

/** Installs it with pip unless it is there; throws with pip's words when that fails. */
export async function installMoto(): Promise<void> {
  mkdirSync(toolCache(), { recursive: true });
  await withLock(
    `${folder}.lock`,
    () => {},
    async () => {
      if (motoIsThere()) return;
      const draft = `${folder}.${process.pid}`;
      try {
        const packages = [`moto[ec2,sts,server]==${VERSION}`];
        await python(['-m', 'pip', 'install', '--quiet', '--target', draft, ...packages]);
        renameSync(draft, folder);
      } finally {
        rmSync(draft, { recursive: true, force: true });
      }
    },
  );
}

function python(args: readonly string[]): Promise<void> {
  const errors: string[] = [];
  const child = spawn('python3', [...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`pip failed (${code}): ${errors.join('').slice(-2_000)}`));
    });
  });
}

/** Starts it on a port of the loopback address; `logs` is a folder for its log. */
export async function startMoto(logs: string): Promise<Moto> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = newChild({
    name: 'moto',
    command: 'python3',
    args: ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)],
    env: { ...process.env, PYTHONPATH: folder },
    logFile: join(logs, 'moto.log'),
    ready: () => answers(`${url}/moto-api/`),
    readyWithinMs: 90_000,
  });
  await child.start();
  return { url, child };
}
