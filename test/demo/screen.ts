/** What the demo puts on the screen: headings, steps, and `sluice` as anybody would run it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { projectPath } from '../controlplane/rooms.ts';

export function heading(line: string): void {
  console.log(`\n${line}\n${'─'.repeat(line.length)}`);
}

export function announce(line: string): void {
  console.log(`── ${line}`);
}

/** `sluice` in the foreground. */
export const sluice = (args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  started(args, env, 'inherit');

/** Resolves with its exit code. */
export async function ended(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** The part of `sluice status` that is about BGP. */
export async function bgpStatus(env: NodeJS.ProcessEnv): Promise<string> {
  const child = started(['status'], env, 'pipe');
  const all = child.stdout === null ? '' : await text(child.stdout);
  const lines = all.trimEnd().split('\n');
  const from = lines.findIndex((line) => line.startsWith('BGP'));
  if (from < 0) throw new Error(`sluice status says nothing of BGP:\n${all}`);
  return ['$ sluice status', '…', ...lines.slice(from)].join('\n');
}

function started(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  stdout: 'inherit' | 'pipe',
): ChildProcess {
  const child = spawn('node', ['cli/sluice.ts', ...args], {
    stdio: ['ignore', stdout, 'inherit'],
    env: { ...env, PATH: projectPath() },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}
