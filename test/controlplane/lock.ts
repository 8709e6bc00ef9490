/** A lock in the file system, so that two runs on one machine share one build. */
import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const beatMs = 2_000;
/** An owner that has not touched its lock for so long is gone, whoever has its process id now. */
const staleMs = 30_000;

/**
 * Waits for the lock and holds it while `act` runs. `waiting` hears of each look at a lock that
 * somebody else holds. A lock whose owner is gone is taken over. Two runs that take over at the
 * same instant would both build, which costs time only: results are renamed into place.
 */
export async function withLock<T>(
  file: string,
  waiting: (owner: string) => void,
  act: () => Promise<T>,
): Promise<T> {
  while (!tryLock(file)) {
    const owner = ownerOf(file);
    if (owner === undefined) rmSync(file, { force: true });
    else {
      waiting(owner);
      await sleep(250);
    }
  }
  const beat = setInterval(() => touch(file), beatMs);
  try {
    return await act();
  } finally {
    clearInterval(beat);
    rmSync(file, { force: true });
  }
}

function tryLock(file: string): boolean {
  try {
    const handle = openSync(file, 'wx');
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The process that holds the lock; undefined when it is stale, '' when it has just gone. */
function ownerOf(file: string): string | undefined {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const owner = readFileSync(file, 'utf8');
    // An empty file was made this instant: its owner has not written its id yet.
    const alive = owner === '' || isAlive(Number(owner));
    return alive && age < staleMs ? owner : undefined;
  } catch {
    return '';
  }
}

/** Whether a process of this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function touch(file: string): void {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // Somebody took it for stale; the build goes on, its result is renamed into place.
  }
}
