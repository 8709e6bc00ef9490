/** The chart in a real API server: what Helm makes, upgrades and leaves, and its pods at work. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster } from '../cluster/cluster.ts';
import { assignable, egressIPs, markKey } from '../cluster/objects.ts';
import { removeFolder, temporaryFolder } from '../controlplane/leftovers.ts';
import { bodyOf } from '../controlplane/http.ts';
import { eventually } from '../controlplane/wait.ts';
import { projectPath } from '../controlplane/rooms.ts';
import { chart, run } from './helm.ts';
import { bundle, type Installed, namespace, openInstalled } from './installed.ts';

const secrets = `/api/v1/namespaces/${namespace}/secrets`;

describe('the installed chart', function () {
  this.timeout(240_000);
  let house: Installed;
  let cluster: Cluster;
  let programs = '';

  before(async () => {
    programs = temporaryFolder();
    const bundling = bundle(programs);
    house = await openInstalled();
    const { status, err } = await house.upgrade();
    assert.equal(status, 0, err);
    cluster = new Cluster(house.plane);
    await Promise.all([cluster.watch(), bundling]);
    await house.startNats();
    await house.startRooms(programs);
  });

  after(async () => {
    cluster?.unwatch();
    await house?.stop();
    removeFolder(programs);
  });

  it('has rooms that catch up with the permissions and logins that it gives them', async () => {
    assert.equal(house.rooms.size, 5);
    await house.ready();
  });

  it('places the addresses of an EgressIP, marks it and tells of it', async () => {
    await cluster.node('worker-1', { labels: { [assignable]: '' } });
    await cluster.node('worker-2', { labels: { [assignable]: '' } });
    await cluster.egressIP('web', ['10.0.7.1', '10.0.7.2']);
    await cluster.homed('web', /^10\.0\.7\.1 on worker-[12], 10\.0\.7\.2 on worker-[12]$/);
    const web = await cluster.api.get(`${egressIPs}/web`);
    assert.match(web.metadata.annotations[markKey], /^\d+$/);
    await cluster.hasTold('web', 'Assigned');
  });

  it('moves an address when its node is lost', async () => {
    await cluster.egressIP('one', ['10.0.7.9']);
    await cluster.homed('one', /worker/);
    const lost = cluster.nodeOf('one', '10.0.7.9');
    await cluster.label(lost, { [assignable]: null });
    const other = lost === 'worker-1' ? 'worker-2' : 'worker-1';
    await cluster.homed('one', `10.0.7.9 on ${other}`);
    await cluster.label(lost, { [assignable]: '' });
  });

  it('lets only the publisher of this release mark an object', async () => {
    const patch = { metadata: { annotations: { [markKey]: '50001' } } };
    await cluster.egressIP('idle', ['10.9.9.9'], { nobody: 'has-it' });
    const { status, body } = await cluster.api.call(
      'PATCH',
      `${egressIPs}/idle`,
      patch,
      'application/merge-patch+json',
    );
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(body.message, /only be added by the control plane/);
  });

  it('lets people tail the log with the read-only login', async () => {
    const ca = join(house.rooms.get('assigner')?.folder ?? '', 'etc/sluice/nats/ca.crt');
    const login = { NATS_USER: 'sre', NATS_PASSWORD: await house.password('sre') };
    const env = { PATH: projectPath(), NATS_URL: house.nats.url, NATS_CA: ca, ...login };
    const tail = await run('node', [join(programs, 'bin', 'sluice.mjs'), 'tail', '--no-follow'], {
      env,
    });
    assert.equal(tail.status, 0, tail.err);
    assert.match(tail.out, /egressip\/web/);
  });

  it('shows to Prometheus whether each room is connected and has caught up', async () => {
    for (const [room, { url }] of house.rooms) {
      const page = await bodyOf(`${url}/metrics`);
      assert.match(page, /^sluice_log_connected 1$/m, room);
      assert.match(page, /^sluice_caught_up 1$/m, room);
    }
  });

  it('has the metrics that its alerts and its dashboard ask for', async () => {
    const pages = await Promise.all([...house.rooms.values()].map(({ url }) => metricsOf(url)));
    const asked = ['alerts.yaml', 'dashboard.json']
      .map((file) => readFileSync(join(chart, 'files', file), 'utf8'))
      .flatMap((text) => text.match(/\b(sluice|ovnkube|process|nodejs)_[a-z0-9_]+/g) ?? []);
    assert.ok(asked.length > 25);
    const missing = asked
      .filter((name) => !ofRouting.test(name))
      .filter((name) => !pages.some((page) => page.has(name)));
    assert.deepEqual([...new Set(missing)], []);
  });

  it('goes on after NATS has restarted', async () => {
    await house.nats.child.restart();
    await eventually('the assigner is connected again', { withinMs: 30_000 }, async () => {
      const page = await bodyOf(`${house.rooms.get('assigner')?.url}/metrics`);
      return /^sluice_log_connected 1$/m.test(page);
    });
    await cluster.egressIP('later', ['10.0.7.20']);
    await cluster.homed('later', /10\.0\.7\.20 on worker/);
  });

  it('keeps logins and certificate on an upgrade', async () => {
    const dataOf = async (): Promise<Record<string, unknown>> => {
      const { items } = await house.plane.api.get(
        `${secrets}?labelSelector=app.kubernetes.io/name`,
      );
      const all = items as { metadata: { name: string }; data: unknown }[];
      return Object.fromEntries(all.map(({ metadata, data }) => [metadata.name, data]));
    };
    const before = await dataOf();
    assert.ok(Object.keys(before).length >= 6);
    const { status, err } = await house.upgrade({ 'config.SLUICE_LOG_LEVEL': 'debug' });
    assert.equal(status, 0, err);
    assert.deepEqual(await dataOf(), before);
  });

  it('leaves the CRDs, and the EgressIPs with them, when it is uninstalled', async () => {
    const env = { KUBECONFIG: house.plane.kubeconfig };
    const { status, err } = await house.helm.run(['uninstall', 'sluice', '-n', namespace], env);
    assert.equal(status, 0, err);
    const left = await house.plane.api.get(`${egressIPs}/web`);
    assert.equal(left.status.items.length, 2);
  });
});

/** The names on a page for Prometheus. */
/** There where networks are routed: see routing.test.ts, and test/laws/aws-readings.test.ts. */
const ofRouting = /^sluice_(bgp_sessions|aws)_/;

async function metricsOf(url: string): Promise<ReadonlySet<string>> {
  const page = await bodyOf(`${url}/metrics`);
  return new Set([...page.matchAll(/^([a-z]\w*)(?=[{ ])/gm)].map(([, name = '']) => name));
}
