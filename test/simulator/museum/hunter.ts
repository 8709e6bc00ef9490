/** Hunts one bug in a process of its own, and looks whether the seed that fails does so with it. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Name → how many seeds were tried so far, of all that are being hunted. */
export const hunted = new Map<string, string>();

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const patched = ['--import', path('patch.ts')];

/** A seed that fails without the bug, too, has not caught it: then it goes on with the others. */
export async function huntDown(
  name: string,
  seeds: string,
): Promise<{ caught: boolean; said: string }> {
  hunted.set(name, '0');
  const except: string[] = [];
  for (;;) {
    const aim = { MUTANT: name, EXCEPT: except.join() };
    const { code, said } = await run([...patched, path('hunt.ts'), seeds], aim, name);
    const seed = /^seed (\d+)/.exec(said)?.[1];
    const caught = code === 0 && seed !== undefined;
    const fails = caught && (await run([path('hunt.ts')], { ONLY: seed }, name)).code === 0;
    if (seed === undefined || !fails) {
      hunted.delete(name);
      const others = except.length === 0 ? '' : `; fails without it: ${except.join()}`;
      return { caught, said: said + others };
    }
    except.push(seed);
  }
}

async function run(
  args: readonly string[],
  aim: Readonly<Record<string, string>>,
  name: string,
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...aim } });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const at = /at (\d+)\n$/.exec(chunk)?.[1];
    if (at === undefined) complaint += chunk;
    else hunted.set(name, at);
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [code, said] = await Promise.all([ended, text(child.stdout)]);
  return { code, said: said.trim() || complaint.slice(0, 800) };
}
