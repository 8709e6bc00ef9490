/** The program `sluice` as a process of its own, as a person runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const program = new URL('../../cli/sluice.ts', import.meta.url).pathname;

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export function start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [program, ...args], { env: { PATH, ...env } });
}

export async function finish(child: ChildProcess): Promise<Ran> {
  const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: await out, err: await err };
}

export async function textOf(stream: ChildProcess['stdout']): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream ?? []) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
