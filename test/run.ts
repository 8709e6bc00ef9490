/** `make test`: the checks while the servers are built, then all tests; `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { repository } from './controlplane/go-module.ts';
import { projectPath } from './controlplane/rooms.ts';
import { findTools } from './controlplane/tools.ts';

interface Count {
  readonly passed: number;
  readonly failed: number;
}

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** What is formatted and linted: our own words, not what is generated from them. */
const sources = ['core', 'edge', 'services', 'cli', 'test'].filter((path) => existsSync(path));

const checks: readonly Check[] = [
  { name: 'types', command: 'tsc', args: [] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings', ...sources] },
  { name: 'format', command: 'biome', args: ['format', ...sources] },
  { name: 'protobuf lint', command: 'buf', args: ['lint'] },
  {
    name: 'protobuf compatibility',
    command: 'buf',
    args: ['breaking', '--against', 'proto/baseline.binpb'],
  },
];

/**
 * Tests that start a control plane wait most of the time: the others run beside them, and those
 * with real routers, so that both lanes last about as long.
 */
const waits = /^test\/(chaos|chart|cluster|controlplane)\//;

const summary = /^(\d+) passed, (\d+) failed$/;

process.chdir(repository);
const checksOnly = process.argv.includes('--checks-only');
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const total = checksOnly ? await runChecks() : await runAll();
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

async function runAll(): Promise<Count> {
  const building = findTools().then(
    () => undefined,
    (error: unknown) => String(error),
  );
  const checked = await runChecks();
  const broken = await building;
  if (broken !== undefined) {
    console.log(`✗ the servers of the tests\n${broken}`);
    return { passed: checked.passed, failed: checked.failed + 1 };
  }
  const tested = await runLanes();
  return {
    passed: tested.reduce((sum, { passed }) => sum + passed, checked.passed),
    failed: tested.reduce((sum, { failed }) => sum + failed, checked.failed),
  };
}

/** The lane that waits is shown as it goes, the other one when it is done. */
async function runLanes(): Promise<readonly Count[]> {
  const all = files.length > 0 ? files : globSync('test/**/*.test.ts').sort();
  const lanes = [all.filter((file) => waits.test(file)), all.filter((file) => !waits.test(file))];
  const [shown, kept] = lanes as [string[], string[]];
  if (shown.length === 0 || kept.length === 0)
    return [await runMocha(all, (line) => console.log(line))];
  const lines: string[] = [];
  const counts = await Promise.all([
    runMocha(shown, (line) => console.log(line)),
    runMocha(kept, (line) => void lines.push(line)),
  ]);
  for (const line of lines) console.log(line);
  return counts;
}

async function runChecks(): Promise<Count> {
  let failed = 0;
  for (const check of checks) {
    const { status, output } = await run(check.command, check.args);
    console.log(`${status === 0 ? '✓' : '✗'} ${check.name}`);
    if (status === 0) continue;
    failed += 1;
    console.log(output);
  }
  return { passed: checks.length - failed, failed };
}

/** Runs mocha and shows what it prints, but for its last line, which goes into ours. */
async function runMocha(lane: readonly string[], print: (line: string) => void): Promise<Count> {
  let count: Count | undefined;
  const { status } = await run('mocha', lane, (line) => {
    const [, passed, failed] = summary.exec(line) ?? [];
    if (passed === undefined) print(line);
    else count = { passed: Number(passed), failed: Number(failed) };
  });
  if (count === undefined) {
    print(`✗ mocha ended (${status}) before it had counted`);
    return { passed: 0, failed: 1 };
  }
  // Failures that no test stands for, such as an error after the last one.
  if (status !== 0 && count.failed === 0) return { ...count, failed: 1 };
  return count;
}

function run(
  command: string,
  args: readonly string[],
  hear?: (line: string) => void,
): Promise<{ status: number | string; output: string }> {
  const env = { ...process.env, PATH: projectPath() };
  // What mocha says on stderr goes straight to ours; that of a check is part of its output.
  const stderr = hear === undefined ? 'pipe' : 'inherit';
  const child = spawn(command, [...args], { stdio: ['ignore', 'pipe', stderr], env });
  const lines: string[] = [];
  const keep = (line: string): void => void lines.push(line);
  if (child.stdout) createInterface({ input: child.stdout }).on('line', hear ?? keep);
  if (child.stderr) createInterface({ input: child.stderr }).on('line', keep);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: error.message, output: error.message }));
    child.on('close', (code, signal) => {
      resolve({ status: code ?? signal ?? '', output: lines.join('\n') });
    });
  });
}
