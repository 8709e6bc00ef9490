/** The emulator as a process of its own, and its control surface over HTTP. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { isObject, property } from '../../core/json.ts';
import { openStage, type Stage } from './stage.ts';

interface Reply {
  readonly status: number;
  // oxlint-disable-next-line no-explicit-any -- JSON of any shape is read here, by a test
  readonly json: any;
}

function ask(base: string, path: string, body?: unknown): Promise<Reply> {
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, base), { method, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

describe('EC2 emulator: control over HTTP', () => {
  let stage: Stage;
  beforeEach(async () => void (stage = await openStage()));
  afterEach(() => stage.close());

  it('a world is made, changed and looked at', async () => {
    const { url } = stage.aws;
    const made = await ask(url, '/do', { do: 'topology', with: [{ nodes: 2 }] });
    assert.equal(made.json.endpoints.length, 6);
    const [first] = made.json.endpoints;
    const peer = await ask(url, '/do', { do: 'peer', with: [first.id, '10.0.1.10'] });
    await ask(url, '/do', { do: 'setPeer', with: [peer.json.id, { state: 'failed' }] });
    const { json } = await ask(url, '/state?region=us-east-1');
    assert.deepEqual(
      [json.servers.length, json.instances.length, json.peers[0].state],
      [1, 2, 'failed'],
    );
    await ask(url, '/manners', { pendingMs: 1 });
    assert.equal(stage.aws.world.manners.pendingMs, 1);
    assert.deepEqual((await ask(url, '/calls')).json, []);
    assert.deepEqual((await ask(url, '/counts')).json, {});
    assert.deepEqual((await ask(url, '/violations')).json, []);
  });

  it('what is no verb, or cannot be done, is said', async () => {
    const { url } = stage.aws;
    assert.equal((await ask(url, '/nothing')).status, 404);
    const unknown = await ask(url, '/do', { do: 'constructor' });
    assert.deepEqual(
      [unknown.status, unknown.json.message],
      [400, '"constructor" is no verb here'],
    );
    const missing = await ask(url, '/do', { do: 'setPeer', with: ['rsp-0123456789abcdef0', {}] });
    assert.deepEqual([missing.status, /rsp-.* is missing/.test(missing.json.message)], [400, true]);
  });
});

describe('EC2 emulator: as a process', () => {
  it('tells how to reach it and ends when it is asked to', async function () {
    this.timeout(60_000);
    const child = spawn(process.execPath, ['test/aws/main.ts'], {
      env: { ...process.env, AWS_TOPOLOGY: '{"nodes":3}' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const said: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        said.push(line);
        if (line.startsWith('export AWS_SECRET_ACCESS_KEY=')) break;
      }
      assert.match(said[0] ?? '', /^# rs-\w+ aws:\/\/\/us-east-1a\/i-\w+ /);
      const url = /^export AWS_ENDPOINT_URL='(.*)'$/m.exec(said.join('\n'))?.[1] ?? '';
      const { json } = await ask(url, '/state?region=us-east-1');
      assert.ok(isObject(json) && Array.isArray(property(json, 'servers')));
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number];
      assert.equal(code, 0);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
