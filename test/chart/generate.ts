/** `make chart`: writes the chart's values.schema.json and README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../controlplane/go-module.ts';
import { readmeOf } from './readme.ts';
import { valuesSchema } from './schema.ts';

const chart = join(repository, 'helm', 'sluice');
const values = readFileSync(join(chart, 'values.yaml'), 'utf8');
writeFileSync(
  join(chart, 'values.schema.json'),
  `${JSON.stringify(valuesSchema(), undefined, 2)}\n`,
);
writeFileSync(join(chart, 'README.md'), readmeOf(values));
