/** The bundle for the Operator Lifecycle Manager, made of what Helm makes of the chart. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml, parseYamlDocuments, stringifyYaml } from '../../edge/yaml.ts';
import type { ApiObject } from '../controlplane/api.ts';
import { repository } from '../controlplane/go-module.ts';
import { chart, type Helm, type Values } from './helm.ts';
import { accountsOf } from './olm-permissions.ts';
import { clusterServiceVersion } from './olm-version.ts';

/** Paths below `olm/`, and their text. */
export type BundleFiles = Readonly<Record<string, string>>;

/**
 * OLM knows no StatefulSets, so NATS is there already; nor policies of admission and networks. The
 * platform chooses the user, as OpenShift does.
 */
export const values: Values = {
  'nats.enabled': false,
  'nats.url': 'tls://sluice-nats:4222',
  'nats.externalCaSecret': 'sluice-nats-ca',
  'bgp.createFrrNamespace': false,
  'networkPolicies.enabled': false,
  'markPolicy.enabled': false,
  runAsUser: null,
};

const mediaTypes = {
  'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
  'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
  'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
  'operators.operatorframework.io.bundle.package.v1': 'sluice',
  'operators.operatorframework.io.bundle.channels.v1': 'alpha',
  'operators.operatorframework.io.bundle.channel.default.v1': 'alpha',
  'com.redhat.openshift.versions': 'v4.21',
};

const crds = ['cudnbgpconfigs', 'cudnbgproutings'];

/** Everything in the bundle; the same for the same chart. */
export async function bundleOf(helm: Helm): Promise<BundleFiles> {
  const rendered = await helm.objects(values);
  const { appVersion } = parseYaml(readChart('Chart.yaml')) as { appVersion: string };
  const owned = crds.map((name) => readChart(`crds/networking.openshift.io_${name}.yaml`));
  const csv = clusterServiceVersion(rendered, appVersion, owned.map(parseYaml), examples());
  // OLM makes only the accounts that it grants something.
  const granted = accountsOf(rendered).filter(
    ({ own, everywhere }) => own.length + everywhere.length,
  );
  const accounts = rendered
    .of('ServiceAccount')
    .filter(({ metadata }) => granted.every(({ account }) => account !== metadata.name));
  const plain = [...rendered.of('ConfigMap'), ...rendered.of('Service'), ...accounts];
  return {
    'bundle/manifests/sluice.clusterserviceversion.yaml': yaml(csv),
    ...Object.fromEntries(crds.map((name, index) => [crdFile(name), owned[index] ?? ''])),
    ...Object.fromEntries(plain.map((object) => [fileOf(object), yaml(withoutHelm(object))])),
    'bundle/metadata/annotations.yaml': yaml({ annotations: mediaTypes }),
    'bundle.Dockerfile': dockerfile(),
  };
}

/** The documents of `docs/bgp.md` that show both kinds. */
function examples(): readonly unknown[] {
  const text = readFileSync(join(repository, 'docs', 'bgp.md'), 'utf8');
  const blocks = [...text.matchAll(/^```(?:yaml)?\n(apiVersion: [\s\S]*?)^```/gm)];
  const documents = blocks.flatMap(([, block = '']) => parseYamlDocuments(block));
  const kinds = new Map<string, unknown>();
  for (const { value } of documents) {
    const { kind } = value as ApiObject;
    if (kind.startsWith('CUDNBgp') && !kinds.has(kind)) kinds.set(kind, value);
  }
  return [...kinds.values()];
}

const readChart = (name: string): string => readFileSync(join(chart, name), 'utf8');
const crdFile = (name: string): string => `bundle/manifests/networking.openshift.io_${name}.yaml`;
const fileOf = ({ kind, metadata }: ApiObject): string =>
  `bundle/manifests/${metadata.name}.${kind.toLowerCase()}.yaml`;
/** As JSON first: what occurs twice would be written as an anchor. */
const yaml = (value: unknown): string =>
  `# Made by \`make chart\`.\n${stringifyYaml(JSON.parse(JSON.stringify(value)))}`;

/** OLM puts it into the namespace where it installs. */
function withoutHelm(object: ApiObject): ApiObject {
  const {
    namespace: _,
    labels = {},
    ...metadata
  } = object.metadata as ApiObject['metadata'] & {
    labels?: Record<string, string>;
  };
  const kept = Object.entries(labels).filter(([label]) => !label.startsWith('helm.sh/'));
  const all = { ...Object.fromEntries(kept), 'app.kubernetes.io/managed-by': 'olm' };
  return { ...object, metadata: { ...metadata, labels: all } };
}

function dockerfile(): string {
  const labels = Object.entries(mediaTypes).map(([name, value]) => `LABEL ${name}=${value}`);
  const copies = ['manifests', 'metadata'].map((name) => `COPY bundle/${name} /${name}/`);
  return ['# Made by `make chart`.', 'FROM scratch', ...labels, ...copies, ''].join('\n');
}
