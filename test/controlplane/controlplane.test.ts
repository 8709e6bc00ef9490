/** The control plane of the tests: it starts soon, can be hurt in every way, and leaves nothing. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openApi, type ApiObject } from './api.ts';
import { startControlPlane, type ControlPlane } from './controlplane.ts';
import { repository, toolSources, versionOf } from './go-module.ts';
import { answers } from './http.ts';
import { isAlive } from './lock.ts';
import { findTools } from './tools.ts';
import { eventually } from './wait.ts';

const soon = { withinMs: 20_000 };
const egressIPs = '/apis/k8s.ovn.org/v1/egressips';

const egressIP = (name: string): ApiObject => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'EgressIP',
  metadata: { name },
  spec: { egressIPs: ['10.0.1.10'], namespaceSelector: {} },
});

describe('a control plane for tests', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let tookMs = 0;

  before(async () => {
    const began = Date.now();
    plane = await startControlPlane();
    tookMs = Date.now() - began;
  });
  after(() => plane.stop());

  it('serves within 10 s when its tools are built', () => {
    assert.ok(tookMs < 10_000, `it took ${tookMs} ms`);
  });

  it('serves EgressIPs and fills in the default selector', async () => {
    const made = await plane.api.apply(egressIP('defaulted'));
    const [expression] = made.spec.egressNodeSelector.matchExpressions;
    assert.deepEqual(expression, { key: 'k8s.ovn.org/egress-assignable', operator: 'Exists' });
  });

  it('has no status subresource unless it is asked for', async () => {
    const path = `${egressIPs}/defaulted/status`;
    assert.equal((await plane.api.call('GET', path)).status, 404);
  });

  it('reports the version that go.mod names', async () => {
    const [apiserver] = toolSources.filter((tool) => tool.name === 'kube-apiserver');
    assert.ok(apiserver);
    const version = versionOf(apiserver);
    assert.equal((await plane.api.get('/version')).gitVersion, version);
  });

  it('refuses a token that it does not know', async () => {
    assert.equal(await statusWithToken(plane, 'wrong'), 401);
  });

  it('writes a kubeconfig with which kubectl checks the server certificate', async () => {
    const args = ['--kubeconfig', plane.kubeconfig, 'get', '--raw', '/readyz'];
    const kubectl = (await findTools(['kubectl'])).get('kubectl') ?? '';
    assert.equal(execFileSync(kubectl, args, { encoding: 'utf8' }), 'ok');
  });

  it('keeps its objects when the API server is killed and started again', async () => {
    await plane.api.apply(egressIP('survivor'));
    const { server } = plane;
    const pid = plane.apiserver.pid;
    await plane.apiserver.kill();
    assert.equal(plane.apiserver.pid, 0);
    await assert.rejects(plane.api.get('/readyz'));
    await plane.apiserver.restart();
    assert.notEqual(plane.apiserver.pid, pid);
    assert.equal(plane.server, server);
    assert.equal((await plane.api.get(`${egressIPs}/survivor`)).metadata.name, 'survivor');
  });

  it('keeps its objects when etcd is killed and started again', async () => {
    await plane.etcd.restart();
    await eventually('the API server reads etcd again', soon, async () => {
      const answer = await plane.api.call('GET', `${egressIPs}/survivor`).catch(() => undefined);
      return answer?.status === 200;
    });
  });

  it('freezes the API server, which then takes a call and does not answer', async () => {
    plane.apiserver.freeze();
    let answered = false;
    const answer = plane.api.call('GET', '/readyz').then(({ status }) => {
      answered = true;
      return status;
    });
    await eventually('it stands still', soon, () => stateOf(plane.apiserver.pid) === 'T');
    assert.equal(answered, false);
    plane.apiserver.thaw();
    assert.equal(await answer, 200);
  });

  it('freezes NATS, which then does not greet', async () => {
    plane.nats.freeze();
    await eventually('it stands still', soon, () => stateOf(plane.nats.pid) === 'T');
    let greeted = false;
    const line = greeting(plane.natsUrl).then((text) => {
      greeted = true;
      return text;
    });
    await answers(`${plane.natsUrl.replace('nats:', 'http:')}/`);
    assert.equal(greeted, false);
    plane.nats.thaw();
    assert.match(await line, /"jetstream":true/);
  });

  it('freezes etcd, and the API server is not ready until it thaws', async () => {
    plane.etcd.freeze();
    const health = plane.api.call('GET', '/readyz/etcd');
    await eventually('it stands still', soon, () => stateOf(plane.etcd.pid) === 'T');
    assert.notEqual((await health).status, 200);
    plane.etcd.thaw();
    await eventually('the API server is ready', soon, async () => {
      return (await plane.api.call('GET', '/readyz')).status === 200;
    });
  });

  it('gives NATS the same port and streams after a kill', async () => {
    const url = plane.natsUrl;
    await plane.nats.restart();
    assert.equal(plane.natsUrl, url);
    assert.match(await greeting(url), /"jetstream":true/);
  });

  it('tells of a death that nobody asked for, and of no other', async () => {
    const deaths: string[] = [];
    plane.nats.onDeath((how) => deaths.push(how));
    await plane.nats.restart();
    assert.deepEqual(deaths, []);
    process.kill(plane.nats.pid, 'SIGKILL');
    await eventually('the death is told', soon, () => deaths.length > 0);
    assert.deepEqual(deaths, ['SIGKILL']);
    await plane.nats.start();
  });

  it('says which server did not come up, with the end of its log', async () => {
    const broken = startControlPlane({ kubernetes: false, natsConfig: 'nonsense { ' });
    await assert.rejects(broken, /nats-server ended \(exit code 1\); the end of its log:\n.*nats/s);
  });

  it('tells at once when a part is used that was not asked for', async () => {
    const small = await startControlPlane({ kubernetes: false });
    try {
      assert.throws(() => small.kubeconfig, /started without kubeconfig/);
    } finally {
      await small.stop();
    }
    assert.equal(existsSync(small.folder), false);
  });

  it('gives EgressIP a status subresource when asked to', async () => {
    const other = await startControlPlane({ crd: 'status', nats: false });
    try {
      await other.api.apply(egressIP('web'));
      assert.equal((await other.api.call('GET', `${egressIPs}/web/status`)).status, 200);
    } finally {
      await other.stop();
    }
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`leaves no server behind when its run ends by ${signal}`, async () => {
      const run = await otherRun();
      run.owner.kill(signal);
      await run.ended;
      if (signal === 'SIGKILL') {
        // Nobody was left to clean up: the next run does it.
        assert.ok(isAlive(run.server));
        const next = await otherRun();
        next.owner.stdin?.end();
        await next.ended;
      }
      await eventually('its nats-server is gone', soon, () => !isAlive(run.server));
      assert.equal(existsSync(run.folder), false);
    });
  }
});

async function statusWithToken(plane: ControlPlane, token: string): Promise<number> {
  const api = openApi({ server: plane.server, token, ca: () => plane.ca });
  const answer = await api.call('GET', '/api/v1/nodes');
  api.close();
  return answer.status;
}

/** The line with which NATS greets whoever connects. */
async function greeting(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const [line] = await once(socket, 'data');
  socket.destroy();
  return String(line);
}

/** The state of a process as the kernel names it: R, S, T = stopped, … */
function stateOf(pid: number): string {
  const [, state = ''] = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return state;
}

/** Another run with a nats-server of its own. */
async function otherRun(): Promise<{
  owner: ChildProcess;
  server: number;
  folder: string;
  ended: Promise<unknown>;
}> {
  const script = join(repository, 'test', 'controlplane', 'orphan.ts');
  const owner = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(owner, 'exit');
  const [line] = await once(createInterface({ input: owner.stdout }), 'line');
  return { owner, ended, ...JSON.parse(String(line)) };
}
