/** `sluice support-bundle` as a person runs it, on a real API server. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { egressIPObject, egressIPs } from '../cluster/objects.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { finish, start } from './process.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';

describe('sluice support-bundle on a cluster', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  before(async () => {
    plane = await startControlPlane();
    await plane.api.call('POST', egressIPs, egressIPObject('web', ['10.0.1.1']));
    const named = (kind: string, name: string) => ({
      ...{ apiVersion: 'v1', kind, metadata: { name, namespace: 'default' } },
    });
    const data = { url: 'nats://sre:hunter2@nats:4222', NATS_PASSWORD: 'hunter2' };
    await plane.api.call('POST', configMaps, { ...named('ConfigMap', 'settings'), data });
    const stringData = { password: 'hunter2' };
    await plane.api.call('POST', secrets, { ...named('Secret', 'login'), stringData });
  });
  after(() => plane.stop());

  it('holds the objects, no secret, and says what is missing', async () => {
    const file = join(plane.folder, 'bundle.tar.gz');
    const { folder, kubeconfig, natsUrl } = plane;
    const words = ['--file', file, '--kubeconfig', kubeconfig, '--namespace', 'default'];
    const args = ['support-bundle', ...words, '--server', natsUrl];
    const { code, out, err } = await finish(start(args, {}));
    assert.deepEqual([code, out], [1, `${file}\n`], err);
    assert.equal(spawnSync('tar', ['-xzf', file, '-C', folder]).status, 0);
    const read = (name: string): string => readFileSync(join(folder, 'sluice', name), 'utf8');
    assert.match(read('objects/egressips.json'), /"10\.0\.1\.1"/);
    assert.match(read('objects/version.json'), /"gitVersion"/);
    assert.match(read('objects/default-configmaps.json'), /nats:\/\/\[redacted\]@nats:4222/);
    assert.match(read('versions.json'), /"sluice":"\d/);
    // No room ever ran here.
    assert.match(read('missing.txt'), /^status\.txt: .*no log to read/m);
    const all = spawnSync('grep', ['-r', 'hunter2', join(folder, 'sluice')]);
    assert.equal(String(all.stdout), '');
  });
});
