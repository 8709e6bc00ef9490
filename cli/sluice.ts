#!/usr/bin/env node
/** The program `sluice`: the terminal, Ctrl-C and broken pipes; all else is `main.ts`. */
import { main } from './main.ts';
import type { Terminal } from './terminal.ts';

const stop = new AbortController();
const { stdout, stderr, env } = process;

// `sluice tail | head` is no failure.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// The first Ctrl-C ends in good order, the second at once.
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

const terminal: Terminal = {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  colours: stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  screen: stdout.isTTY === true,
  env,
  nowMs: Date.now,
  signal: stop.signal,
};

const code = await main(process.argv.slice(2), terminal);
// What was written to a pipe is on its way: `exit` alone would cut it off.
await new Promise<void>((resolve) => stdout.write('', () => resolve()));
// Not `exitCode`: a connection attempt that was given up must not keep the program alive.
process.exit(code);
