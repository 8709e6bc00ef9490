/** `sluice rehearse FILE`: reads the story and runs it. */
import { readFile } from 'node:fs/promises';
import { exit, Failure } from './failure.ts';
import { rehearse } from './rehearse/rehearse.ts';
import type { Terminal } from './terminal.ts';

/** Exit code 0 when every expectation holds, else 1. Throws Failure 64 without such a file. */
export async function rehearseFile(file: string, terminal: Terminal): Promise<number> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(exit.usage, `cannot read the story (${why})`);
  });
  const print = (line: string): void => terminal.out(`${line}\n`);
  const { failed } = await rehearse(text, { file, print });
  return failed === 0 ? exit.fine : exit.notFine;
}
