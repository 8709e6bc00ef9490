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
  const crds = crdsIn(join(repository, 'helm', 'sluice', 'crds'));
  return crds.map((crd) => shaped(crd, shape));
}

function crdsIn(folder: string): Crd[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort().map((file) => parseYaml(readFileSync(join(folder, file), 'utf8')) as Crd);
}

function shaped(crd: Crd, shape: CrdShape): Crd {
  if (shape === 'plain' || crd.spec.names.plural !== 'egressips') return crd;
  const versions = crd.spec.versions.map((v) => ({ ...v, subresources: { status: {} } }));
  return { ...crd, spec: { ...crd.spec, versions } };
}

/** The kinds that OpenShift has on a cloud, for tests: CloudPrivateIPConfig and Infrastructure. */
export async function applyCloudCrds(api: Api): Promise<void> {
  const crds = crdsIn(join(repository, 'test', 'controlplane', 'crds'));
  for (const crd of crds) await api.apply(crd);
  for (const crd of crds) await served(api, crd);
}

/** Says where the cluster runs, as OpenShift's installer does. */
export async function setPlatform(api: Api, type: string): Promise<void> {
  const apiVersion = 'config.openshift.io/v1';
  await api.apply({ apiVersion, kind: 'Infrastructure', metadata: { name: 'cluster' } });
  const path = `/apis/${apiVersion}/infrastructures/cluster/status`;
  await api.patch(path, { status: { platformStatus: { type } } });
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
