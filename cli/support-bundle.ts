/** `sluice support-bundle`: what somebody needs who is to help and cannot look himself. */
import { writeFileSync } from 'node:fs';
import { exit, Failure } from './failure.ts';
import { archive, type Entry } from './support-bundle-tar.ts';
import type { Terminal } from './terminal.ts';

/** One file of the bundle. */
export interface Piece {
  readonly name: string;
  /** What is in it, for `--dry-run`. */
  readonly about: string;
  /** The redacted text. @throws when it cannot be had: the bundle is made without it. */
  readonly read: () => Promise<string>;
}

export interface BundleAsk {
  readonly file: string;
  readonly dryRun: boolean;
}

/** Exit code 0 when everything is in it, 1 when something is missing; `missing.txt` says what. */
export async function supportBundle(
  pieces: readonly Piece[],
  { file, dryRun }: BundleAsk,
  terminal: Terminal,
): Promise<number> {
  if (dryRun) return list(pieces, terminal);
  const entries: Entry[] = [];
  const missing: string[] = [];
  for (const { name, read } of pieces) {
    if (terminal.signal.aborted) throw new Failure(130, 'interrupted');
    terminal.err(`${name} … `);
    try {
      const text = await read();
      entries.push({ name: `sluice/${name}`, text });
      terminal.err(`${sizeOf(text.length)}\n`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      missing.push(`${name}: ${why}\n`);
      terminal.err(`missing: ${why}\n`);
    }
  }
  if (missing.length > 0) entries.push({ name: 'sluice/missing.txt', text: missing.join('') });
  const bytes = archive(entries, terminal.nowMs());
  write(file, bytes);
  terminal.err(`${file}: ${entries.length} files, ${sizeOf(bytes.length)}. `);
  terminal.err(
    'Passwords, tokens and account ids are taken out; look into it before you send it.\n',
  );
  terminal.out(`${file}\n`);
  return missing.length === 0 ? exit.fine : exit.notFine;
}

function list(pieces: readonly Piece[], terminal: Terminal): number {
  for (const { name, about } of pieces) terminal.out(`${name.padEnd(40)} ${about}\n`);
  return exit.fine;
}

/** For its owner alone. Throws Failure 64 when it cannot be written, or is there already. */
function write(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new Failure(exit.usage, `--file ${file}: ${(error as Error).message}`);
  }
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
