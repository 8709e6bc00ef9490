/** Health probes over TLS, against health servers on the loopback (`spec/egressip.md` 6.2). */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProbeAnswer, Prober } from '../../core/door.ts';
import { openProber } from '../../edge/probe.ts';
import { HealthAgent, type AgentOptions } from './health-agent.ts';

const never = new AbortController().signal;

/** Silence costs a whole deadline: short where it is expected, long where an answer is. */
const SHORT_MS = 300;
const LONG_MS = 5000;

interface Ask {
  readonly node?: string;
  readonly port: number;
  readonly deadlineMs?: number;
}

describe('a gRPC probe over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-probe-'));
  const path = (name: string): string => join(folder, name);
  const issue = (name: string, host: string): AgentOptions['tls'] => {
    const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const files = ['-keyout', path(`${name}.key`), '-out', path(`${name}.crt`)];
    execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'pipe' });
    return { key: readFileSync(path(`${name}.key`)), cert: readFileSync(path(`${name}.crt`)) };
  };
  after(() => rmSync(folder, { recursive: true }));
  let prober: Prober & { close(): void };
  const agents: HealthAgent[] = [];
  afterEach(async () => {
    prober.close();
    for (const agent of agents.splice(0)) await agent.stop();
  });

  const agentOf = (options: AgentOptions = {}): Promise<HealthAgent> => {
    const agent = new HealthAgent(options);
    agents.push(agent);
    return agent.start();
  };
  const probe = (ask: Ask): Promise<ProbeAnswer> => {
    const { node = 'worker-1', port, deadlineMs = LONG_MS } = ask;
    const addresses = ['127.0.0.1'];
    return prober.probe({ node, addresses, mode: 'grpc', port, deadlineMs }, never);
  };
  const reachable = async (ask: Ask): Promise<boolean> => (await probe(ask)).reachable;

  before(function () {
    if (spawnSync('openssl', ['version']).error !== undefined) this.skip();
  });

  it('trusts the name in the certificate, whatever the address, and a rotated CA', async () => {
    const caFile = path('ca.crt');
    const first = issue('first', 'ovncontroller');
    const second = issue('second', 'ovncontroller');
    prober = openProber({ tls: { caFile, serverName: 'ovncontroller' } });

    writeFileSync(caFile, readFileSync(path('first.crt')));
    const agent = await agentOf(first ? { tls: first } : {});
    assert.ok(await reachable({ port: agent.port }));
    assert.match((await probe({ port: agent.port })).because, /answered SERVING/);

    const rotated = await agentOf(second ? { tls: second } : {});
    const ask = { port: rotated.port, node: 'worker-2', deadlineMs: SHORT_MS };
    assert.match((await probe(ask)).because, /failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
    writeFileSync(caFile, readFileSync(path('second.crt')));
    assert.ok(await reachable({ ...ask, deadlineMs: LONG_MS }));
  });

  it('keeps a connection when the CA is rotated, and dials by the new one', async () => {
    const caFile = path('rotated.crt');
    const first = issue('before', 'ovncontroller');
    const second = issue('after', 'ovncontroller');
    prober = openProber({ tls: { caFile, serverName: 'ovncontroller' } });
    writeFileSync(caFile, readFileSync(path('before.crt')));
    const agent = await agentOf(first ? { tls: first } : {});
    await probe({ port: agent.port });
    writeFileSync(caFile, readFileSync(path('after.crt')));
    assert.match((await probe({ port: agent.port })).because, /answered SERVING/);
    assert.equal(agent.connections, 1);
    await agent.stop();
    const renewed = new HealthAgent(second ? { tls: second } : {});
    renewed.port = agent.port;
    agents.push(await renewed.start());
    prober.forget('worker-1');
    assert.match((await probe({ port: agent.port })).because, /accepted a connection/);
    writeFileSync(caFile, 'no certificate');
    prober.forget('worker-1');
    assert.equal(await reachable({ port: agent.port, deadlineMs: SHORT_MS }), false);
  });

  it('refuses another name, and a server without TLS', async () => {
    const tls = issue('other', 'somebody-else');
    prober = openProber({ tls: { caFile: path('other.crt'), serverName: 'ovncontroller' } });
    const other = await agentOf(tls ? { tls } : {});
    const answer = await probe({ port: other.port, deadlineMs: SHORT_MS });
    assert.match(answer.because, /ERR_TLS_CERT_ALTNAME_INVALID/);
    const bare = await agentOf();
    assert.equal(await reachable({ node: 'b', port: bare.port, deadlineMs: SHORT_MS }), false);
  });
});
