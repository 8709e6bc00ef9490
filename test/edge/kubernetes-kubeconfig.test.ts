/** What a kubeconfig file says about the server and about who asks. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfig } from '../../edge/kubeconfig.ts';

describe('a kubeconfig file', function () {
  this.timeout(20_000);
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-kubeconfig-'));
    file = join(folder, 'config');
  });
  after(() => rm(folder, { recursive: true }));

  /** JSON is YAML, too. */
  async function written(cluster: object, user: object): Promise<void> {
    const names = { cluster: 'c', user: 'u' };
    const config = {
      clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [
        { name: 'here', context: names },
        { name: 'nowhere', context: { cluster: 'absent', user: 'u' } },
      ],
      'current-context': 'here',
    };
    await writeFile(file, JSON.stringify(config));
  }

  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');

  it('names the server, its authority and a token', async () => {
    const authority = { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'api' };
    await written(authority, { token: 'abc' });
    const options = await kubeconfig(file);
    assert.equal(options.server, 'https://10.0.0.1:6443');
    assert.equal(options.ca, 'CA');
    assert.equal(options.serverName, 'api');
    assert.equal(options.insecure, false);
    assert.equal(await options.authorization?.(false), 'Bearer abc');
  });

  it('gives a certificate and its key instead of a token', async () => {
    const certificate = {
      'client-certificate-data': base64('CERT'),
      'client-key-data': base64('KEY'),
    };
    await written({}, certificate);
    const options = await kubeconfig(file);
    assert.deepEqual([options.cert, options.key], ['CERT', 'KEY']);
    assert.equal(await options.authorization?.(false), undefined);
  });

  it('may give a name and a password', async () => {
    await written({}, { username: 'eve', password: 'secret' });
    const authorization = await (await kubeconfig(file)).authorization?.(false);
    assert.equal(authorization, `Basic ${base64('eve:secret')}`);
  });

  it('is the only one that may ask to believe any certificate', async () => {
    await written({ 'insecure-skip-tls-verify': true }, { token: 'abc' });
    assert.equal((await kubeconfig(file)).insecure, true);
  });

  it('is refused when it leads nowhere or through a proxy', async () => {
    await written({ 'proxy-url': 'http://proxy:3128' }, { token: 'abc' });
    await assert.rejects(kubeconfig(file), /a proxy \(http:\/\/proxy:3128\) is not supported/);
    await assert.rejects(kubeconfig(file, 'nowhere'), /names no cluster/);
    await assert.rejects(kubeconfig(join(folder, 'absent')), /ENOENT/);
  });
});
