/** `sluice plan` for BGP routing: what would be written at once, and how it would stand. */
import assert from 'node:assert/strict';
import { applyText } from '../../cli/plan-file.ts';
import { Draft } from '../../cli/plan-draft.ts';
import { Failure } from '../../cli/failure.ts';
import { plan, type PlanAsk } from '../../cli/plan.ts';
import { routingPlanOf } from '../../cli/plan-routing.ts';
import { routingText } from '../../cli/plan-routing-text.ts';
import { Picture } from '../../services/assigner/explain-picture.ts';
import { Field } from '../bgp/field.ts';
import { givenConfig, givenRouting, zones3 } from '../bgp/givens.ts';
import { logOf, screenAt } from './stage.ts';

const nothing = { lose: [], label: [], unlabel: [], delete: [], files: [] } as const;

/** Three zones and the network prod, all as decided. */
function field(): Field {
  const made = Field.withNodes('abc');
  made.namespace('app-prod', 'prod');
  made.config(givenConfig({ zones: zones3 }));
  made.routing(givenRouting('prod'));
  made.rest();
  return made;
}

async function run(
  { log, nowMs }: Field,
  more: Partial<PlanAsk>,
): Promise<{ code: number; text: string }> {
  const screen = screenAt(nowMs);
  const settings = { excluded: undefined };
  const code = await plan(logOf(log), { ...nothing, output: 'table', settings, ...more }, screen);
  return { code, text: screen.text() };
}

/** What a file with this text would do. */
function planned({ log, nowMs }: Field, text: string): string {
  const picture = new Picture({ excluded: undefined });
  for (const heard of log) if (heard.stream === 'watcher') picture.hear(heard);
  const draft = new Draft(picture);
  applyText(draft, text, 'file.yaml', nowMs);
  return routingText(routingPlanOf(log, draft.facts, nowMs));
}

const routingYaml = (name: string, subnet: string): string => `
kind: CUDNBgpRouting
metadata: { name: ${name} }
spec: { network: { name: ${name}, subnets: [${subnet}] } }
`;

const configYaml = (zones: string): string => `
kind: CUDNBgpConfig
metadata: { name: cluster }
spec:
  bgp: { localASN: 65001, livenessDetection: bgp-keepalive, availabilityZones: [${zones}] }
  routerNodeSelector: { bgp_router: 'true' }
`;

const zoneYaml = (letter: string, ...addresses: string[]): string =>
  `{ nodeSelector: { topology.kubernetes.io/zone: us-east-1${letter} }, neighbors: [` +
  `${addresses.map((address) => `{ address: ${address}, remoteASN: 64512 }`).join(', ')}] }`;

describe('sluice plan and BGP routing', () => {
  it('shows what a new network would have written', () => {
    const world = field();
    world.namespace('app-second', 'second');
    world.rest();
    const text = planned(world, routingYaml('second', '10.200.0.0/16'));
    assert.match(text, /^clusteruserdefinednetwork\/cluster-udn-second +made +network second$/m);
    assert.match(text, /^cudnbgprouting\/second +– → Configuring +/m);
    assert.doesNotMatch(text, /frrconfiguration/);
  });

  it('shows which FRRConfiguration a neighbour more changes, and where', () => {
    const zones = [
      zoneYaml('a', '10.0.1.47', '10.0.1.183', '10.0.1.200'),
      zoneYaml('b', '10.0.2.91', '10.0.2.204'),
      zoneYaml('c', '10.0.3.62', '10.0.3.178'),
    ];
    const text = planned(field(), configYaml(zones.join(', ')));
    assert.match(text, /^1 object of BGP routing would be written at once\.$/m);
    assert.match(text, /^frrconfiguration\/\S+ +changed: spec\.bgp\.routers\[0\]\.neighbors /m);
  });

  it('shows how a network would stand for which nothing can be written', () => {
    const text = planned(field(), routingYaml('second', '10.200.0.0/16'));
    assert.match(text, /^0 objects of BGP routing would be written at once\.$/m);
    assert.match(text, /^cudnbgprouting\/second +– → Degraded +no namespace has the labels .*$/m);
    assert.doesNotMatch(text, /follows/);
  });

  it('says so when a file changes nothing', () => {
    const text = planned(field(), routingYaml('prod', '10.100.0.0/16'));
    assert.equal(text, 'Nothing of BGP routing changes.\n');
  });

  it('shows what the end of a network would take away, and no egress IP', async () => {
    const { code, text } = await run(field(), { delete: ['cudnbgprouting/prod'] });
    assert.match(text, /^routeadvertisements\/cudn-bgp-route-advertisements +deleted /m);
    assert.doesNotMatch(text, /Nothing moves/);
    assert.equal(code, 0);
  });

  it('writes nothing: the same plan again is the same', async () => {
    const world = field();
    const [before, lines] = [
      world.log.length,
      await run(world, { delete: ['cudnbgprouting/prod'] }),
    ];
    assert.deepEqual(await run(world, { delete: ['cudnbgprouting/prod'] }), lines);
    assert.equal(world.log.length, before);
  });

  it('exits with 2 when a network that is routed would be Degraded', async () => {
    const ready = field();
    ready.pass(60_000);
    assert.equal(ready.routingState('prod').phase, 'Ready');
    const { routings } = ready;
    const prod = routings.get('prod');
    assert.ok(prod !== undefined);
    const facts = [
      { kind: 'BgpRoutingSeen', routing: { ...prod, subnets: ['no subnet'], generation: 2 } },
    ] as const;
    const { phases } = routingPlanOf(ready.log, facts, ready.nowMs);
    assert.deepEqual(
      phases.map(({ resource, from, to }) => [resource, from, to]),
      [['cudnbgprouting/prod', 'Ready', 'Degraded']],
    );
  });

  it('answers machines with the same', async () => {
    const { text } = await run(field(), { delete: ['cudnbgprouting/prod'], output: 'json' });
    const { routing } = JSON.parse(text) as { routing: { objects: { object: string }[] } };
    assert.ok(routing.objects.some(({ object }) => object.startsWith('routeadvertisements/')));
  });

  it('refuses what is not there, and what is no such object', async () => {
    const of = (word: string) => run(field(), { delete: [word] });
    await assert.rejects(of('cudnbgprouting/prad'), /no CUDNBgpRouting "prad".*"prod"/);
    const bad = 'kind: CUDNBgpRouting\nmetadata: { name: x }\nspec: {}\n';
    assert.throws(() => planned(field(), bad), /file\.yaml:1:1: .*spec\.network\.name: Required/);
    assert.throws(() => planned(field(), 'kind: Pod\nmetadata: { name: x }\n'), Failure);
  });

  it('does not plan on half a picture', () => {
    const young = new Field();
    young.tell({ kind: 'KindSeen', plural: 'cudnbgpconfigs', served: true });
    assert.throws(() => routingPlanOf(young.log, [], 0), /bgp has no picture of the cluster/);
  });
});
