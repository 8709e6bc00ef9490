/**
 * Health probes over gRPC (`spec/egressip.md` 6, OKEP-6800 9.10): agents on loopback play the
 * nodes.
 */
import assert from 'node:assert/strict';
import { freePort } from '../controlplane/port.ts';
import { HealthAgent } from '../edge/health-agent.ts';
import { type House, openHouse } from './house.ts';
import { egressIPs } from './objects.ts';

describe('health probes of nodes', function () {
  this.timeout(90_000);
  let house: House;
  let port = 0;
  const agents = new Map<string, HealthAgent>();
  before(async () => {
    port = await freePort();
    const env = { SLUICE_PROBE_INTERVAL: '0.2', SLUICE_PROBE_TIMEOUT: '1' };
    house = await openHouse({ probes: 'grpc', probePort: port, env });
    for (const pool of ['a', 'b', 'c']) {
      for (const name of [`${pool}1`, `${pool}2`, `${pool}3`])
        agents.set(name, await healthy(name, pool));
    }
  });
  after(async () => {
    await house.stop();
    await Promise.all([...agents.values()].map((agent) => agent.stop()));
  });

  const healthy = async (name: string, pool: string): Promise<HealthAgent> => {
    const number = await house.node(name, { labels: { pool } });
    const agent = new HealthAgent({ host: `127.64.${number}.2` });
    agent.port = port;
    return agent.start();
  };
  const agentOf = (name: string): HealthAgent => {
    const agent = agents.get(name);
    assert.ok(agent, name);
    return agent;
  };
  const probes = (): number =>
    [...agents.values()].reduce((sum, { checks, connections }) => sum + checks + connections, 0);

  it('are not sent as long as there is no EgressIP', async () => {
    await house.silent(await house.rest(), 600);
    assert.equal(probes(), 0);
  });

  it('let a new EgressIP be placed, balanced, on nodes never probed before', async () => {
    const began = Date.now();
    for (let index = 1; index <= 6; index++)
      await house.egressIP(`a-${index}`, [`10.0.13.${index}`], { pool: 'a' });
    for (let index = 1; index <= 6; index++) await house.homed(`a-${index}`, /on a[123]$/);
    assert.ok(Date.now() - began < 2_000, `${Date.now() - began} ms`);
    const hosts = [1, 2, 3, 4, 5, 6].map((index) => house.nodeOf(`a-${index}`, `10.0.13.${index}`));
    for (const name of ['a1', 'a2', 'a3'])
      assert.equal(hosts.filter((host) => host === name).length, 2, hosts.join());
  });

  it('are sent only to nodes that some EgressIP selects', () => {
    assert.ok(agentOf('a1').connections > 0);
    assert.equal(agentOf('b1').connections + agentOf('c1').connections, 0);
  });

  it('move the addresses of a node whose agent stops, and nothing back later', async () => {
    await house.rest();
    await agentOf('a1').stop();
    const homes = (): string[] => [1, 2, 3, 4, 5, 6].map((index) => house.homes(`a-${index}`));
    await house.until('a1 hosts nothing', () => homes().every((home) => /on a[23]$/.test(home)));
    const moved = homes();
    const before = await house.rest();
    await agentOf('a1').start();
    // One address per node: the third one has a node as soon as a1 counts again.
    await house.egressIP('a-7', ['10.0.13.7', '10.0.13.8', '10.0.13.9'], { pool: 'a' });
    await house.homed('a-7', /on a1/);
    await house.rest();
    assert.deepEqual(homes(), moved);
    const news = house.egressIPs.history.slice(before['egressIPs']);
    assert.ok(news.every(({ object }) => object.metadata.name === 'a-7'));
  });

  for (const { how, by, mend } of [
    {
      how: 'says NOT_SERVING',
      by: (agent: HealthAgent) => void (agent.serving = false),
      mend: (agent: HealthAgent) => void (agent.serving = true),
    },
    {
      how: 'is silent',
      by: (agent: HealthAgent) => void (agent.silent = true),
      mend: (agent: HealthAgent) => void (agent.silent = false),
    },
  ])
    it(`move the addresses of a node whose agent ${how}`, async () => {
      await house.egressIP('b', ['10.0.13.20'], { pool: 'b' });
      await house.homed('b', /on b[123]$/);
      const from = house.nodeOf('b', '10.0.13.20');
      by(agentOf(from));
      await house.until('it moved', () => !['', from].includes(house.nodeOf('b', '10.0.13.20')));
      await house.hasTold('b', 'Moved', new RegExp(`from ${from} .*unreachable`));
      mend(agentOf(from));
    });

  it('leave an address without a node while no agent of its pool answers', async () => {
    for (const name of ['c1', 'c2', 'c3']) await agentOf(name).stop();
    await house.egressIP('c', ['10.0.13.30'], { pool: 'c' });
    await house.hasTold('c', 'NoAvailableNode', /unreachable/);
    await agentOf('c2').start();
    await house.homed('c', '10.0.13.30 on c2');
  });

  it('are told once: at rest nothing is written, nor by a restart of all rooms', async () => {
    const before = await house.rest(1_000);
    const all = house.rooms?.all ?? [];
    await Promise.all(all.map((room) => room.kill()));
    await Promise.all(all.map((room) => room.start()));
    await house.rooms?.ready(30_000);
    await house.silent(before);
  });

  it('end when the last EgressIP is deleted', async () => {
    await house.api.delete(egressIPs);
    await house.rest();
    await Promise.all([...agents.values()].map((agent) => agent.empty()));
    const before = probes();
    await house.silent(await house.rest(), 600);
    assert.equal(probes(), before);
  });
});
