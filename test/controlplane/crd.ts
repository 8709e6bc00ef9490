/** Applies the chart's CRDs to a control plane, in the shape that is asked for. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '../../edge/yaml.ts';
import type { Api, ApiObject } from './api.ts';
import { repository } from './go-module.ts';
import { eventually } from './wait.ts';

/** `plain` as upstream has EgressIP; `status` = with the status subresource. */
export type CrdShape = 'plain' | 'status';

interface Crd extends ApiObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/** Every CRD of the chart, as objects. */
export function chartCrds(shape: CrdShape): Crd[] {
  const folder = join(repository, 'helm', 'sluice', 'crds');
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const crds = files.sort().map((file) => parseYaml(readFileSync(join(folder, file), 'utf8')));
  return crds.map((crd) => shaped(crd as Crd, shape));
}

function shaped(crd: Crd, shape: CrdShape): Crd {
  if (shape === 'plain' || crd.spec.names.plural !== 'egressips') return crd;
  const versions = crd.spec.versions.map((v) => ({ ...v, subresources: { status: {} } }));
  return { ...crd, spec: { ...crd.spec, versions } };
}

/** Applies the chart's CRDs and waits until each of their collections can be listed. */
export async function applyCrds(api: Api, shape: CrdShape): Promise<void> {
  for (const crd of chartCrds(shape)) await api.apply(crd);
  for (const crd of chartCrds(shape)) await served(api, crd);
}

/** A fresh kind answers 404 for a moment, then 429 while its storage is being prepared. */
async function served(api: Api, crd: Crd): Promise<void> {
  const { group, names, versions } = crd.spec;
  for (const version of versions.filter((v) => v.served)) {
    const path = `/apis/${group}/${version.name}/${names.plural}`;
    await eventually(`${names.plural} are served`, { withinMs: 20_000 }, async () => {
      const { status } = await api.call('GET', path);
      return status === 200;
    });
  }
}
