/** Field reports: what once broke elsewhere, told as stories; and the page that maps them all. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rehearse } from '../cli/rehearse/rehearse.ts';

const root = new URL('../', import.meta.url);
const folder = new URL('field-reports/', import.meta.url);
const stories = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .sort();

/** The numbers of the reports that the project works from; those left out were never given. */
const reports: Readonly<Record<string, readonly number[]>> = {
  A: [
    1, 2, 3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 16, 17, 18, 19, 21, 23, 24, 26, 27, 28, 30, 31, 32, 33,
    34, 35,
  ],
  B: [
    1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 30,
    31, 32,
  ],
  C: [1, 2, 4, 5, 6, 7, 9, 10, 11, 13, 15, 16, 17, 18, 19, 20, 22, 23, 25, 26, 27],
  D: [1, 2, 3, 5, 6, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19],
  E: [1, 2, 3, 4, 5, 6, 7, 8],
};

interface Row {
  readonly report: string;
  readonly proof: string;
}

const page = readFileSync(new URL('docs/field-reports.md', root), 'utf8');
const rows = page.split('\n').flatMap((line): Row[] => {
  const cells = line.split('|').map((cell) => cell.trim());
  const [, report] = /^([A-E]\d+) /.exec(cells[1] ?? '') ?? [];
  return report === undefined ? [] : [{ report, proof: cells[3] ?? '' }];
});
const vectors = readFileSync(new URL('vectors/egressip.json', import.meta.url), 'utf8');

/** What a row names that is not there. */
function missing({ proof }: Row): readonly string[] {
  return proof.split(/[;,] /).flatMap((part) => {
    const [, name = ''] = /`([^`]+)`/.exec(part) ?? [];
    const [, title] = /"([^"]+)"/.exec(part) ?? [];
    if (name === '') return /^(see E\d|other work: )/.test(part) ? [] : [part];
    if (stories.includes(`${name}.yaml`)) return [];
    if (!name.includes('/')) return vectors.includes(`"${name}"`) ? [] : [name];
    if (!existsSync(new URL(name, root))) return [name];
    const said = title === undefined || readFileSync(new URL(name, root), 'utf8').includes(title);
    return said ? [] : [`${name} "${title}"`];
  });
}

describe('a field report', () => {
  for (const name of stories) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const [, title = ''] = /^# (.+)/.exec(text) ?? [];
    it(`${title} (${name})`, async () => {
      assert.match(title, /^[A-D]\d+/, 'the first line of a story names its report');
      const lines: string[] = [];
      const tally = await rehearse(text, { print: (line) => lines.push(line), file: name });
      assert.equal(tally.failed, 0, lines.join('\n'));
      assert.ok(tally.passed > 0, 'a story without expectations proves nothing');
    });
  }
});

describe('the page of field reports', () => {
  it('has one row for each report', () => {
    const all = Object.entries(reports).flatMap(([tier, ids]) => ids.map((id) => `${tier}${id}`));
    assert.deepEqual(
      rows.map(({ report }) => report),
      all,
    );
  });

  it('names proofs that are there', () => {
    const gaps = rows.flatMap((row) => missing(row).map((gap) => `${row.report}: ${gap}`));
    assert.deepEqual(gaps, []);
  });

  it('uses every story', () => {
    const used = rows.map(({ proof }) => proof).join(' ');
    assert.deepEqual(
      stories.filter((name) => !used.includes(`\`${name.slice(0, -5)}\``)),
      [],
    );
  });
});
