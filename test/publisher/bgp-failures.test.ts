/** Writes for BGP routing that fail: told on the owner, tried again, and holding up nobody else. */
import assert from 'node:assert/strict';
import type { KubeAnswer } from '../../core/door.ts';
import { RoutingBench } from './bgp-bench.ts';
import { answer, type Json } from './bgp-model.ts';
import {
  condition,
  config,
  configDecided,
  decided,
  frrSpec,
  routing,
  routingDecided,
  standing,
} from './bgp-scene.ts';

const TYPE = 'FRRConfigurationApplied';
const DOWN =
  'Internal error occurred: failed calling webhook "frrconfigurationsvalidationwebhook.metallb.io"';
const DENIED =
  'admission webhook "frrconfigurationsvalidationwebhook.metallb.io" denied the request: ' +
  'multiple asns specified for 10.0.1.47: resource is invalid for node worker-1';

/** bgp waits for az-a and az-b; az-a is answered as given. */
async function troubled(given: KubeAnswer): Promise<RoutingBench> {
  const bench = new RoutingBench();
  const uid = config(bench);
  bench.model.fault = ({ method, path, body }) => {
    const about = method === 'POST' ? (body as Json).metadata?.name : path.split('?')[0];
    return String(about).endsWith('az-a') ? given : undefined;
  };
  const applying = condition(TYPE, 'False', 'Applying', 'being applied');
  bench.hear('bgp', configDecided(uid, 'Configuring', [applying]));
  for (const name of ['az-a', 'az-b']) bench.hear('bgp', decided('FRRConfiguration', name));
  return await bench.rest();
}

const phaseOf = (bench: RoutingBench): string =>
  bench.model.get('cudnbgpconfigs', 'cluster').status.phase;

const attempts = (bench: RoutingBench): number =>
  bench.writes().filter((write) => write.endsWith('/az-a')).length;

describe('a write that an admission webhook denies', () => {
  it('has the condition say which object, which node and why, and Degraded', async () => {
    const bench = await troubled(answer(403, {}, DENIED));
    const { status, reason, message } = standing(bench, TYPE);
    assert.deepEqual([status, reason, phaseOf(bench)], ['False', 'ApplyFailed', 'Degraded']);
    assert.equal(message, `FRRConfiguration az-a is denied: ${DENIED}`);
    assert.match(message, /resource is invalid for node worker-1$/);
  });

  it('does not hold up other objects, and is tried again each minute, not more', async () => {
    const bench = await troubled(answer(403, {}, DENIED));
    assert.ok(bench.model.get('frrconfigurations', 'az-b') !== undefined);
    assert.equal(attempts(bench), 1);
    await bench.pass(300_000);
    assert.equal(attempts(bench), 5);
    const told = bench.outcomes().filter(({ event }) => event.kind === 'ObjectPublished');
    assert.equal(told.length, 2, 'one story of az-a, however often it was tried, and one of az-b');
    const statuses = bench.model.requests.filter(({ path }) => path.includes('/status'));
    assert.ok(statuses.length <= 2, `${statuses.length} statuses`);
  });

  it('is tried at once when something else is decided', async () => {
    const bench = await troubled(answer(403, {}, DENIED));
    attempts(bench);
    const spec = { ...frrSpec, nodeSelector: {} };
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { spec }));
    assert.equal(attempts(await bench.rest()), 1);
  });

  it('is tried at once when the object is another one', async () => {
    const bench = await troubled(answer(403, {}, DENIED));
    bench.model.fault = () => undefined;
    const { uid } = bench.model.put('frrconfigurations', {
      metadata: { name: 'az-a', labels: {} },
      spec: {},
    }).metadata;
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { uid }));
    await bench.rest();
    assert.deepEqual(bench.model.get('frrconfigurations', 'az-a').spec, frrSpec);
  });

  it('is over when it is let in: the condition is again what bgp says', async () => {
    const bench = await troubled(answer(403, {}, DENIED));
    bench.model.fault = () => undefined;
    await bench.pass(61_000);
    const { reason } = standing(bench, TYPE);
    assert.deepEqual([reason, phaseOf(bench)], ['Applying', 'Configuring']);
  });

  it('is told the same after a restart, and nothing is written but the attempt', async () => {
    const bench = await troubled(answer(403, {}, DENIED));
    bench.writes();
    bench.outcomes();
    await bench.restart();
    assert.deepEqual(bench.writes(), ['POST frrconfigurations/az-a']);
    await bench.restart((log) => log.toReversed());
    assert.deepEqual(bench.writes(), ['POST frrconfigurations/az-a']);
    assert.deepEqual(bench.outcomes(), []);
  });
});

describe('a write whose webhook is down', () => {
  for (const [status, words] of [
    [500, `${DOWN}: connection refused`],
    [503, 'no endpoints available for webhook'],
    [504, 'failed calling webhook: context deadline exceeded'],
  ] as const)
    it(`is retried, and is no reason to be Degraded: ${status}`, async () => {
      const bench = await troubled(answer(status, {}, words));
      const { status: is, reason, message } = standing(bench, TYPE);
      assert.deepEqual([is, reason], ['False', 'WebhookUnavailable']);
      assert.equal(phaseOf(bench), 'Configuring');
      assert.ok(message.includes(words), message);
      attempts(bench);
      await bench.pass(1_000);
      assert.ok(attempts(bench) >= 2, 'soon');
      await bench.pass(600_000);
      const many = attempts(bench);
      assert.ok(many >= 19 && many <= 45, `${many} attempts in ten minutes: ever more rarely`);
      bench.model.fault = () => undefined;
      await bench.pass(31_000);
      assert.ok(bench.model.get('frrconfigurations', 'az-a') !== undefined);
      assert.equal(standing(bench, TYPE).reason, 'Applying');
    });

  it('keeps its words although the port of the connection differs each time', async () => {
    const bench = new RoutingBench();
    const uid = config(bench);
    let port = 40_000;
    bench.model.fault = ({ method }) =>
      method === 'POST'
        ? answer(500, {}, `${DOWN}: read tcp 10.0.0.5:${port++}->10.0.0.9:9443: reset`)
        : undefined;
    bench.hear('bgp', configDecided(uid, 'Configuring', []));
    bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
    await bench.rest();
    bench.writes();
    await bench.pass(120_000);
    assert.deepEqual(
      bench.writes().filter((write) => !write.startsWith('POST')),
      [],
    );
  });
});

describe('a write that the schema refuses', () => {
  it('says what is wrong and what to do where ASNs are declared as int32', async () => {
    const words =
      'FRRConfiguration.frrk8s.metallb.io "az-a" is invalid: spec.bgp.routers[0].asn: Invalid ' +
      'value: Maximum boundary value must be of type integer with format int32 in ' +
      'spec.bgp.routers[0].asn';
    const bench = await troubled(answer(422, {}, words));
    const { reason, message } = standing(bench, TYPE);
    assert.deepEqual([reason, phaseOf(bench)], ['ApplyFailed', 'Degraded']);
    assert.match(message, /refused as invalid: .*int32/);
    assert.match(message, /bring frr-k8s, or its CRDs, to 0\.0\.24 or later$/);
    attempts(bench);
    await bench.pass(300_000);
    assert.equal(attempts(bench), 5, 'no loop');
  });

  it('is judged by its status code, whatever the object is called', async () => {
    const words = 'FRRConfiguration "testing-az-a" is invalid: spec: Required value';
    const bench = await troubled(answer(422, {}, words));
    assert.equal(standing(bench, TYPE).reason, 'ApplyFailed');
  });
});

describe('other failures', () => {
  it('of a server that is not there are retried, and told as such', async () => {
    const bench = await troubled(answer(0, undefined, 'connect ECONNREFUSED'));
    assert.equal(standing(bench, TYPE).reason, 'ServerUnavailable');
    assert.equal(phaseOf(bench), 'Configuring');
  });

  it('of a kind that is not served any more wait until it is', async () => {
    const bench = await troubled(
      answer(404, {}, 'the server could not find the requested resource'),
    );
    const plural = 'frrconfigurations';
    bench.hear('watcher', { kind: 'KindSeen', plural, served: false });
    await bench.rest();
    attempts(bench);
    await bench.pass(120_000);
    assert.equal(attempts(bench), 0);
    bench.model.fault = () => undefined;
    bench.hear('watcher', { kind: 'KindSeen', plural, served: true });
    assert.equal(attempts(await bench.rest()), 1);
  });

  it('are those of each owner: a routing tells of its network, the config of its own', async () => {
    const bench = new RoutingBench();
    const uid = config(bench);
    const own = routing(bench);
    bench.model.fault = ({ method, path }) =>
      method === 'POST' && path.includes('clusteruserdefined')
        ? answer(403, {}, 'denied by policy')
        : undefined;
    const applied = condition(TYPE);
    const creating = condition('CUDNCreated', 'False', 'Creating');
    bench.hear('bgp', configDecided(uid, 'Ready', [applied]));
    bench.hear('bgp', routingDecided(own, 'Configuring', [creating]));
    const owner = 'cudnbgprouting/prod';
    const about = { owner, condition: 'CUDNCreated' };
    bench.hear('bgp', decided('ClusterUserDefinedNetwork', 'cluster-udn-prod', about));
    await bench.rest();
    const { phase, conditions } = bench.model.get('cudnbgproutings', 'prod').status;
    assert.deepEqual([phase, conditions[0].reason], ['Degraded', 'CUDNFailed']);
    assert.equal(phaseOf(bench), 'Ready');
  });

  it('of what all routings share are told on each that has such a condition', async () => {
    const bench = new RoutingBench();
    config(bench);
    const first = routing(bench, 'prod');
    const loser = routing(bench, 'twin');
    bench.model.fault = ({ method, path }) =>
      method === 'POST' && path.includes('routeadvertisements')
        ? answer(403, {}, 'denied by policy')
        : undefined;
    const creating = condition('RouteAdvertisementsCreated', 'False', 'Creating');
    const duplicate = condition('CUDNCreated', 'False', 'DuplicateNetwork');
    bench.hear('bgp', routingDecided(first, 'Configuring', [creating]));
    bench.hear('bgp', routingDecided(loser, 'Degraded', [duplicate], { name: 'twin' }));
    const about = { owner: 'cudnbgprouting/*', condition: 'RouteAdvertisementsCreated' };
    bench.hear('bgp', decided('RouteAdvertisements', 'cudn-bgp-route-advertisements', about));
    await bench.rest();
    const reasons = (name: string): string[] =>
      bench.model
        .get('cudnbgproutings', name)
        .status.conditions.map(({ reason }: { reason: string }) => reason);
    assert.deepEqual([reasons('prod'), reasons('twin')], [['RAFailed'], ['DuplicateNetwork']]);
  });

  it('of a status are retried, told once, and hold up no object', async () => {
    const bench = new RoutingBench();
    const uid = config(bench);
    bench.model.fault = ({ path }) =>
      path.includes('/status') ? answer(500, {}, 'etcd is away') : undefined;
    bench.hear('bgp', configDecided(uid, 'Ready', [condition(TYPE)]));
    bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
    await bench.rest();
    assert.ok(bench.model.get('frrconfigurations', 'az-a') !== undefined);
    await bench.pass(60_000);
    const told = bench.outcomes().filter(({ event }) => event.kind === 'ResourcePublished');
    assert.deepEqual(told.map(({ said }) => said).length, 1);
    bench.model.fault = () => undefined;
    await bench.pass(31_000);
    assert.equal(phaseOf(bench), 'Ready');
  });
});
