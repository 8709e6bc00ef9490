/** `make chart`: writes the chart's values.schema.json and README.md, and OLM's bundle. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '../controlplane/go-module.ts';
import { helm3 } from './helm.ts';
import { bundleOf } from './olm.ts';
import { readmeOf } from './readme.ts';
import { valuesSchema } from './schema.ts';

const chart = join(repository, 'helm', 'sluice');
const values = readFileSync(join(chart, 'values.yaml'), 'utf8');
writeFileSync(
  join(chart, 'values.schema.json'),
  `${JSON.stringify(valuesSchema(), undefined, 2)}\n`,
);
writeFileSync(join(chart, 'README.md'), readmeOf(values));
for (const [path, text] of Object.entries(await bundleOf(await helm3()))) {
  const file = join(repository, 'olm', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
