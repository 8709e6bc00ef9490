/** Who lost the lease sends nothing that changes the cluster, whatever it was in the middle of. */
import assert from 'node:assert/strict';
import type { KubeRequest } from '../../core/door.ts';
import { StaleWriter } from '../../core/door.ts';
import { object } from './apiserver-double.ts';
import { egressIPs, type Setting, setting } from './kubernetes-setting.ts';

const patient = new AbortController().signal;
const path = `${egressIPs}/web`;
const wanted = { contentType: 'application/json', body: {} };
const writes: readonly KubeRequest[] = (['POST', 'PATCH', 'DELETE'] as const).map((method) => {
  return { method, path, ...wanted };
});
const read: KubeRequest = { method: 'GET', path, contentType: '', body: undefined };

describe('a process that may not write any more', () => {
  let here: Setting;
  let may = true;
  beforeEach(async () => {
    may = true;
    here = await setting({ mayWrite: () => may });
  });
  afterEach(() => here.stop());

  for (const write of writes) {
    it(`sends no ${write.method}, and ends the life that wanted it`, async () => {
      may = false;
      await assert.rejects(here.cluster.request(write, patient), StaleWriter);
      const reading = here.cluster.request(read, patient);
      const first = await here.api.next();
      assert.equal(first.method, 'GET');
      first.json(200, object('web', '1'));
      assert.equal((await reading).status, 200);
    });
  }

  it('sends no write that waited for a connection while the lease ran out', async () => {
    const all = Array.from({ length: 40 }, () => here.cluster.request(writes[1]!, patient));
    const settled = Promise.allSettled(all);
    const sent = [];
    for (let index = 0; index < 32; index++) sent.push(await here.api.next());
    may = false;
    for (const exchange of sent) exchange.json(200, object('web', '2'));
    const results = await settled;
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 8);
  });

  it('does not send again what was refused for its token', async () => {
    const tokens = ['old', 'new'];
    const authorization = async () => tokens.shift();
    const other = await setting({ mayWrite: () => may, authorization });
    const asked = other.cluster.request(writes[1]!, patient);
    const first = await other.api.next();
    may = false;
    first.refuse(401, 'Unauthorized');
    await assert.rejects(asked, StaleWriter);
    await other.stop();
  });
});
