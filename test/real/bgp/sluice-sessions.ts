/** Sluice's own two objects go in, sessions and routes at the upstreams come out. */
import assert from 'node:assert/strict';
import { namespace, routing } from '../../cluster/bgp-objects.ts';
import type { BgpHouse } from '../../cluster/bgp-house.ts';
import { eventually } from '../../controlplane/wait.ts';
import type { Rig } from './rig.ts';
import { configOf, neighborsOf, type SluiceHouse } from './sluice-house.ts';

const pods = '10.100.0.0/16';
const soon = { withinMs: 90_000, everyMs: 200 };
const ofA = neighborsOf['zone-a'].map((address) => `worker-1 ${address}`);
const ofB = neighborsOf['zone-b'].map((address) => `worker-2 ${address}`);
const are = (sessions: readonly string[], words: string): string[] =>
  sessions.map((session) => `${session} ${words}`);

/** From nothing to routes, through every change of a running config, and back to nothing. */
export function itMakesSessions(open: () => SluiceHouse): void {
  let house: BgpHouse;
  let rig: Rig;
  before(() => void ({ house, rig } = open()));

  const condition = (): { status?: string; reason?: string; message?: string } =>
    house.condition('cudnbgpconfigs', 'cluster', 'SessionsEstablished') ?? {};
  const says = (reason: string, words: RegExp): Promise<void> =>
    house.until(
      `SessionsEstablished is ${reason}: ${words.source}`,
      () => condition().reason === reason && words.test(condition().message ?? ''),
      90_000,
    );
  const routed = (upstream: string, wanted: boolean): Promise<unknown> =>
    eventually(`${pods} is ${wanted ? 'a' : 'no'} route at ${upstream}`, soon, async () => {
      return (await rig.upstream(upstream).routes()).includes(pods) === wanted;
    });
  const versionOf = (name: string): string =>
    house.get('frrconfigurations', name)?.metadata.resourceVersion ?? '';

  it('a config with one zone has a session of its node with each of its neighbors', async () => {
    await house.create(configOf({ 'zone-a': neighborsOf['zone-a'] }));
    await rig.sessions.are(are(ofA, 'Established N/A'), 90_000);
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
    await says('Established', /^2 sessions established$/);
  });

  it('a zone that is added has its sessions, and the first one is not written again', async () => {
    const before = versionOf('cudn-bgp-zone-a');
    await house.create(configOf());
    await rig.sessions.are(are([...ofA, ...ofB], 'Established N/A'), 90_000);
    await says('Established', /^4 sessions established$/);
    assert.equal(versionOf('cudn-bgp-zone-a'), before);
    for (const upstream of rig.upstreams)
      assert.equal(await upstream.sessionState(), 'Established', upstream.name);
  });

  it('a routing makes the network a route at every upstream', async () => {
    await house.create(namespace('app-prod', 'prod'));
    await house.create(routing('prod', 'prod', pods));
    await house.untilPhase('cudnbgproutings', 'prod', 'Ready');
    for (const { name } of rig.upstreams) await routed(name, true);
  });

  it('a neighbor that is removed loses its session and the route, nobody else does', async () => {
    const [kept] = neighborsOf['zone-a'];
    await house.create(configOf({ ...neighborsOf, 'zone-a': [kept] }));
    await rig.sessions.are(are([`worker-1 ${kept}`, ...ofB], 'Established N/A'));
    await says('Established', /^3 sessions established$/);
    await routed('upstream-a2', false);
    await routed('upstream-a1', true);
    await house.create(configOf());
    await rig.sessions.are(are([...ofA, ...ofB], 'Established N/A'));
    await routed('upstream-a2', true);
  });

  it('BFD comes zone by zone past the copies of OVN-Kubernetes; nothing is denied', async () => {
    await house.create(configOf(neighborsOf, { livenessDetection: 'bfd' }));
    await rig.sessions.are(are([...ofA, ...ofB], 'Established Up'), 120_000);
    const history = house.watched.get('cudnbgpconfigs')?.history ?? [];
    const reasons = history.flatMap(({ object }) =>
      (object.status?.conditions ?? []).map(({ reason }: { reason: string }) => reason),
    );
    assert.ok(reasons.includes('ReplacingSessions'));
    assert.ok(!reasons.includes('ApplyFailed'), 'the real webhook was never in the way');
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
    for (const { name } of rig.upstreams) await routed(name, true);
  });

  it('an upstream that died is named, and is back soon thanks to connectTime', async () => {
    const upstream = rig.upstream('upstream-b1');
    await upstream.kill();
    await says('SessionsDown', /^3 of 4 sessions established; worker-2 to 10\.0\.2\.47 is down$/);
    assert.equal(house.phase('cudnbgpconfigs', 'cluster'), 'Ready', 'the zone has another one');
    await upstream.start();
    const began = Date.now();
    await says('Established', /^4 sessions established$/);
    const seconds = (Date.now() - began) / 1000;
    // FRR's own connectTime is 120 s.
    assert.ok(seconds < 60, `back after ${seconds} s`);
    await routed('upstream-b1', true);
  });

  it('a node that loses its label loses its sessions, and has them again with it', async () => {
    await rig.node('worker-2').label({ bgp_router: null });
    await rig.sessions.are(are(ofA, 'Established Up'));
    await says('Established', /^2 sessions established$/);
    await routed('upstream-b1', false);
    await rig.node('worker-2').label({ bgp_router: 'true' });
    await says('Established', /^4 sessions established$/);
    await routed('upstream-b1', true);
  });

  it('a deleted routing is withdrawn, a deleted config ends its sessions', async () => {
    await house.delete('cudnbgproutings', 'prod');
    for (const { name } of rig.upstreams) await routed(name, false);
    await house.until('it is gone', () => house.names('cudnbgproutings').length === 0);
    await house.delete('cudnbgpconfigs', 'cluster');
    await house.until('the config is gone', () => house.names('cudnbgpconfigs').length === 0);
    await rig.sessions.are([]);
  });
}
