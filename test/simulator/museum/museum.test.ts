/** The museum of known bugs: each still fits the code that it would spoil, and some are hunted. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { museum } from './all.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const root = path('../../../');

/** Those that a few seeds catch; `make museum` hunts them all. */
const quick = [
  'one address for two EgressIPs',
  'two addresses of an object on one node',
  'it speaks before it has heard all',
];

describe('the museum of known bugs', function () {
  this.timeout(600_000);

  it('has at least forty, each with a name and a place of its own', () => {
    assert.ok(museum.length >= 40, `${museum.length} mutants`);
    assert.equal(new Set(museum.map(({ name }) => name)).size, museum.length);
  });

  it('still fits the code: each patch finds its place exactly once', () => {
    const lost = museum.flatMap(({ name, patches }) =>
      patches
        .filter(({ file, find }) => readFileSync(root + file, 'utf8').split(find).length !== 2)
        .map(({ file }) => `${name}: ${file}`),
    );
    assert.deepEqual(lost, []);
  });

  for (const name of quick)
    it(`sees it caught: ${name}`, () => {
      const args = ['--import', path('patch.ts'), path('hunt.ts'), '60'];
      const env = { ...process.env, MUTANT: name };
      const said = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
      assert.match(said, /^seed \d+, (anytime|eventually|finally|watch)-/);
    });
});
