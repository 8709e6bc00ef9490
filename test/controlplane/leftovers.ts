/** No server outlives the run that started it: not after a crash, and not after a `kill -9`. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './lock.ts';

const children = new Set<ChildProcess>();
const folders = new Set<string>();
const prefix = 'sluice-run-';
let watching = false;

/**
 * Set for servers and rooms only, never for commands that a user runs beside them: whoever bears
 * it and outlives its run is ended by the next run.
 */
const markName = 'TEST_RUN_OWNER';

/** What a child's environment must contain to be found when we are gone. */
export const childMark: NodeJS.ProcessEnv = { [markName]: String(process.pid) };

export function rememberChild(child: ChildProcess): void {
  watchOurEnd();
  children.add(child);
}

export function forgetChild(child: ChildProcess): void {
  children.delete(child);
}

/** A new folder for the data of one run, below the system's temporary folder. */
export function temporaryFolder(): string {
  watchOurEnd();
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  folders.add(folder);
  return folder;
}

/** Removes a folder made by `temporaryFolder`, with all that is in it. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.delete(folder);
}

function watchOurEnd(): void {
  if (watching) return;
  watching = true;
  sweep();
  process.on('exit', killAll);
  for (const [signal, number] of [
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const) {
    // By default these end the process without an 'exit' event. SIGINT is the caller's affair.
    process.once(signal, () => process.exit(128 + number));
  }
}

function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) removeFolder(folder);
}

/** Ends servers whose run was killed, and removes its folders. */
function sweep(): void {
  const orphans = listing(tmpdir())
    .map((entry) => ({ entry, owner: /^sluice-run-(\d+)-/.exec(entry)?.[1] }))
    .filter(({ owner }) => owner !== undefined && !isAlive(Number(owner)));
  if (orphans.length === 0) return;
  for (const pid of processIds()) {
    const owner = ownerOf(pid);
    if (owner !== undefined && !isAlive(owner)) killQuietly(pid);
  }
  for (const { entry } of orphans) removeFolder(join(tmpdir(), entry));
}

const processIds = (): number[] =>
  listing('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);

function listing(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The process id of the run that started a process, by the mark in its environment. */
function ownerOf(pid: number): number | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const mark = words.find((word) => word.startsWith(`${markName}=`));
    return mark === undefined ? undefined : Number(mark.slice(markName.length + 1));
  } catch {
    // It has ended, or is somebody else's.
    return undefined;
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
