/** The pinned Go modules under `tools/`: which version of a tool they name, and how it is built. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The top of the work tree, without a slash at the end. */
export const repository = join(import.meta.dirname, '..', '..');

/** One tool: the folder of its `go.mod` under `tools/`, and its main package. */
export interface ToolSource {
  readonly name: string;
  readonly module: string;
  readonly package: string;
  /** What the linker is to write into the binary, for a version such as `v1.36.3`. */
  readonly linkerFlags?: (version: string) => readonly string[];
  /** A tool that everybody has already is taken from PATH, and built only where it is missing. */
  readonly fromPath?: boolean;
  /** A tool that is of use only beside this program is built unasked only where there is one. */
  readonly beside?: string;
  /** Tests that use it are left out where it is missing; only `make tools` builds it. */
  readonly onRequest?: boolean;
  /** How many packages are compiled at once; by default as many as there are processors. */
  readonly jobs?: number;
}

const kubernetes = (version: string): string[] => {
  const [major = '', minor = ''] = version.slice(1).split('.');
  const variable = 'k8s.io/component-base/version.git';
  return [
    `-X ${variable}Version=${version}`,
    `-X ${variable}Major=${major}`,
    `-X ${variable}Minor=${minor}`,
  ];
};

/** Helm 3 takes its own version, and Kubernetes' where none is at hand, from its linker. */
const helm3 = (version: string): string[] => [
  `-X helm.sh/helm/v3/internal/version.version=${version}`,
  ...['pkg/lint/rules', 'pkg/chartutil'].flatMap((path) => [
    `-X helm.sh/helm/v3/${path}.k8sVersionMajor=1`,
    `-X helm.sh/helm/v3/${path}.k8sVersionMinor=36`,
  ]),
];

const frrK8s = (name: string, path: string): ToolSource => ({
  name,
  module: 'frrk8s',
  package: `github.com/metallb/frr-k8s/${path}`,
  beside: '/usr/lib/frr/bgpd',
  // Others are built at the same time, and each package of Kubernetes' API wants much memory.
  jobs: 2,
});

/** Every tool known; the slowest to build first. */
export const toolSources: readonly ToolSource[] = [
  {
    name: 'kube-apiserver',
    module: 'kube-apiserver',
    package: 'k8s.io/kubernetes/cmd/kube-apiserver',
    linkerFlags: kubernetes,
  },
  {
    name: 'kubectl',
    module: 'kube-apiserver',
    package: 'k8s.io/kubernetes/cmd/kubectl',
    linkerFlags: kubernetes,
    fromPath: true,
  },
  { name: 'etcd', module: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  { name: 'nats-server', module: 'nats-server', package: 'github.com/nats-io/nats-server/v2' },
  {
    name: 'helm',
    module: 'helm',
    package: 'helm.sh/helm/v3/cmd/helm',
    linkerFlags: helm3,
    jobs: 2,
  },
  { name: 'helm4', module: 'helm4', package: 'helm.sh/helm/v4/cmd/helm', jobs: 2, onRequest: true },
  {
    name: 'promtool',
    module: 'prometheus',
    package: 'github.com/prometheus/prometheus/cmd/promtool',
    fromPath: true,
    jobs: 2,
    onRequest: true,
  },
  frrK8s('frr-k8s-controller', 'cmd/frr-k8s-controller'),
  frrK8s('statuscleaner', 'cmd/statuscleaner'),
  frrK8s('frr-status', 'frr-tools/status'),
];

/** The folder that holds the `go.mod` of a tool. */
export const moduleFolder = (tool: ToolSource): string => join(repository, 'tools', tool.module);

/** The version that the tool's `go.mod` requires, as `v1.36.3`: it is written nowhere else. */
export function versionOf(tool: ToolSource): string {
  const text = readFileSync(join(moduleFolder(tool), 'go.mod'), 'utf8');
  return requiredVersion(text, tool.package);
}

/** The version of the required module that contains the package; throws when there is none. */
export function requiredVersion(goMod: string, goPackage: string): string {
  let best = { module: '', version: '' };
  for (const line of goMod.split('\n')) {
    const [, module = '', version = ''] = /^(?:require)?\s+([\w./-]+) (v\S+)/.exec(line) ?? [];
    const contains = goPackage === module || goPackage.startsWith(`${module}/`);
    if (contains && module.length > best.module.length) best = { module, version };
  }
  if (best.version === '') throw new Error(`go.mod requires no module that has ${goPackage}`);
  return best.version;
}
