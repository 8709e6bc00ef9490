/** Egress IPs on a cloud: rooms as processes, a real API server, a cloud that takes its time. */
import assert from 'node:assert/strict';
import { type RunningCloud, startCloud } from '../controlplane/cloud-controller.ts';
import { applyCloudCrds, setPlatform } from '../controlplane/crd.ts';
import { eventually } from '../controlplane/wait.ts';
import { type CloudClaim, claims, neverUnconfirmed } from './cloud-history.ts';
import { type House, openHouse } from './house.ts';
import { egressIPs, nodes } from './objects.ts';
import { Watched } from './watched.ts';

/** How long each call to the cloud takes, in milliseconds. */
const DELAY_MS = 150;

/** A house on a cloud, with what is in the cloud. */
class CloudHouse {
  readonly house: House;
  readonly claims: Watched<CloudClaim>;
  readonly running: RunningCloud;
  /** Claims that the test deleted itself. */
  readonly byHand = new Set<string>();

  constructor(house: House, seen: Watched<CloudClaim>, running: RunningCloud) {
    this.house = house;
    this.claims = seen;
    this.running = running;
  }

  /** A node that hosts 10.0.0.0/16 in the cloud, with room for so many addresses. */
  async node(name: string, pool: string, ip?: number): Promise<void> {
    const ifaddr = { ipv4: '10.0.0.0/16', ipv6: 'fd00:1::/64' };
    const config = [{ interface: 'eni-0', ifaddr, capacity: ip === undefined ? {} : { ip } }];
    const key = 'cloud.network.openshift.io/egress-ipconfig';
    const annotations = { [key]: JSON.stringify(config) };
    await this.house.node(name, { labels: { pool }, annotations, ipv6: 'fd00:1::9/64' });
  }

  claim(name: string): string {
    const claim = this.claims.objects.get(name);
    if (claim === undefined) return 'none';
    const leaving = claim.metadata.deletionTimestamp === undefined ? '' : ', leaving';
    return `${claim.spec.node} ${claim.status?.conditions[0]?.status ?? 'new'}${leaving}`;
  }

  async isClaimed(name: string, wanted: string | RegExp): Promise<void> {
    const detail = (): string => `: it is ${this.claim(name)}`;
    await eventually(`${name} is ${wanted}`, { withinMs: 20_000, detail }, () => {
      const there = this.claim(name);
      return typeof wanted === 'string' ? there === wanted : wanted.test(there);
    });
  }

  async clear(): Promise<void> {
    const { cloud } = this.running;
    for (const map of [cloud.limits, cloud.failures, cloud.grips]) map.clear();
    await this.house.clear();
    const gone = (): boolean => this.claims.objects.size === 0 && cloud.addresses.size === 0;
    await eventually('the cloud is empty', { withinMs: 20_000 }, gone);
  }

  async stop(): Promise<void> {
    this.claims.stop();
    await this.running.stop();
    await this.house.stop();
  }
}

async function openCloudHouse(env: NodeJS.ProcessEnv, platform: string): Promise<CloudHouse> {
  let running: RunningCloud | undefined;
  let seen: Watched<CloudClaim> | undefined;
  const before = async ({ api, plane }: House): Promise<void> => {
    await applyCloudCrds(api);
    if (platform !== '') await setPlatform(api, platform);
    seen = await new Watched<CloudClaim>(plane, claims).start();
    running = await startCloud(plane.kubeconfig, { delayMs: DELAY_MS, retryMs: 20_000 });
  };
  const house = await openHouse({ env, before });
  assert.ok(running !== undefined && seen !== undefined);
  return new CloudHouse(house, seen, running);
}

describe('egress IPs on a cloud that SLUICE_PLATFORM_TYPE names', function () {
  this.timeout(90_000);
  let there: CloudHouse;
  let house: House;
  before(async () => {
    there = await openCloudHouse({ SLUICE_PLATFORM_TYPE: 'AWS' }, '');
    ({ house } = there);
  });
  after(() => there?.stop());
  afterEach(() => there.clear());

  it('enter the status once the cloud has them, and leave it with their object', async () => {
    await there.node('one', 'a');
    await there.node('two', 'a');
    await house.egressIP('web', ['10.0.1.1', 'fd00:1::101'], { pool: 'a' });
    await house.homed('web', /^10\.0\.1\.1 on one, fd00:1::101 on two$/);
    const six = 'fd00.0001.0000.0000.0000.0000.0000.0101';
    assert.deepEqual([...there.running.cloud.addresses.keys()].sort(), ['10.0.1.1', six]);
    await house.api.delete(`${egressIPs}/web`);
    await there.isClaimed('10.0.1.1', 'none');
    await there.isClaimed(six, 'none');
  });

  it('leave the status before they are moved, and are nowhere in between', async () => {
    await there.node('one', 'b');
    await house.egressIP('web', ['10.0.1.2'], { pool: 'b' });
    await house.homed('web', '10.0.1.2 on one');
    await there.node('two', 'b');
    await house.rest();
    const { length } = house.egressIPs.history;
    await house.setReady('one', false);
    await house.homed('web', '10.0.1.2 on two');
    const after = house.egressIPs.history.slice(length).map(({ object }) => object.status?.items);
    assert.deepEqual(after, [[], [{ egressIP: '10.0.1.2', node: 'two' }]]);
    assert.deepEqual(there.running.cloud.calls.slice(-2), [
      'release 10.0.1.2 on one',
      'assign 10.0.1.2 on two',
    ]);
  });

  it('all leave a node that is deleted, as far as there is room elsewhere', async () => {
    await there.node('one', 'c', 9);
    for (const number of [1, 2, 3])
      await house.egressIP(`web-${number}`, [`10.0.2.${number}`], { pool: 'c' });
    for (const number of [1, 2, 3]) await house.homed(`web-${number}`, `10.0.2.${number} on one`);
    await there.node('two', 'c', 2);
    await house.rest();
    await house.api.delete(`${nodes}/one`);
    await house.homed('web-1', '10.0.2.1 on two');
    await house.homed('web-2', '10.0.2.2 on two');
    await there.isClaimed('10.0.2.3', 'none');
    await house.hasTold('web-3', 'NoAvailableNode', /full/);
    await house.api.delete(`${egressIPs}/web-1`);
    await house.homed('web-3', '10.0.2.3 on two');
  });

  it('go elsewhere when the cloud refuses a node for five seconds', async () => {
    await there.node('one', 'd');
    await there.node('two', 'd');
    there.running.cloud.failures.set('one', 'quota');
    await house.egressIP('web', ['10.0.3.1'], { pool: 'd' });
    await there.isClaimed('10.0.3.1', 'one False');
    await house.homed('web', '10.0.3.1 on two');
    await house.hasTold('web', 'Moved', /the cloud cannot assign it on one \(quota\)/);
  });

  it('are requested anew when a failed claim stands on a node that is gone', async () => {
    await there.node('one', 'e');
    await house.post(claims, {
      apiVersion: 'cloud.network.openshift.io/v1',
      kind: 'CloudPrivateIPConfig',
      metadata: { name: '10.0.4.1', annotations: { 'k8s.ovn.org/egressip-owner-ref': 'web' } },
      spec: { node: 'gone' },
    });
    await there.isClaimed('10.0.4.1', /gone False|none/);
    await house.egressIP('web', ['10.0.4.1'], { pool: 'e' });
    await house.homed('web', '10.0.4.1 on one');
  });

  it('are requested anew when somebody deletes their claim', async () => {
    await there.node('one', 'f');
    await house.egressIP('web', ['10.0.5.1'], { pool: 'f' });
    await house.homed('web', '10.0.5.1 on one');
    const uid = there.claims.objects.get('10.0.5.1')?.metadata.uid;
    there.byHand.add('10.0.5.1');
    await house.api.delete(`${claims}/10.0.5.1`);
    await house.homed('web', '');
    await house.homed('web', '10.0.5.1 on one');
    assert.notEqual(there.claims.objects.get('10.0.5.1')?.metadata.uid, uid);
  });

  it('survive the death of every room in the middle of a move', async () => {
    await there.node('one', 'g');
    await house.egressIP('web', ['10.0.6.1'], { pool: 'g' });
    await house.homed('web', '10.0.6.1 on one');
    await there.node('two', 'g');
    await house.rest();
    await house.label('one', { pool: 'other' });
    await house.homed('web', '');
    for (const room of house.rooms?.all ?? []) await room.kill();
    for (const room of house.rooms?.all ?? []) await room.start();
    await house.homed('web', '10.0.6.1 on two');
    const rested = await house.rest();
    await house.silent(rested);
  });

  it('were never in a status unconfirmed, nor taken away while they were in one', () => {
    const { entered, released } = neverUnconfirmed(house.egressIPs, there.claims, there.byHand);
    assert.ok(entered >= 12 && released >= 8, `${entered} entries, ${released} releases`);
  });
});

describe('egress IPs on a cloud that Infrastructure/cluster names', function () {
  this.timeout(90_000);
  let there: CloudHouse;
  before(async () => {
    there = await openCloudHouse({}, 'OpenStack');
  });
  after(() => there?.stop());

  it('are requested from it, and moved in one step where it can', async () => {
    const { house, running } = there;
    running.cloud.manners = { ...running.cloud.manners, moves: true };
    await there.node('one', 'a');
    await house.egressIP('web', ['10.0.1.1'], { pool: 'a' });
    await house.homed('web', '10.0.1.1 on one');
    await there.node('two', 'a');
    await house.label('one', { pool: 'b' });
    await house.homed('web', '10.0.1.1 on two');
    assert.deepEqual(running.cloud.calls, ['assign 10.0.1.1 on one', 'move 10.0.1.1 on two']);
    neverUnconfirmed(house.egressIPs, there.claims, there.byHand);
  });
});
