/** What the kubelet and Prometheus see of a room. */
import assert from 'node:assert/strict';
import { openClock } from '../../edge/clock.ts';
import { openHealth, type Check, type Health } from '../../edge/health.ts';

describe('the health server', () => {
  let checks: Check[];
  let health: Health;
  let scraped: () => Promise<{ contentType: string; text: string }>;
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${health.port}${path}`, init);

  beforeEach(async () => {
    checks = [
      { name: 'nats', ok: true, state: 'connected' },
      { name: 'caught up', ok: true, state: 'yes' },
    ];
    scraped = async () => ({
      contentType: 'text/plain; version=0.0.4',
      text: 'sluice_turns_total 1\n',
    });
    const options = { port: 0, host: '127.0.0.1', checks: () => checks, metrics: () => scraped() };
    health = await openHealth(options);
  });

  afterEach(() => health.close());

  it('is ready when everything is, and lists what it looked at', async () => {
    const response = await ask('/readyz?verbose');
    assert.equal(response.status, 200);
    assert.equal(await response.text(), 'ready\n+ nats: connected\n+ caught up: yes\n');
  });

  it('is not ready when one thing is not, and says which', async () => {
    checks[1] = { name: 'caught up', ok: false, state: 'no, 12 behind' };
    const response = await ask('/readyz');
    assert.equal(response.status, 503);
    assert.equal(
      await response.text(),
      'not ready\n+ nats: connected\n- caught up: no, 12 behind\n',
    );
  });

  it('stays alive while it is not ready: a restart would not bring NATS back', async () => {
    checks[0] = { name: 'nats', ok: false, state: 'disconnected' };
    assert.equal((await ask('/healthz')).status, 200);
    assert.equal((await ask('/readyz', { method: 'HEAD' })).status, 503);
  });

  it('shows the metrics in their own type', async () => {
    const response = await ask('/metrics');
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4');
    assert.equal(await response.text(), 'sluice_turns_total 1\n');
  });

  it('survives a failure of what it asks', async () => {
    scraped = () => Promise.reject(new Error('no numbers today'));
    const response = await ask('/metrics');
    assert.equal(response.status, 500);
    assert.match(await response.text(), /no numbers today/);
    assert.equal((await ask('/healthz')).status, 200);
  });

  it('answers nothing else', async () => {
    assert.equal((await ask('/')).status, 404);
    assert.equal((await ask('/readyz', { method: 'POST', body: 'x' })).status, 405);
  });

  it('says so when its port is taken', async () => {
    const again = openHealth({ port: health.port, host: '127.0.0.1', checks: () => [] });
    await assert.rejects(again, { code: 'EADDRINUSE' });
  });
});

describe('the clock', () => {
  const clock = openClock();

  it('sleeps as long as it is told, by its own time', async () => {
    const startedMs = clock.nowMs();
    await clock.sleep(30, new AbortController().signal);
    const tookMs = clock.nowMs() - startedMs;
    assert.ok(tookMs >= 28 && tookMs < 2000, `${tookMs} ms`);
  });

  it('wakes at once when it is stopped, and does not sleep at all afterwards', async () => {
    const stop = new AbortController();
    const asleep = clock.sleep(3_000_000_000, stop.signal);
    setImmediate(() => stop.abort());
    await asleep;
    await clock.sleep(3_000_000_000, stop.signal);
  });

  it('leaves no listener on the signal of a long life', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...all: Parameters<typeof add>) => ((listeners += 1), add(...all));
    signal.removeEventListener = (...all: Parameters<typeof remove>) => (
      (listeners -= 1), remove(...all)
    );
    await clock.sleep(1, signal);
    assert.equal(listeners, 0);
  });

  it('lets timers and sockets have their turn when it breathes', async () => {
    let others = 0;
    setImmediate(() => (others += 1));
    await clock.breathe();
    assert.equal(others, 1);
  });
});
