/**
 * `make bench`: measures, prints a table, leaves `.bench/latest.json`; exit 1 when a limit is
 * missed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { benchAssigner } from './assigner.ts';
import { benchAws } from './aws.ts';
import { benchProbes } from './probes.ts';
import { isMissed, type Row } from './row.ts';

// The assigner first: the peak of memory is the process'.
const rows = [...(await benchAssigner()), ...(await benchProbes()), ...(await benchAws())];
console.log(['FIGURE', 'VALUE', 'UNIT', 'LIMIT'].map(cell).join(''));
for (const row of rows) console.log(line(row));
mkdirSync('.bench', { recursive: true });
const json = rows.map(({ name, value, unit, limit, least }) => ({
  name,
  value,
  unit,
  limit: limit ?? least,
}));
writeFileSync('.bench/latest.json', `${JSON.stringify(json, null, 2)}\n`);
process.exit(rows.some(isMissed) ? 1 : 0);

function line(row: Row): string {
  const { name, value, unit, limit, least } = row;
  const bound = limit !== undefined ? `<= ${limit}` : least !== undefined ? `>= ${least}` : '';
  const figure = value >= 100 ? value.toFixed(0) : value.toFixed(2);
  return [name, figure, unit, `${bound}${isMissed(row) ? '  MISSED' : ''}`]
    .map(cell)
    .join('')
    .trimEnd();
}

function cell(text: string, index: number): string {
  return text.padEnd([56, 10, 10, 12][index] ?? 0);
}
