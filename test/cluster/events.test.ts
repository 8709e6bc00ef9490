/** What `kubectl describe` shows: one Event per transition, on the object itself, for strangers. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { findTools } from '../controlplane/tools.ts';
import { type House, openHouse } from './house.ts';
import { egressIPs, nodes, type Told } from './objects.ts';

/** The closed list of reasons. */
const reasons = [
  'Assigned',
  'Moved',
  'Released',
  'NoMatchingNodeFound',
  'NoAvailableNode',
  'UnassignedRequest',
  'EgressIPConflict',
  'UnsupportedRequest',
  'InvalidEgressIP',
  'InvalidSelector',
  'InvalidNodeAnnotation',
];

describe('events on a real API server', function () {
  this.timeout(90_000);
  let house: House;
  before(async () => {
    house = await openHouse();
  });
  after(() => house.stop());

  it('are shown by kubectl describe', async () => {
    await house.node('a1', { labels: { pool: 'a' } });
    await house.egressIP('described', ['10.0.4.1'], { pool: 'a' });
    await house.hasTold('described', 'Assigned');
    const kubectl = (await findTools(['kubectl'])).get('kubectl') ?? '';
    const args = ['--kubeconfig', house.plane.kubeconfig, 'describe', 'egressip', 'described'];
    const text = execFileSync(kubectl, args, { encoding: 'utf8' });
    assert.match(text, /Normal +Assigned +.*10\.0\.4\.1 is on a1/);
  });

  it('tell of an address that moved, and that it was let go when it is', async () => {
    await house.node('b1', { labels: { pool: 'b' } });
    await house.egressIP('moving', ['10.0.4.2'], { pool: 'b' });
    await house.hasTold('moving', 'Assigned', /b1/);
    await house.node('b2', { labels: { pool: 'b' } });
    await house.label('b1', { pool: null });
    await house.hasTold('moving', 'Moved', /from b1 to b2: b1 does not match pool=b/);
    await house.label('b2', { pool: null });
    await house.hasTold('moving', 'Released', /left b2/);
    await house.hasTold('moving', 'NoMatchingNodeFound', /pool=b/);
  });

  it('tell whose address it is when two want the same', async () => {
    await house.node('c1', { labels: { pool: 'c' } });
    await house.egressIP('holder', ['10.0.4.3'], { pool: 'c' });
    await house.homed('holder', '10.0.4.3 on c1');
    await house.egressIP('late', ['10.0.4.3', '10.0.4.4', '10.0.4.4'], { pool: 'c' });
    await house.hasTold('late', 'UnsupportedRequest', /already allocated.*holder on c1/);
    await house.hasTold('late', 'UnsupportedRequest', /"10\.0\.4\.4".*more than once/);
    await house.api.delete(`${egressIPs}/holder`);
    await house.homed('late', /10\.0\.4\.[34] on c1/);
  });

  it('tell of a conflict with a host, which ends when the host gives the address up', async () => {
    await house.node('d1', { labels: { pool: 'd' } });
    await house.node('d2', { networks: ['10.0.4.5/32'] });
    await house.egressIP('clash', ['10.0.4.5'], { pool: 'd' });
    await house.hasTold('clash', 'EgressIPConflict', /\(d2\)/);
    await house.api.delete(`${nodes}/d2`);
    await house.homed('clash', '10.0.4.5 on d1');
  });

  it('tell on the node which of its annotations cannot be read', async () => {
    await house.node('e1', { annotations: { 'k8s.ovn.org/node-primary-ifaddr': '{' } });
    const told = await house.hasTold('e1', 'InvalidNodeAnnotation', /node-primary-ifaddr/);
    assert.equal(told.regarding.kind, 'Node');
    assert.equal(told.regarding.apiVersion, 'v1');
    await house.node('e2', {});
    await house.rest();
    assert.deepEqual(house.told('e2', 'InvalidNodeAnnotation'), []);
  });

  it('are on the object with its uid, and their reasons are of the closed list', async () => {
    await house.rest();
    const all: Told[] = [...house.events.objects.values()];
    assert.ok(all.length >= 10);
    for (const { reason, type, regarding } of all) {
      assert.ok(reasons.includes(reason), reason);
      assert.ok(['Normal', 'Warning'].includes(type), type);
      assert.ok(['Node', 'EgressIP'].includes(regarding.kind));
      const kind = regarding.kind === 'Node' ? house.nodes : house.egressIPs;
      const object = kind.objects.get(regarding.name);
      if (object !== undefined) assert.equal(regarding.uid, object.metadata.uid);
    }
  });

  it('come one for each transition', async () => {
    const keys = [...house.events.objects.values()].map(
      ({ reason, note, regarding }) => `${regarding.uid} ${reason} ${note}`,
    );
    assert.deepEqual(keys.length, new Set(keys).size);
  });
});
