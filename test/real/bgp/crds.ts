/** The custom resource definitions of frr-k8s as its source has them, and mended. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '../../../edge/yaml.ts';
import type { Api, ApiObject } from '../../controlplane/api.ts';
import { frrNamespace } from '../../frrk8s/objects.ts';
import { eventually } from '../../controlplane/wait.ts';

/**
 * `released` as v0.0.21 has them: its AS numbers are of format int32 with a maximum beyond, for
 * which API servers from 1.36 on refuse every object that has one (frr-k8s #433, since 0.0.24
 * mended). `mended` says int64 there.
 */
export type FrrCrdShape = 'released' | 'mended';

const served = '/apis/frrk8s.metallb.io/v1beta1';

/** The three kinds of frr-k8s, from the folder of its source. */
export function frrCrds(source: string, shape: FrrCrdShape): ApiObject[] {
  const folder = join(source, 'config', 'crd', 'bases');
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const crds = files.map((file) => parseYaml(readFileSync(join(folder, file), 'utf8')));
  return (shape === 'mended' ? crds.map(mended) : crds) as ApiObject[];
}

/** A copy in which no integer has a maximum that its format cannot hold. */
function mended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, mended(inner)]);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  const beyond = typeof copy['maximum'] === 'number' && copy['maximum'] > 2 ** 31 - 1;
  if (beyond && copy['format'] === 'int32') copy['format'] = 'int64';
  return copy;
}

/**
 * Applies them, and the namespace that they live in; resolves when FRRConfigurations are served.
 */
export async function applyFrrCrds(api: Api, source: string, shape: FrrCrdShape): Promise<void> {
  for (const crd of frrCrds(source, shape)) await api.apply(crd);
  await api.apply(frrNamespace);
  for (const plural of ['frrconfigurations', 'bgpsessionstates', 'frrnodestates'])
    await eventually(`${plural} are served`, { withinMs: 20_000 }, async () => {
      return (await api.call('GET', `${served}/${plural}`)).status === 200;
    });
}
