/** Real BGP without Sluice: what administrators see of FRRConfigurations written by hand. */
import assert from 'node:assert/strict';
import { eventually } from '../../controlplane/wait.ts';
import { frrConfiguration, type FrrConfiguration, type Neighbor } from '../../frrk8s/objects.ts';
import { describeRealBgp } from './describe.ts';
import { localAsn, remoteAsn, startRig, type Rig } from './rig.ts';

const soon = { withinMs: 60_000, everyMs: 200 };
const all = [
  'worker-1 10.0.1.118',
  'worker-1 10.0.1.47',
  'worker-2 10.0.2.118',
  'worker-2 10.0.2.47',
];

interface Wish {
  readonly name: string;
  readonly zone: string;
  readonly neighbors: readonly string[];
  readonly bfd?: boolean;
  readonly advertise?: string;
}

/** One zone's object as the operator writes it; with `advertise`, as OVN-Kubernetes adds to it. */
function configurationOf({ name, zone, neighbors, bfd, advertise }: Wish): FrrConfiguration {
  const neighbor = (address: string): Neighbor => ({
    address,
    asn: remoteAsn,
    disableMP: true,
    // Without it a session whose upstream was away comes back after up to 120 s.
    connectTime: '1s',
    toReceive: { allowed: { mode: 'all' } },
    ...(bfd === true && { bfdProfile: 'sluice' }),
    ...(advertise !== undefined && { toAdvertise: { allowed: { prefixes: [advertise] } } }),
  });
  const profile = { name: 'sluice', receiveInterval: 300, transmitInterval: 300 };
  return frrConfiguration(name, {
    nodeSelector: { matchLabels: { bgp_router: 'true', 'topology.kubernetes.io/zone': zone } },
    bgp: {
      routers: [
        {
          asn: localAsn,
          neighbors: neighbors.map(neighbor),
          ...(advertise !== undefined && { prefixes: [advertise] }),
        },
      ],
      ...(bfd === true && { bfdProfiles: [{ ...profile, detectMultiplier: 3 }] }),
    },
  });
}

const zoneA = { name: 'zone-a', zone: 'zone-a', neighbors: ['10.0.1.47', '10.0.1.118'] };
const zoneB = { name: 'zone-b', zone: 'zone-b', neighbors: ['10.0.2.47', '10.0.2.118'] };
const pods = '10.128.0.0/24';
const podsOfZoneA = { name: 'pods', zone: 'zone-a', neighbors: ['10.0.1.47'], advertise: pods };

describeRealBgp('real BGP', function (ground) {
  this.timeout(120_000);
  let rig: Rig;

  before(async () => {
    rig = await startRig(ground());
  });
  after(async function () {
    await rig?.stop();
  });

  const apply = (wish: Wish): Promise<unknown> => rig.plane.api.apply(configurationOf(wish));

  it('one FRRConfiguration per zone makes a session of each node with each upstream', async () => {
    assert.deepEqual(rig.sessions.lines(), []);
    await Promise.all([zoneA, zoneB, podsOfZoneA].map(apply));
    await rig.sessions.are(all.map((session) => `${session} Established N/A`));
    for (const upstream of rig.upstreams)
      assert.equal(await upstream.sessionState(), 'Established', upstream.name);
  });

  it('a prefix that is advertised to one upstream is routed there and at no other', async () => {
    const upstream = rig.upstream('upstream-a1');
    await eventually(`${pods} is a route`, soon, async () => {
      return (await upstream.routes()).includes(pods);
    });
    assert.match(await upstream.summary(), /^10\.0\.1\.10 .* 1 +\d+ \S+$/m);
    for (const other of ['upstream-a2', 'upstream-b1', 'upstream-b2'])
      assert.deepEqual(await rig.upstream(other).routes(), [], other);
  });

  it('BFD can be added to a zone that is up, and is Up on both sides', async () => {
    await apply({ ...zoneB, bfd: true });
    const ofB = all.filter((session) => session.startsWith('worker-2'));
    for (const session of ofB) await rig.sessions.has(`${session} Established Up`);
    const state = (await rig.upstream('upstream-b1').neighbors())['10.0.2.10'];
    assert.equal(state?.peerBfdInfo?.status, 'Up');
  });

  it('with BFD, a cable that was pulled is seen before the hold time is over', async () => {
    const upstream = rig.upstream('upstream-b2');
    const began = Date.now();
    await upstream.cut();
    await rig.sessions.until('the session is down', 30_000, downs('worker-2 10.0.2.118'));
    assert.ok(Date.now() - began < 9_000, 'the upstream\u2019s hold time is 9 s');
    await upstream.mend();
    await rig.sessions.has('worker-2 10.0.2.118 Established Up');
  });

  it('a node whose FRR died keeps saying Established: only its upstreams know better', async () => {
    const node = rig.node('worker-1');
    const upstream = rig.upstream('upstream-a1');
    await node.killFrr();
    await eventually('the exporter has looked in vain', soon, () =>
      /"error":"exit status/.test(node.frrK8s.status.logTail(3)),
    );
    assert.notEqual(await upstream.sessionState(), 'Established');
    await rig.sessions.has('worker-1 10.0.1.47 Established');
  });
});

/** Whether a session is there, or known, but not Established. */
function downs(session: string): (lines: readonly string[]) => boolean {
  return (lines) => !lines.some((line) => line.startsWith(`${session} Established`));
}
