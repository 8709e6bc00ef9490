/** Builds one tool from its pinned Go module and says how far it is. */
import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { moduleFolder, type ToolSource } from './go-module.ts';

export type Progress = (line: string) => void;

/** How often a build says how far it is. */
const reportMs = 10_000;

/** Where a build stands, as half a sentence. */
interface Standing {
  text: string;
}

/**
 * Builds `tool` into the file `target`: written under another name first, so that a build that was
 * broken off leaves nothing that looks like a tool. Throws with what the compiler said.
 */
export async function build(
  tool: ToolSource,
  version: string,
  target: string,
  progress: Progress,
): Promise<void> {
  const began = Date.now();
  const standing: Standing = { text: 'starting' };
  const name = `${tool.name} ${version}`;
  const seconds = (): string => `${Math.round((Date.now() - began) / 1000)} s`;
  progress(`building ${name} from source (once; it is kept)`);
  const report = setInterval(() => {
    progress(`building ${name}: ${standing.text}, ${seconds()}`);
  }, reportMs);
  const draft = `${target}.${process.pid}`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    await compile(tool, version, draft, await packageCount(tool, standing), standing);
    renameSync(draft, target);
  } finally {
    clearInterval(report);
    rmSync(draft, { force: true });
  }
  progress(`built ${name} in ${seconds()}`);
}

/** How many packages the tool is made of; fetches the modules that it needs on the way. */
async function packageCount(tool: ToolSource, standing: Standing): Promise<number> {
  let fetched = 0;
  standing.text = 'reading its modules';
  const out = await go(tool, ['list', '-deps', tool.package], (line) => {
    if (line.startsWith('go: downloading ')) fetched += 1;
    if (fetched > 0) standing.text = `downloading modules, ${fetched} so far`;
  });
  return out.length;
}

async function compile(
  tool: ToolSource,
  version: string,
  output: string,
  packages: number,
  standing: Standing,
): Promise<void> {
  let compiled = 0;
  const flags = ['-s -w', ...(tool.linkerFlags?.(version) ?? [])].join(' ');
  const jobs = tool.jobs === undefined ? [] : ['-p', String(tool.jobs)];
  const options = [...jobs, '-trimpath', '-buildvcs=false', '-v', '-ldflags', flags, '-o', output];
  standing.text = `compiling and linking ${packages} packages`;
  await go(tool, ['build', ...options, tool.package], () => {
    compiled += 1;
    // What the compiler has in its own cache is never named: hence "at most".
    standing.text = `compiled ${compiled} of at most ${packages} packages`;
  });
}

/** Runs `go` in the tool's module; the lines of its output. Throws when it fails or is missing. */
function go(
  tool: ToolSource,
  args: readonly string[],
  onErrorLine: (line: string) => void,
): Promise<string[]> {
  const lines: string[] = [];
  const errors: string[] = [];
  const child = spawn('go', args, {
    cwd: moduleFolder(tool),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => {
    errors.push(line);
    onErrorLine(line);
  });
  return new Promise((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT';
      reject(missing ? new Error('there is no go on PATH (1.26 or later is needed)') : error);
    });
    child.on('close', (code) => {
      if (code === 0) return resolve(lines);
      reject(new Error(`go ${args[0]} failed (${code}):\n${errors.slice(-30).join('\n')}`));
    });
  });
}
