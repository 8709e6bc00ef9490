/** The health probes, against health servers on the loopback (OKEP-6800; `spec/egressip.md` 6). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ProbeAnswer, Prober } from '../../core/door.ts';
import { openProber } from '../../edge/probe.ts';
import { Silent } from '../../edge/probe/connect.ts';
import { provesAlive, tryTimeoutMs } from '../../edge/probe/tcp.ts';
import { HealthAgent, switchOff, type AgentOptions, type SwitchedOff } from './health-agent.ts';

const never = new AbortController().signal;

/** Silence costs a whole deadline: short where it is expected, long where an answer is. */
const SHORT_MS = 300;
const LONG_MS = 5000;

interface Ask {
  readonly node?: string;
  readonly addresses?: readonly string[];
  readonly port: number;
  readonly mode?: 'tcp' | 'grpc';
  readonly deadlineMs?: number;
}

let prober: Prober & { close(): void };
const agents: HealthAgent[] = [];

async function agentOf(options: AgentOptions = {}): Promise<HealthAgent> {
  const agent = new HealthAgent(options);
  agents.push(agent);
  return agent.start();
}

function probe(ask: Ask, signal = never): Promise<ProbeAnswer> {
  const defaults = { node: 'worker-1', addresses: ['127.0.0.1'], mode: 'grpc' } as const;
  return prober.probe({ ...defaults, deadlineMs: LONG_MS, ...ask }, signal);
}

async function reachable(ask: Ask): Promise<boolean> {
  return (await probe(ask)).reachable;
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

describe('health probes', () => {
  beforeEach(() => {
    prober = openProber();
  });

  afterEach(async () => {
    prober.close();
    for (const agent of agents.splice(0)) await agent.stop();
  });

  let off: SwitchedOff;
  before(async () => {
    off = await switchOff();
  });
  after(() => off.close());

  describe('a gRPC probe', () => {
    it('takes a connection alone for reachable, and asks from the second attempt on', async () => {
      const agent = await agentOf();
      assert.deepEqual(await probe({ port: agent.port }), {
        reachable: true,
        because: `127.0.0.1:${agent.port} accepted a connection`,
      });
      assert.equal(agent.checks, 0);
      assert.deepEqual(await probe({ port: agent.port }), {
        reachable: true,
        because: `port ${agent.port} answered SERVING`,
      });
      assert.equal(agent.checks, 1);
    });

    it('keeps one connection for a node, however often it asks', async () => {
      const agent = await agentOf();
      for (let n = 0; n < 20; n += 1) assert.ok(await reachable({ port: agent.port }));
      assert.deepEqual([agent.connections, agent.checks], [1, 19]);
    });

    it('finds a node that answers NOT_SERVING unreachable at once, keeps the line', async () => {
      const agent = await agentOf();
      await probe({ port: agent.port });
      agent.serving = false;
      assert.deepEqual(await probe({ port: agent.port }), {
        reachable: false,
        because: `port ${agent.port} answered NOT_SERVING`,
      });
      agent.serving = true;
      assert.ok(await reachable({ port: agent.port }));
      assert.equal(agent.connections, 1);
    });

    it('tolerates the first failed check and closes the line, but not the second', async () => {
      const agent = await agentOf();
      const ask = { port: agent.port, deadlineMs: SHORT_MS };
      await probe(ask);
      agent.silent = true;
      const what = `port ${agent.port} failed a check (silent for 300 ms)`;
      const tolerated = { reachable: true, because: `${what}, tolerated once`, doubtful: true };
      assert.deepEqual(await probe(ask), tolerated);
      await agent.empty();
      assert.deepEqual(
        await probe(ask),
        {
          reachable: true,
          because: `127.0.0.1:${agent.port} accepted a connection`,
          doubtful: true,
        },
        'connects anew, and that alone is reachable, if not beyond doubt',
      );
      assert.deepEqual(await probe(ask), { reachable: false, because: what });
    });

    it('tolerates a failure again once a check was answered in between', async () => {
      const agent = await agentOf();
      await probe({ port: agent.port });
      for (let n = 0; n < 3; n += 1) {
        agent.grpcStatus = 5;
        const answer = await probe({ port: agent.port });
        assert.ok(answer.reachable);
        assert.match(answer.because, /gRPC status 5.*tolerated once/);
        agent.grpcStatus = 0;
        assert.ok(await reachable({ port: agent.port }), 'connects');
        assert.ok(await reachable({ port: agent.port }), 'is answered SERVING');
      }
    });

    it('counts NOT_SERVING as an answer: the next failure is tolerated', async () => {
      const agent = await agentOf();
      await probe({ port: agent.port });
      agent.grpcStatus = 14;
      await probe({ port: agent.port });
      agent.grpcStatus = 0;
      agent.serving = false;
      await probe({ port: agent.port });
      assert.equal(await reachable({ port: agent.port }), false);
      agent.grpcStatus = 14;
      assert.ok(await reachable({ port: agent.port }));
    });

    it('does not notice a server that restarted between two attempts', async () => {
      const agent = await agentOf();
      await probe({ port: agent.port });
      await agent.stop();
      await agent.start();
      assert.ok(await reachable({ port: agent.port }));
      assert.ok(await reachable({ port: agent.port }));
    });

    it('finds a dead server unreachable at the second attempt', async () => {
      const agent = await agentOf();
      const ask = { port: agent.port, deadlineMs: SHORT_MS };
      await probe(ask);
      await probe(ask);
      await agent.stop();
      assert.ok(await reachable(ask));
      assert.deepEqual(await probe(ask), {
        reachable: false,
        because: `127.0.0.1:${agent.port} failed (ECONNREFUSED)`,
      });
    });

    it('dials again within the deadline while the server refuses', async () => {
      const agent = await agentOf();
      await agent.stop();
      const answer = probe({ port: agent.port });
      await agent.start();
      assert.ok((await answer).reachable);
    });

    it('does not take a frozen process, whose kernel still accepts, for a living one', async () => {
      const agent = await agentOf();
      agent.frozen = true;
      assert.deepEqual(await probe({ port: agent.port, deadlineMs: SHORT_MS }), {
        reachable: false,
        because: `127.0.0.1:${agent.port} silent for 300 ms`,
      });
      await agent.empty();
    });

    it('reaches the second address although the first is silent', async () => {
      const agent = await agentOf({ host: '127.0.0.2' });
      const frozen = new HealthAgent();
      frozen.port = agent.port;
      frozen.frozen = true;
      agents.push(await frozen.start());
      const ask = { port: agent.port, addresses: ['127.0.0.1', '127.0.0.2'] };
      const { because } = await probe(ask);
      assert.equal(because, `127.0.0.2:${agent.port} accepted a connection`);
      await frozen.empty();
    });

    it("leaves an address that is not the node's any more", async () => {
      const agent = await agentOf({ host: '0.0.0.0' });
      await probe({ port: agent.port, addresses: ['127.0.0.1'] });
      const left = once([...agent.open][0] as Socket, 'close');
      const { because } = await probe({ port: agent.port, addresses: ['127.0.0.2'] });
      assert.equal(because, `127.0.0.2:${agent.port} accepted a connection`);
      await left;
    });

    it('is not open to a peer that is no gRPC server', async () => {
      const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      assert.equal(await reachable({ port, deadlineMs: SHORT_MS }), false);
      server.close();
    });
  });

  describe('a TCP probe', () => {
    it('takes an open port and a refused connection for alive', async () => {
      const agent = await agentOf();
      assert.deepEqual(await probe({ mode: 'tcp', port: agent.port }), {
        reachable: true,
        because: `127.0.0.1:${agent.port} accepted a connection`,
      });
      const port = await closedPort();
      assert.deepEqual(await probe({ mode: 'tcp', port }), {
        reachable: true,
        because: `127.0.0.1:${port} answered ECONNREFUSED`,
      });
      await agent.empty();
    });

    it('takes silence until the deadline for unreachable, and no longer than that', async () => {
      const started = performance.now();
      const ask = { mode: 'tcp', port: off.port, deadlineMs: SHORT_MS } as const;
      assert.deepEqual(await probe({ ...ask, addresses: ['127.0.0.1', '127.0.0.1'] }), {
        reachable: false,
        because: `127.0.0.1:${off.port} silent for 300 ms, 127.0.0.1:${off.port} silent for 300 ms`,
      });
      const tookMs = performance.now() - started;
      assert.ok(tookMs >= SHORT_MS - 2 && tookMs < LONG_MS, `took ${tookMs} ms`);
    });

    it('judges errors as upstream does: only silence and EHOSTUNREACH are held against it', () => {
      const table = {
        ECONNREFUSED: true,
        ENETUNREACH: true,
        ECONNRESET: true,
        EHOSTUNREACH: false,
      };
      for (const [code, alive] of Object.entries(table)) {
        assert.equal(provesAlive(Object.assign(new Error(code), { code })), alive, code);
      }
      assert.equal(provesAlive(new Silent()), false);
    });

    it('gives each try the time that upstream gives to a single address', () => {
      assert.deepEqual([tryTimeoutMs(1000, 0), tryTimeoutMs(1000, 1)], [700, 100]);
      assert.deepEqual([tryTimeoutMs(5000, 0), tryTimeoutMs(5000, 1)], [900, 900]);
    });

    it('reaches the second address although the first is silent', async () => {
      const addresses = ['127.0.0.1', '127.0.0.2'];
      assert.deepEqual(await probe({ mode: 'tcp', port: off.port, addresses }), {
        reachable: true,
        because: `127.0.0.2:${off.port} answered ECONNREFUSED`,
      });
    });
  });

  describe('the prober', () => {
    for (const mode of ['tcp', 'grpc'] as const) {
      it(`finds a node without management addresses unreachable (${mode})`, async () => {
        const { reachable: alive, because } = await probe({ mode, port: 9, addresses: [] });
        assert.deepEqual([alive, because], [false, 'no management address is known']);
      });

      it(`takes a deadline of 0 for off: everything is reachable (${mode})`, async () => {
        assert.ok(await reachable({ mode, port: off.port, deadlineMs: 0 }));
      });

      it(`stops at once when it is aborted (${mode})`, async () => {
        const stop = new AbortController();
        const answer = probe({ mode, port: off.port, deadlineMs: 600_000 }, stop.signal);
        setImmediate(() => stop.abort());
        assert.equal((await answer).because, 'the probe was cancelled');
        const late = await probe({ mode, port: off.port }, stop.signal);
        assert.equal(late.because, 'the probe was cancelled');
      });
    }

    it('drops the line to a forgotten node and can be asked about it again', async () => {
      const agent = await agentOf();
      await probe({ port: agent.port });
      prober.forget('worker-1');
      await agent.empty();
      const { because } = await probe({ port: agent.port });
      assert.match(because, /accepted a connection/);
    });

    it('leaves no connection behind when a node is forgotten while it is dialled', async () => {
      const agent = await agentOf();
      const forgotten = probe({ port: agent.port });
      prober.forget('worker-1');
      const fresh = probe({ port: agent.port });
      assert.equal((await forgotten).because, 'the probe was cancelled');
      assert.match((await fresh).because, /accepted a connection/);
      prober.forget('worker-1');
      await agent.empty();
    });

    it('gives one answer to all who ask about a node at the same time', async () => {
      const agent = await agentOf();
      await Promise.all([1, 2, 3].map(() => probe({ port: agent.port })));
      assert.equal(agent.connections, 1);
    });

    it('does not answer for another node with the same name', async () => {
      const agent = await agentOf({ host: '127.0.0.2' });
      const old = probe({ mode: 'tcp', port: off.port, deadlineMs: LONG_MS });
      const fresh = await probe({ port: agent.port, addresses: ['127.0.0.2'] });
      assert.equal(fresh.because, `127.0.0.2:${agent.port} accepted a connection`);
      assert.equal((await old).because, 'the probe was cancelled');
    });

    it('drops everything when it is closed', async () => {
      const agent = await agentOf();
      await Promise.all(['a', 'b', 'c'].map((node) => probe({ node, port: agent.port })));
      const running = probe({ node: 'd', port: off.port, deadlineMs: 600_000 });
      prober.close();
      await agent.empty();
      assert.equal((await running).because, 'the probe was cancelled');
      assert.equal((await probe({ port: agent.port })).because, 'the probe was cancelled');
    });

    it('sweeps many nodes in one deadline, however many are dead', async () => {
      const agent = await agentOf({ host: '0.0.0.0' });
      const nodes = Array.from({ length: 300 }, (_, i) => ({ dead: i % 10 === 9, i }));
      const sweep = (): Promise<boolean[]> =>
        Promise.all(
          nodes.map(({ dead, i }) =>
            reachable({
              node: `worker-${i}`,
              addresses: [dead ? '127.0.0.1' : `127.1.${i >> 8}.${i & 255}`],
              port: dead ? off.port : agent.port,
              deadlineMs: 1000,
            }),
          ),
        );
      const wanted = nodes.map(({ dead }) => !dead);
      assert.deepEqual(await sweep(), wanted);
      const started = performance.now();
      assert.deepEqual(await sweep(), wanted);
      // One after the other it would be 30 s; the rest is for a slow machine.
      assert.ok(performance.now() - started < 3000);
      assert.equal(agent.checks, 270);
    }).timeout(20_000);
  });
});
