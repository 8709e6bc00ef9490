/** `make vectors FILE=…`: runs a file of vectors through the whole chain on simulated doors. */
import { readFileSync } from 'node:fs';
import { isObject, parseJson, property } from '../core/json.ts';
import type { VectorFile } from './vectors/format.ts';
import { runVectors } from './vectors/run.ts';

const [, , path = ''] = process.argv;
process.exitCode = await main(path);

/** The exit code: 0 = all pass, 1 = one fails, 64 = the file cannot be used. */
async function main(file: string): Promise<number> {
  if (file === '') return usage('which file? make vectors FILE=test/vectors/egressip.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
  const content = parseJson(text);
  if (!isObject(property(content, 'unit')) || !Array.isArray(property(content, 'vectors')))
    return usage(`${file} is no file of vectors: it needs "unit" and "vectors"`);
  const { failed } = await runVectors(content as unknown as VectorFile, (line) => {
    console.log(line);
  });
  return failed === 0 ? 0 : 1;
}

function usage(problem: string): number {
  console.error(`vectors: ${problem}`);
  return 64;
}
