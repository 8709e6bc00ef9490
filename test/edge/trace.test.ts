/** OpenTelemetry: from a fact over the decision to the write it is one trace; off by default. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Cluster, KubeAnswer } from '../../core/door.ts';
import { openLog } from '../../edge/nats.ts';
import type { NatsLog } from '../../edge/nats/log.ts';
import { openTracing } from '../../edge/trace.ts';
import { traceSettings } from '../../edge/trace/settings.ts';
import type { Tracing } from '../../edge/trace/tracing.ts';
import { headersAt } from './nats-by-hand.ts';
import { type NatsServer, startNatsServer } from './nats-server.ts';
import { forever, gone } from './nats-words.ts';

interface Otlp {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly message?: string };
}

describe('traces across the log', () => {
  let nats: NatsServer;
  let collector: Server;
  let spans: Otlp[] = [];
  let asked: string[] = [];
  let url = '';
  const logs: NatsLog[] = [];

  before(async () => {
    nats = await startNatsServer();
    collector = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers['authorization']}`);
      void json(request).then((body) => {
        const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Otlp[] }[] }[] };
        spans.push(
          ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)),
        );
        response.end('{}');
      });
    });
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    spans = [];
    asked = [];
  });
  after(async () => {
    await Promise.all(logs.map((log) => log.close()));
    collector.close();
    await nats.stop();
  });

  const env = () => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
  });
  const open = async (room: string): Promise<{ log: NatsLog; trace: Tracing | undefined }> => {
    const trace = await openTracing(env(), room, assert.fail);
    const log = await openLog({ servers: [nats.url], name: room, trace });
    logs.push(log);
    return { log, trace };
  };
  const named = (name: string): Otlp => {
    const found = spans.find((span) => span.name === name);
    assert.ok(found, `${name} among ${spans.map((span) => span.name).join(', ')}`);
    return found;
  };

  it('make one trace of what a room saw, what another concluded and what was written', async () => {
    const watcher = await open('watcher');
    const publisher = await open('publisher');
    await watcher.log.speak('watcher', [gone('worker-1', 'went')], 0, forever);
    const cause = { stream: 'watcher', sequence: 1 } as const;
    for await (const { events } of publisher.log.hear(['watcher'], forever)) {
      if (events.length > 0) break;
    }
    await publisher.log.speak('publisher', [{ ...gone('worker-1'), causes: [cause] }], 0, forever);
    const refusal: KubeAnswer = { status: 409, body: {}, message: 'conflict', retryAfterMs: 0 };
    const refusing: Pick<Cluster, 'request'> = { request: () => Promise.resolve(refusal) };
    const cluster = publisher.trace?.watching(refusing);
    const path = '/api/v1/nodes/worker-1/status?fieldManager=sluice';
    await cluster?.request({ method: 'PATCH', path, contentType: '', body: {} }, forever);
    await Promise.all([watcher.trace?.close(), publisher.trace?.close()]);
    const [seen, said, written] = ['watcher turn', 'publisher turn', 'PATCH nodes'].map(named);
    assert.equal(seen?.parentSpanId, undefined);
    assert.equal(said?.parentSpanId, seen?.spanId);
    assert.equal(written?.parentSpanId, said?.spanId);
    assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
    assert.equal(written?.status.message, 'conflict');
    assert.deepEqual([...new Set(asked)], ['/v1/traces Bearer secret']);
    const headers = await headersAt(nats.url, 'SLUICE_WATCHER', 1);
    assert.ok(headers.includes(`traceparent: 00-${seen?.traceId}-${seen?.spanId}-01`));
  });

  it('leave no header and load nothing without an endpoint', async () => {
    assert.equal(await openTracing({ OTEL_SERVICE_NAME: 'x' }, 'bgp', assert.fail), undefined);
    const log = await openLog({ servers: [nats.url], name: 'bgp' });
    logs.push(log);
    await log.speak('bgp', [gone('worker-2')], 0, forever);
    const headers = await headersAt(nats.url, 'SLUICE_BGP', 1);
    assert.ok(headers.every((line) => !line.startsWith('traceparent')));
  });

  it('say once that the collector is not there, and hold up nobody', async () => {
    const heard: string[] = [];
    const dead = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/x' };
    const trace = await openTracing(dead, 'bgp', (sentence) => void heard.push(sentence));
    for (let turn = 0; turn < 3; turn++) {
      trace?.turn('bgp', [gone('worker-3')]).end();
      await trace?.close();
    }
    assert.equal(heard.length, 1);
    assert.match(heard[0] ?? '', /^traces are lost: /);
  });

  const off = [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' },
  ];
  for (const variables of off)
    it(`are off with ${JSON.stringify(variables)}`, () => {
      assert.equal(traceSettings(variables, 'bgp'), undefined);
    });

  it('keep the share of new traces that the sampler says', async () => {
    const sampler = {
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    };
    const trace = await openTracing({ ...env(), ...sampler }, 'bgp', assert.fail);
    const { traceparent, end } = trace?.turn('bgp', [gone('worker-4')]) ?? {};
    end?.();
    await trace?.close();
    assert.match(traceparent ?? '', /-00$/);
    assert.deepEqual(spans, []);
  });

  it('bear the name and the attributes of the process that the variables say', () => {
    const given = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/',
      OTEL_RESOURCE_ATTRIBUTES: 'k8s.cluster.name=prod,note=a%20b',
    };
    assert.deepEqual(traceSettings(given, 'bgp'), {
      url: 'http://c:4318/v1/traces',
      headers: {},
      resource: { 'k8s.cluster.name': 'prod', note: 'a b', 'service.name': 'sluice-bgp' },
      ratio: 1,
      followsParent: true,
      timeoutMs: 10_000,
    });
  });
});
