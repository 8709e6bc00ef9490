/** OLM's bundle: it is the chart's, in the form that OLM takes. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '../../edge/yaml.ts';
import { repository } from '../controlplane/go-module.ts';
import { helm3, type Rendered } from './helm.ts';
import { type BundleFiles, bundleOf, values } from './olm.ts';

// oxlint-disable-next-line no-explicit-any -- objects of any kind are read here
type Any = any;

/** What OLM takes beside a ClusterServiceVersion and CRDs. */
const taken = ['ConfigMap', 'Service', 'ServiceAccount'];

describe('the bundle for OLM', function () {
  this.timeout(120_000);
  let files: BundleFiles = {};
  let rendered: Rendered;
  let csv: Any;
  before(async () => {
    const helm = await helm3();
    files = await bundleOf(helm);
    rendered = await helm.objects(values);
    csv = parseYaml(files['bundle/manifests/sluice.clusterserviceversion.yaml'] ?? '');
  });

  it('is in the repository as it is made; after a change of the chart: make chart', () => {
    const there = globSync('**/*.{yaml,Dockerfile}', { cwd: join(repository, 'olm') });
    assert.deepEqual(there.sort(), Object.keys(files).sort());
    for (const [path, text] of Object.entries(files))
      assert.equal(readFileSync(join(repository, 'olm', path), 'utf8'), text, path);
  });

  it('is the package sluice in the channel alpha, for one namespace', () => {
    const { annotations } = parseYaml(files['bundle/metadata/annotations.yaml'] ?? '') as Any;
    const about = (what: string): string =>
      annotations[`operators.operatorframework.io.bundle.${what}.v1`];
    assert.deepEqual(['package', 'channels', 'channel.default', 'mediatype'].map(about), [
      'sluice',
      'alpha',
      'alpha',
      'registry+v1',
    ]);
    const modes = csv.spec.installModes.filter(({ supported }: Any) => supported);
    assert.deepEqual(
      modes.map(({ type }: Any) => type),
      ['OwnNamespace', 'SingleNamespace'],
    );
  });

  it('has the rooms of the chart, with their command lines', () => {
    const { deployments } = csv.spec.install.spec;
    const chart = rendered.of('Deployment') as Any[];
    assert.equal(deployments.length, 5);
    for (const { name, spec } of deployments) {
      const same = chart.find(({ metadata }) => metadata.name === name);
      const [ours] = spec.template.spec.containers;
      const [theirs] = same.spec.template.spec.containers;
      assert.deepEqual(ours.command, theirs.command);
      assert.deepEqual(ours.image, theirs.image);
      assert.equal(spec.template.spec.securityContext.runAsUser, undefined);
    }
  });

  it('grants each account what the chart grants it, and to nobody else anything', () => {
    const { permissions, clusterPermissions } = csv.spec.install.spec;
    const granted = [...permissions, ...clusterPermissions];
    const accounts = new Set(granted.map(({ serviceAccountName }) => serviceAccountName));
    assert.deepEqual(accounts, new Set(['sluice-publisher', 'sluice-watcher']));
    const keyOf = (rule: Any): string => JSON.stringify(rule);
    const ours = granted.flatMap(({ rules }) => rules.map(keyOf));
    const roles = [...rendered.of('Role'), ...rendered.of('ClusterRole')] as Any[];
    const theirs = roles.flatMap(({ rules }) => rules.map(keyOf));
    assert.equal(ours.length, theirs.length);
    assert.deepEqual(new Set(ours), new Set(theirs));
    assert.deepEqual(
      permissions.flatMap(({ rules }: Any) => rules.flatMap(({ resources }: Any) => resources)),
      ['configmaps'],
    );
  });

  it('has every account: those that are granted something come from OLM itself', () => {
    const { deployments, permissions, clusterPermissions } = csv.spec.install.spec;
    const own = Object.keys(files).flatMap(
      (path) => /(sluice-[a-z-]+)\.serviceaccount/.exec(path)?.[1] ?? [],
    );
    const made = [...permissions, ...clusterPermissions].map((one) => one.serviceAccountName);
    for (const { spec } of deployments) {
      const { serviceAccountName: account } = spec.template.spec;
      assert.notEqual(own.includes(account), made.includes(account), account);
    }
  });

  it('owns the kinds of Sluice and needs those of the platform', () => {
    const { owned, required } = csv.spec.customresourcedefinitions;
    assert.deepEqual(
      owned.map(({ kind, version }: Any) => `${kind} ${version}`),
      ['CUDNBgpConfig v1alpha1', 'CUDNBgpRouting v1alpha1'],
    );
    for (const kind of ['FRRConfiguration', 'ClusterUserDefinedNetwork', 'RouteAdvertisements'])
      assert.ok(
        required.some((one: Any) => one.kind === kind),
        kind,
      );
    const examples = JSON.parse(csv.metadata.annotations['alm-examples']) as Any[];
    assert.deepEqual(
      examples.map(({ kind }) => kind),
      owned.map(({ kind }: Any) => kind),
    );
  });

  it('has nothing that OLM would refuse, and nothing that names a namespace', () => {
    const plain = Object.keys(files).filter((path) =>
      /\.(configmap|service|serviceaccount)\.yaml$/.test(path),
    );
    for (const path of plain) {
      const { kind, metadata } = parseYaml(files[path] ?? '') as Any;
      assert.ok(taken.includes(kind), kind);
      assert.equal(metadata.namespace, undefined, path);
    }
    const record = JSON.stringify(csv.spec.install.spec.deployments);
    assert.match(record, /"value":"\$\(POD_NAMESPACE\)\/sluice-log"/);
  });

  it('needs no object of the chart that it does not have', () => {
    const left = new Set(rendered.all.map(({ kind }) => kind));
    for (const kind of [...taken, 'Deployment', 'Pod']) left.delete(kind);
    for (const kind of ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'])
      left.delete(kind);
    assert.deepEqual([...left], []);
  });
});
