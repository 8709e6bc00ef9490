/** The ClusterServiceVersion: what OLM runs, with which permissions, and what people read. */
import type { ApiObject } from '../controlplane/api.ts';
import { accountsOf, type Grants } from './olm-permissions.ts';
import type { Rendered } from './helm.ts';

const description = `Sluice is the egress control plane of a cluster with OVN-Kubernetes: it decides
which node hosts which egress IP, and keeps pod networks routed over BGP, on bare metal and on AWS.

**Before you install it**: a NATS server with JetStream (2.12 or newer), the Secrets
\`sluice-nats-watcher\`, \`-assigner\`, \`-bgp\`, \`-aws-sync\` and \`-publisher\` with the keys
\`username\` and \`password\`, and \`sluice-nats-ca\` with \`ca.crt\`. The address of NATS is
the variable \`NATS_URL\` of the Subscription's \`spec.config.env\`. The Helm chart brings NATS.
`;

/** What must be served in the cluster. */
const required = [
  ['frrconfigurations.frrk8s.metallb.io', 'v1beta1', 'FRRConfiguration'],
  ['clusteruserdefinednetworks.k8s.ovn.org', 'v1', 'ClusterUserDefinedNetwork'],
  ['routeadvertisements.k8s.ovn.org', 'v1', 'RouteAdvertisements'],
  ['egressips.k8s.ovn.org', 'v1', 'EgressIP'],
] as const;

const modes = {
  OwnNamespace: true,
  SingleNamespace: true,
  MultiNamespace: false,
  AllNamespaces: false,
};

const told: Readonly<Record<string, string>> = {
  CUDNBgpConfig:
    'The BGP routers of the cluster, their neighbors by zone, and AWS. One, `cluster`.',
  CUDNBgpRouting: 'A network of pods that is routed over BGP.',
};

/** `owned` = the CRDs themselves; `examples` = an object of each. */
export function clusterServiceVersion(
  rendered: Rendered,
  version: string,
  owned: readonly unknown[],
  examples: readonly unknown[],
): object {
  const deployments = rendered.of('Deployment').map(deploymentOf);
  const accounts = accountsOf(rendered);
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `sluice.v${version}`,
      annotations: {
        'alm-examples': JSON.stringify(examples, null, 2),
        capabilities: 'Seamless Upgrades',
        categories: 'Networking',
        containerImage: imageOf(rendered.of('Deployment')[0]),
        'operatorframework.io/suggested-namespace': 'sluice',
      },
    },
    spec: {
      displayName: 'Sluice',
      description,
      version,
      maturity: 'alpha',
      minKubeVersion: '1.31.0',
      keywords: ['egress', 'egressip', 'ovn-kubernetes', 'bgp', 'frr', 'networking'],
      provider: { name: 'Sluice' },
      installModes: Object.entries(modes).map(([type, supported]) => ({ type, supported })),
      customresourcedefinitions: { owned: owned.map(ownedOf), required: required.map(requiredOf) },
      relatedImages: [{ name: 'sluice', image: imageOf(rendered.of('Deployment')[0]) }],
      install: { strategy: 'deployment', spec: { deployments, ...permissionsOf(accounts) } },
    },
  };
}

function permissionsOf(accounts: readonly Grants[]): object {
  const listed = (what: 'own' | 'everywhere'): object[] =>
    accounts
      .filter((grants) => grants[what].length > 0)
      .map((grants) => ({ serviceAccountName: grants.account, rules: grants[what] }));
  return { permissions: listed('own'), clusterPermissions: listed('everywhere') };
}

// oxlint-disable-next-line no-explicit-any -- any kind is read here
type Any = any;

/** The namespace is chosen at the installation, so the process is told of it by the platform. */
function deploymentOf({ metadata, spec }: Any): object {
  const copy = structuredClone(spec) as Any;
  delete copy.template.metadata.labels['helm.sh/chart'];
  copy.template.metadata.labels['app.kubernetes.io/managed-by'] = 'olm';
  for (const container of copy.template.spec.containers)
    container.env = container.env.flatMap(withNamespace);
  return { name: metadata.name, label: copy.selector.matchLabels, spec: copy };
}

function withNamespace(variable: Any): Any[] {
  if (variable.name !== 'SLUICE_LOG_RECORD') return [variable];
  const fieldRef = { fieldPath: 'metadata.namespace' };
  const name = 'POD_NAMESPACE';
  const value = variable.value.replace(/^[^/]*/, `$(${name})`);
  return [
    { name, valueFrom: { fieldRef } },
    { ...variable, value },
  ];
}

const imageOf = (deployment: Any): string => deployment.spec.template.spec.containers[0].image;

function ownedOf(crd: Any): object {
  const { names, versions } = crd.spec;
  return {
    name: (crd as ApiObject).metadata.name,
    version: versions[0].name,
    kind: names.kind,
    displayName: names.kind,
    description: told[names.kind],
  };
}

const requiredOf = ([name, version, kind]: (typeof required)[number]): object => ({
  ...{ name, version, kind },
  displayName: kind,
  description: `Served by the platform: ${kind}.`,
});
