/** Files as one archive: tar in the form of POSIX 1003.1-1988 (ustar), compressed with gzip. */
import { gzipSync } from 'node:zlib';

export interface Entry {
  /** At most 100 ASCII characters. */
  readonly name: string;
  readonly text: string;
}

const BLOCK = 512;

/** The bytes of the `.tar.gz`; every file is of this second and for its owner alone. */
export function archive(entries: readonly Entry[], nowMs: number): Buffer {
  const blocks = entries.flatMap(({ name, text }) => {
    const data = Buffer.from(text);
    const rest = Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK);
    return [header(name, data.length, nowMs), data, rest];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

function header(name: string, size: number, nowMs: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void => {
    block.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  };
  block.write(name.slice(0, 100), 0, 'latin1');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.floor(nowMs / 1000), 136, 12);
  block.write('        0', 148, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1');
  return block;
}
