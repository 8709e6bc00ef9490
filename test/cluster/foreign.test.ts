/** Others who write what is Sluice's, on a real API server: people, controllers, a policy. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiObject } from '../controlplane/api.ts';
import { parseYamlDocuments } from '../../edge/yaml.ts';
import { type House, openHouse } from './house.ts';
import { egressIPs, type Item, markKey } from './objects.ts';

const policyFile = new URL('../../helm/sluice/policies/egressip-mark.yaml', import.meta.url);
const publisher = 'system:serviceaccount:sluice:sluice-publisher';

describe('others who write the same on a real API server', function () {
  this.timeout(90_000);
  let house: House;
  before(async () => {
    house = await openHouse();
    for (const name of ['a1', 'a2']) await house.node(name, { labels: { pool: 'a' } });
    await house.egressIP('web', ['10.0.8.1'], { pool: 'a' });
    await house.homed('web', '10.0.8.1 on a1');
  });
  after(() => house?.stop());

  const meddle = (items: readonly Item[], manager: string): Promise<unknown> =>
    house.api.patch(`${egressIPs}/web?fieldManager=${manager}`, { status: { items } });

  it('have a single edit of the status undone at once, and one of the mark', async () => {
    await meddle([{ egressIP: '10.0.8.1', node: 'a2' }], 'somebody');
    await house.homed('web', '10.0.8.1 on a1');
    await house.api.patch(`${egressIPs}/web`, { metadata: { annotations: { [markKey]: null } } });
    const mark = (): string | undefined =>
      house.egressIPs.objects.get('web')?.metadata.annotations?.[markKey];
    await house.until('the mark is back', () => mark() !== undefined);
    assert.deepEqual(house.told('web', 'ForeignWriter'), []);
  });

  it('are named by their field manager when they insist, and undone in the end', async () => {
    for (let times = 0; times < 8; times++) {
      await meddle([{ egressIP: '10.0.8.1', node: 'a2' }], 'other-controller');
      await house.homed('web', '10.0.8.1 on a1');
    }
    const { note } = await house.hasTold('web', 'ForeignWriter');
    assert.match(note, /^other-controller keeps rewriting/);
    assert.equal(house.told('web', 'ForeignWriter').length, 1);
  });

  it('do not keep the status from being written by refusing the mark', async () => {
    await applyPolicy(house, publisher);
    await untilMarks(house, 'web', 'refused');
    await house.egressIP('late', ['10.0.8.2'], { pool: 'a' });
    await house.homed('late', /^10\.0\.8\.2 on a[12]$/);
    const annotations = house.egressIPs.objects.get('late')?.metadata.annotations ?? {};
    assert.ok(!(markKey in annotations));
  });

  it('let the user of the admission policy mark, and nobody else', async () => {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { body } = await house.api.call('POST', path, review);
    await applyPolicy(house, body.status.userInfo.username);
    await untilMarks(house, 'late', 'allowed');
    await house.egressIP('last', ['10.0.8.3'], { pool: 'a' });
    await house.homed('last', /^10\.0\.8\.3 on a[12]$/);
    assert.match(
      house.egressIPs.objects.get('last')?.metadata.annotations?.[markKey] ?? '',
      /^5\d{4}$/,
    );
  });
});

/** Our policy with this user in the place of the publisher's. */
async function applyPolicy(house: House, user: string): Promise<void> {
  const text = readFileSync(policyFile, 'utf8').replaceAll(publisher, user);
  const plurals = ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'];
  for (const [index, { value: object }] of parseYamlDocuments(text).entries()) {
    const { name } = (object as ApiObject).metadata;
    const path = `/apis/admissionregistration.k8s.io/v1/${plurals[index]}/${name}`;
    const query = '?fieldManager=test&force=true';
    const { status, body } = await house.api.call(
      'PATCH',
      path + query,
      object,
      'application/apply-patch+yaml',
    );
    assert.ok(status < 300, body?.message);
  }
}

/** Waits while the server compiles a policy. `web` has a mark, `late` has none. */
async function untilMarks(
  house: House,
  name: string,
  wanted: 'allowed' | 'refused',
): Promise<void> {
  const patch = { metadata: { annotations: { [markKey]: '54000' } } };
  const type = 'application/merge-patch+json';
  const path = `${egressIPs}/${name}?dryRun=All`;
  for (let tries = 0; tries < 200; tries++) {
    const { status } = await house.api.call('PATCH', path, patch, type);
    if ((status === 422) === (wanted === 'refused')) return;
    await sleep(50);
  }
  assert.fail(`marks are not ${wanted}`);
}
