/** What a disk does to a server's files: a bit that is not what it was, an end that is missing. */
import {
  closeSync,
  globSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import type { Draw } from '../simulator/draw.ts';

/** Inverts one byte of a stored block of messages; returns which. The server must be dead. */
export function flipByte(store: string, draw: Draw): string {
  const { file, size } = pick(store, draw);
  const at = draw.between(0, size - 1);
  const handle = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(handle, byte, 0, 1, at);
  byte[0] = (byte[0] ?? 0) ^ 0xff;
  writeSync(handle, byte, 0, 1, at);
  closeSync(handle);
  return `byte ${at} of ${relative(store, file)}`;
}

/** Cuts off the end of a stored block of messages; returns which. The server must be dead. */
export function truncateFile(store: string, draw: Draw): string {
  const { file, size } = pick(store, draw);
  const left = draw.between(0, size - 1);
  truncateSync(file, left);
  return `${left} of ${size} bytes of ${relative(store, file)}`;
}

/** A block of the log's streams in most cases, else one of the servers' own agreement (Raft). */
function pick(store: string, draw: Draw): { file: string; size: number } {
  const where = draw.chance(0.7) ? '$G/streams/*/msgs/*.blk' : '$SYS/_js_/*/msgs/*.blk';
  const files = globSync(where, { cwd: join(store, 'jetstream') })
    .sort()
    .map((name) => join(store, 'jetstream', name))
    .map((file) => ({ file, size: statSync(file).size }))
    .filter(({ size }) => size > 0);
  if (files.length === 0) throw new Error(`nothing is stored below ${store}`);
  return draw.one(files);
}
