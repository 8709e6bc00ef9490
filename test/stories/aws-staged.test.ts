/** AWS: another ASN, or another way to detect dead peers, zone by zone (facts T08). */
import assert from 'node:assert/strict';
import { node, OWNER, scene, standing, type Scene } from './aws-cluster.ts';

const MINUTE = 60_000;

/** FRR follows what its zone is told, after ten seconds; `lateMs` = it hears of it so late. */
function followFrr({ bench, made }: Scene, lateMs = 0): void {
  let told = bench.last('NeighborsSeen');
  let toldMs = 0;
  const follow = (): void => {
    const now = bench.last('NeighborsSeen');
    if (now !== told) toldMs = bench.clock.nowMs();
    told = now;
    if (bench.clock.nowMs() < toldMs + lateMs) return;
    const groups = told?.groups ?? [];
    for (const machine of made.nodes) {
      const group = groups.find(({ zone }) => zone === machine.zone);
      if (group === undefined) continue;
      const { localASN: asn, livenessDetection } = group;
      bench.region.speaker(machine.address, { asn, bfd: livenessDetection === 'bfd' });
    }
  };
  bench.network.onCall = (moment) => {
    if (moment === 'before') follow();
  };
}

/** The zones in which some peers are of the old kind and some of the new one. */
function mixed(
  { bench, made }: Scene,
  isNew: (peer: { asn: number; liveness: string }) => boolean,
) {
  const zones = new Map<string, Set<boolean>>();
  for (const peer of bench.region.livePeers()) {
    const { subnetId } = made.endpoints.find(({ id }) => id === peer.endpointId) ?? {};
    const set = zones.get(subnetId ?? '') ?? new Set();
    zones.set(subnetId ?? '', set.add(isNew(peer)));
  }
  return [...zones.values()].filter((set) => set.size > 1).length;
}

for (const [what, edit, isNew] of [
  ['another ASN', { localASN: 65_111 }, ({ asn }: { asn: number }) => asn === 65_111],
  ['BFD', { livenessDetection: 'bfd' }, ({ liveness }: { liveness: string }) => liveness === 'bfd'],
] as const)
  describe(`aws-sync: ${what} on a living config`, function () {
    this.timeout(60_000);
    it('is brought to one endpoint of one zone at a time; never two zones at once', async () => {
      const s = scene({ size: { nodes: 6 } });
      followFrr(s);
      await s.bench.run(2 * MINUTE);
      s.edit(edit);
      let mostMixed = 0;
      let leastPeers = Infinity;
      await s.bench.until('all peers are new', 30 * MINUTE, () => {
        mostMixed = Math.max(mostMixed, mixed(s, isNew));
        const able = s.bench.region.livePeers().filter(({ state }) => state === 'available');
        const zones = new Map<string, number>();
        for (const { endpointId } of able) {
          const at = s.made.endpoints.find(({ id }) => id === endpointId)?.subnetId ?? '';
          zones.set(at, (zones.get(at) ?? 0) + 1);
        }
        for (const { id } of s.made.subnets) leastPeers = Math.min(leastPeers, zones.get(id) ?? 0);
        return s.bench.region.livePeers().every(isNew) && standing(s.bench) === 'True Reconciled';
      });
      assert.equal(mostMixed, 1);
      assert.ok(leastPeers >= 2, 'one endpoint of each zone always has its peers');
      const groups = s.bench.last('NeighborsSeen')?.groups ?? [];
      assert.ok(groups.every((g) => isNew({ asn: g.localASN, liveness: g.livenessDetection })));
      assert.equal(s.bench.region.livePeers().length, 12);
      s.bench.aws.check();
    });

    it('waits for sessions again when it comes long after another change', async () => {
      const s = scene();
      followFrr(s, 5_000);
      await s.bench.run(2 * MINUTE);
      s.edit({ localASN: 65_222 });
      await s.bench.run(20 * MINUTE);
      s.edit(edit);
      await s.bench.run(20 * MINUTE);
      assert.ok(s.bench.region.livePeers().every(isNew));
      assert.deepEqual(s.bench.aws.violations(), []);
    });

    it('survives a restart in the middle', async () => {
      const s = scene();
      followFrr(s);
      await s.bench.run(2 * MINUTE);
      s.edit(edit);
      for (let index = 0; index < 12; index++) {
        await s.bench.run(17_000);
        s.bench.restart();
      }
      await s.bench.until('all is new', 30 * MINUTE, () => {
        const all = s.bench.region.livePeers();
        return all.length === 6 && all.every((p) => isNew(p) && p.state === 'available');
      });
      s.bench.aws.check();
    });
  });

describe('aws-sync: a change of ASN', function () {
  this.timeout(60_000);
  it('waits five minutes at most for sessions that do not come', async () => {
    const s = scene({ size: { zones: 1, nodes: 1 } });
    await s.bench.run(MINUTE);
    s.edit({ localASN: 65_111 });
    await s.bench.run(4 * MINUTE);
    assert.deepEqual(
      s.bench.region
        .livePeers()
        .map(({ asn }) => asn)
        .toSorted((a, b) => a - b),
      [65_001, 65_111],
    );
    await s.bench.run(4 * MINUTE);
    assert.deepEqual(
      s.bench.region.livePeers().map(({ asn }) => asn),
      [65_111, 65_111],
    );
  });

  it('goes on as soon as FRR tells that the session is established', async () => {
    const s = scene({ size: { zones: 1, nodes: 1 } });
    await s.bench.run(MINUTE);
    s.edit({ localASN: 65_111 });
    await s.bench.run(MINUTE);
    const done = s.bench.region.livePeers().find(({ asn }) => asn === 65_111);
    const peer = s.made.endpoints.find(({ id }) => id === done?.endpointId)?.address ?? '';
    const session = {
      ...{ name: 'a', uid: 'u', node: 'worker-0', peer, vrf: '' },
      ...{ bgpStatus: 'Established', bfdStatus: 'N/A' },
    };
    s.bench.hear({ kind: 'SessionSeen', session });
    await s.bench.run(MINUTE);
    assert.ok(s.bench.region.livePeers().every(({ asn }) => asn === 65_111));
  });

  it('turned back in the middle ends where it began', async () => {
    const s = scene();
    followFrr(s);
    await s.bench.run(2 * MINUTE);
    s.edit({ localASN: 65_111 });
    await s.bench.run(40_000);
    s.edit({ localASN: 65_001 });
    await s.bench.until('all is as before', 30 * MINUTE, () => {
      const all = s.bench.region.livePeers();
      return all.length === 6 && all.every((p) => p.asn === 65_001 && p.state === 'available');
    });
    const groups = s.bench.last('NeighborsSeen')?.groups ?? [];
    assert.ok(groups.every(({ localASN }) => localASN === 65_001));
  });

  it('new nodes in the middle of it get peers of the new kind', async () => {
    const s = scene();
    followFrr(s);
    await s.bench.run(2 * MINUTE);
    s.edit({ localASN: 65_111 });
    await s.bench.run(20_000);
    const machine = s.bench.region.instance({ subnet: s.made.subnets[2]?.id ?? '' });
    s.bench.hear(node('worker-9', machine));
    await s.bench.until('all is new', 40 * MINUTE, () => {
      const all = s.bench.region.livePeers();
      return all.length === 8 && all.every((p) => p.asn === 65_111 && p.state === 'available');
    });
  });

  it('is not held up by a place that somebody else holds', async () => {
    const s = scene({ size: { zones: 1, nodes: 2 } });
    followFrr(s);
    const [endpoint] = s.made.endpoints;
    const tags = { 'managed-by': 'somebody/else' };
    s.bench.region.peer(endpoint?.id ?? '', s.made.nodes[0]?.address ?? '', { tags });
    await s.bench.run(2 * MINUTE);
    s.edit({ localASN: 65_111 });
    const ours = () => s.bench.region.livePeers().filter((p) => p.tags['managed-by'] === OWNER);
    await s.bench.until('ours are new', 20 * MINUTE, () => ours().every((p) => p.asn === 65_111));
    s.bench.aws.check();
  });
});
