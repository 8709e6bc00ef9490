/** What the chart makes of its values, with Helm 3 and with Helm 4, and what it refuses. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiObject } from '../controlplane/api.ts';
import { asArgs, chart, type Helm, helms, type Rendered, type Values } from './helm.ts';
import { readmeOf, unexplained } from './readme.ts';
import { valuesSchema } from './schema.ts';

const all: Values = {
  'serviceMonitor.enabled': true,
  'prometheusRule.enabled': true,
  'dashboard.enabled': true,
  'crds.managed': 'all',
};

/** Every kind of values that changes what is made. */
const classes: Readonly<Record<string, Values>> = {
  'nothing said': {},
  'everything on': all,
  'no BGP': { 'bgp.enabled': false },
  'no AWS': { 'awsSync.enabled': false },
  'an outside NATS': { 'nats.enabled': false, 'nats.url': 'tls://nats.example:4222' },
  'one NATS server': { 'nats.replicas': 1 },
  'own certificates and logins': {
    'nats.tls.existingSecret': 'mine',
    'nats.createCredentials': false,
  },
  OpenShift: { runAsUser: null, 'config.SLUICE_PLATFORM_TYPE': 'AWS' },
  'an IAM role': { 'awsSync.roleArn': 'arn:aws:iam::123456789012:role/sluice' },
  'TLS to the health servers': {
    'watcher.probeCaSecret': 'health-ca',
    'config.SLUICE_PROBE_SERVER_NAME': 'ovnkube',
  },
  'settings as numbers': {
    'config.SLUICE_PROBE_FAILURES': 5,
    'config.SLUICE_PROBE_TIMEOUT': 0.5,
    'probeSettings.interval': 3,
  },
  placement: {
    nodeSelector: { infra: 'true' },
    tolerations: [{ key: 'infra', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    podLabels: { team: 'network' },
    podAnnotations: { note: 'x' },
    'image.digest': `sha256:${'0'.repeat(64)}`,
    'image.pullSecrets': [{ name: 'login' }],
  },
  'two replicas': { 'assigner.replicas': 2, 'bgp.replicas': 2 },
  'no policies': { 'networkPolicies.enabled': false, 'markPolicy.enabled': false },
  'another prefix': { 'config.SLUICE_PREFIX': 'blue', fullnameOverride: 'egress' },
};

/** A value, and what Helm must say of it. */
const refusals: readonly (readonly [values: Values, why: RegExp])[] = [
  [{ 'config.SLUICE_MODE': 'shadwo' }, /SLUICE_MODE/],
  [{ 'config.SLUICE_PROBE_FAILURES': 0 }, /SLUICE_PROBE_FAILURES/],
  [{ 'config.SLUICE_PROBE_FAILURES': 'many' }, /SLUICE_PROBE_FAILURES/],
  [{ 'config.SLUICE_PROBE_TIMEOUT': 61 }, /SLUICE_PROBE_TIMEOUT/],
  [{ 'config.SLUICE_TYPO': 'x' }, /SLUICE_TYPO/],
  [{ 'config.NATS_URL': 'nats://elsewhere:4222' }, /NATS_URL/],
  [{ 'probeSettings.interval': 0 }, /interval/],
  [{ 'probeSettings.intervall': 3 }, /intervall/],
  [{ 'nats.replicas': 2 }, /replicas/],
  [{ 'nats.url': 'http://nats' }, /url/],
  [{ 'awsSync.roleArn': 'sluice' }, /roleArn/],
  [{ 'image.digest': 'sha256:12' }, /digest/],
  [{ runAsUser: 0 }, /runAsUser/],
  [{ 'crds.managed': 'some' }, /managed/],
  [{ replicas: 2 }, /replicas/],
  [{ 'assigner.replicas': 3 }, /replicas/],
  [{ 'nats.enabled': false }, /nats\.url is needed/],
];

describe('the chart', function () {
  this.timeout(120_000);
  let tools: readonly Helm[] = [];
  let usual: Rendered;

  before(async () => {
    tools = await helms();
    const [three] = tools;
    assert.ok(three);
    usual = await three.objects();
    if (tools.length === 1) console.log('    Helm 4 is not built (`make tools`): Helm 3 only');
  });

  it('passes lint --strict', async () => {
    for (const helm of tools)
      for (const values of [{}, all, classes['an outside NATS'] ?? {}]) {
        const { status, out, err } = await helm.run(['lint', '--strict', chart, ...asArgs(values)]);
        assert.equal(status, 0, `${helm.name} ${JSON.stringify(values)}: ${out} ${err}`);
      }
  });

  it('renders the same objects with Helm 3 and Helm 4 for every class of values', async () => {
    for (const [name, values] of Object.entries(classes)) {
      const [first, ...others] = await Promise.all(tools.map((helm) => helm.objects(values)));
      assert.ok((first?.all.length ?? 0) > 20, name);
      for (const other of others) assert.deepEqual(keys(other), keys(first), name);
    }
  });

  for (const [values, why] of refusals)
    it(`refuses ${JSON.stringify(values)}`, async () => {
      for (const helm of tools) {
        const { status, err } = await helm.template(values);
        assert.notEqual(status, 0, `${helm.name} accepts it`);
        assert.match(err, why, helm.name);
      }
    });

  it('has a Deployment for each room, and leaves out those that are switched off', async () => {
    const rooms = ['assigner', 'aws-sync', 'bgp', 'publisher', 'watcher'];
    assert.deepEqual(
      usual.names('Deployment').sort(),
      rooms.map((room) => `sluice-${room}`),
    );
    const [helm] = tools;
    const without = await helm?.objects({ 'bgp.enabled': false });
    assert.deepEqual(without?.names('Deployment').sort(), [
      'sluice-assigner',
      'sluice-publisher',
      'sluice-watcher',
    ]);
    assert.ok(!JSON.stringify(without?.of('ClusterRole')).includes('cudnbgp'));
  });

  it('lets a drain take one of two replicas, and rolls them without a gap', async () => {
    const two = await tools[0]?.objects({ 'assigner.replicas': 2 });
    const budgets = two?.names('PodDisruptionBudget').sort();
    assert.deepEqual(budgets, ['sluice-assigner', 'sluice-nats']);
    const strategy = (room: string): unknown => two?.one('Deployment', room).spec.strategy.type;
    assert.equal(strategy('sluice-assigner'), 'RollingUpdate');
    assert.equal(strategy('sluice-watcher'), 'Recreate');
  });

  it('gives a token only to the rooms that speak to the API', () => {
    const withToken = usual
      .of('Deployment')
      .filter((object) => podOf(object)['automountServiceAccountToken'] === true)
      .map(({ metadata }) => metadata.name);
    assert.deepEqual(withToken.sort(), ['sluice-publisher', 'sluice-watcher']);
  });

  it('has restricted pods only: no root, no capability, nothing to write but volumes', () => {
    const pods = ['Deployment', 'StatefulSet'].flatMap((kind) => usual.of(kind).map(podOf));
    const test = usual.one('Pod', 'sluice-test').spec;
    for (const pod of [...pods, test]) {
      assert.equal(pod.securityContext.runAsNonRoot, true);
      assert.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault');
      assert.equal(pod.enableServiceLinks, false);
      for (const container of pod.containers) {
        const { securityContext, resources } = container;
        assert.equal(securityContext.allowPrivilegeEscalation, false);
        assert.equal(securityContext.readOnlyRootFilesystem, true);
        assert.deepEqual(securityContext.capabilities.drop, ['ALL']);
        assert.ok(resources.requests.memory && resources.limits.memory, container.name);
      }
    }
  });

  it('mounts to a room no login but its own, and never the key of the certificate', () => {
    for (const object of usual.of('Deployment')) {
      const room = object.metadata.name.replace('sluice-', '');
      const text = JSON.stringify(podOf(object));
      const logins = [...text.matchAll(/sluice-nats-([a-z-]+)"/g)].map(([, user]) => user);
      assert.deepEqual(new Set(logins), new Set([room, 'tls']));
      assert.ok(!text.includes('tls.key'));
    }
  });

  it('denies every connection that is not named', () => {
    const deny = usual.one('NetworkPolicy', 'sluice-default-deny').spec;
    assert.deepEqual(deny.policyTypes, ['Ingress', 'Egress']);
    assert.equal(deny.ingress ?? deny.egress, undefined);
    const ports = (room: string): unknown[] =>
      usual
        .one('NetworkPolicy', `sluice-${room}`)
        .spec.egress.flatMap((rule: { ports: { port: number }[] }) => rule.ports)
        .map(({ port }: { port: number }) => port);
    assert.deepEqual(ports('assigner'), [4222]);
    assert.deepEqual(ports('bgp'), [4222]);
    assert.deepEqual(ports('watcher'), [4222, 443, 6443, 9107]);
    assert.deepEqual(ports('publisher'), [4222, 443, 6443]);
    assert.deepEqual(ports('aws-sync'), [4222, 443]);
  });

  it('runs three NATS servers that write to disk before they answer', () => {
    const set = usual.one('StatefulSet', 'sluice-nats').spec;
    assert.equal(set.replicas, 3);
    assert.equal(usual.one('PodDisruptionBudget', 'sluice-nats').spec.maxUnavailable, 1);
    const conf = usual.one('ConfigMap', 'sluice-nats').data['nats.conf'] as string;
    assert.match(conf, /sync_interval: always/);
    assert.match(conf, /verify: true/);
    assert.ok(!/password: (?!\$NATS_PASSWORD_)/.test(conf), 'a password stands in a ConfigMap');
    const [nats] = set.template.spec.containers;
    assert.deepEqual(nats.lifecycle.preStop.exec.command.slice(0, 2), ['nats-server', '--signal']);
  });

  it('lets its own publisher write marks, wherever it is installed', async () => {
    const [helm] = tools;
    const { out } = (await helm?.template({}, 'egress', 'infra')) ?? { out: '' };
    assert.match(out, /system:serviceaccount:infra:egress-sluice-publisher/);
    assert.ok(!out.includes('system:serviceaccount:sluice:'));
  });

  it('keeps CRDs that Helm manages, also when it is uninstalled', async () => {
    const crds = (await tools[0]?.objects(all))?.of('CustomResourceDefinition') ?? [];
    assert.ok(crds.length >= 1);
    for (const { metadata } of crds)
      assert.equal(metadata.annotations?.['helm.sh/resource-policy'], 'keep', metadata.name);
    assert.equal(usual.of('CustomResourceDefinition').length, 0);
  });

  it('has no two objects of one name, and standard labels on all', async () => {
    const objects = (await tools[0]?.objects({ ...all, 'crds.managed': 'none' }))?.all ?? [];
    const names = objects.map(keyOf);
    assert.equal(new Set(names).size, names.length);
    for (const object of objects.filter(({ kind }) => kind !== 'Namespace')) {
      const labels = object.metadata.labels ?? {};
      assert.equal(labels['app.kubernetes.io/part-of'], 'sluice', keyOf(object));
      assert.equal(labels['app.kubernetes.io/managed-by'], 'Helm', keyOf(object));
    }
  });

  it('has a schema and a README that are made from the settings and the values', () => {
    const read = (file: string): string => readFileSync(join(chart, file), 'utf8');
    const stale = 'is stale: run `make chart`';
    const schema = JSON.parse(read('values.schema.json')) as unknown;
    assert.deepEqual(schema, valuesSchema(), `values.schema.json ${stale}`);
    assert.equal(read('README.md'), readmeOf(read('values.yaml')), `README.md ${stale}`);
    assert.deepEqual(unexplained(read('values.yaml')), [], 'values without a word on them');
  });
});

const keyOf = ({ kind, metadata }: ApiObject): string =>
  `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

const keys = (rendered: Rendered | undefined): string[] => rendered?.all.map(keyOf).sort() ?? [];

// oxlint-disable-next-line no-explicit-any -- objects of any kind are read here
const podOf = (object: any): any => object.spec.template.spec;
