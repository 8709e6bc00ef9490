/** Applies CRDs to a control plane: the chart's, and those that OpenShift brings along. */
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

/** The kinds of frr-k8s, OVN-Kubernetes and OpenShift that BGP is made of, by their plurals. */
export const platformKinds = [
  'bgpsessionstates',
  'clusteruserdefinednetworks',
  'frrconfigurations',
  'infrastructures',
  'networks',
  'routeadvertisements',
] as const;

export type PlatformKind = (typeof platformKinds)[number];

/** The kinds that OpenShift has on a cloud, for tests: CloudPrivateIPConfig and Infrastructure. */
export const applyCloudCrds = (api: Api): Promise<void> =>
  applyAll(api, platformCrds(['cloudprivateipconfigs', 'infrastructures']));

/** What the cluster under Sluice brings along, all of it or some kinds; others may come later. */
export const applyPlatformCrds = (
  api: Api,
  kinds: readonly PlatformKind[] = platformKinds,
): Promise<void> => applyAll(api, platformCrds(kinds));

/** The platform's CRDs of these plurals, as objects. */
export function platformCrds(kinds: readonly string[] = platformKinds): Crd[] {
  const crds = crdsIn(join(repository, 'test', 'controlplane', 'crds'));
  return crds.filter((crd) => kinds.includes(crd.spec.names.plural));
}

/**
 * FRRConfiguration as frr-k8s has it before 0.0.24: an ASN is int32 with a bound beyond that, so an
 * API server from 1.36 on refuses every object that has an ASN, with 422.
 */
export async function applyUnmendedFrrCrd(api: Api): Promise<void> {
  const text = JSON.stringify(platformCrds(['frrconfigurations']));
  const format = /"format":"int64"(?=,"minimum":0,"maximum":4294967295)/g;
  await applyAll(api, JSON.parse(text.replaceAll(format, '"format":"int32"')) as Crd[]);
}

async function applyAll(api: Api, crds: readonly Crd[]): Promise<void> {
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
export const applyCrds = (api: Api, shape: CrdShape): Promise<void> =>
  applyAll(api, chartCrds(shape));

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
