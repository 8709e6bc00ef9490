/** Runs one command line from first word to exit code; whatever fails is told in one sentence. */
import { StaleWriter } from '../core/door.ts';
import { runProgram } from '../edge/command.ts';
import { exit, Failure } from './failure.ts';
import { programOf } from './program.ts';
import type { Terminal } from './terminal.ts';

/** `argv` without the program's own name. Returns the exit code: 0, 1, 64 or 69. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runProgram(programOf(terminal), argv, terminal);
  } catch (error) {
    const { exitCode, message } = failureOf(error);
    terminal.err(`sluice: ${message}\n`);
    return exitCode;
  }
}

function failureOf(error: unknown): { readonly exitCode: number; readonly message: string } {
  if (error instanceof Failure) return error;
  if (error instanceof StaleWriter)
    return {
      exitCode: exit.unavailable,
      message: `the log was replaced while it was read (${error.message}). Run the command again`,
    };
  // A bug, or a server that refuses what it granted before: the stack tells where.
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: exit.notFine, message };
}
