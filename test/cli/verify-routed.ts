/** What a watcher tells of a cluster with BGP routing that obeys late, forgets and is edited. */
import type { Fact } from '../../core/fact.ts';
import { Field } from '../bgp/field.ts';
import { givenConfig, givenRouting, zones3 } from '../bgp/givens.ts';
import type { seeded } from '../every.ts';

type Draw = ReturnType<typeof seeded>;

const networks = { prod: '10.1.0.0/16', second: '10.2.0.0/16' } as const;
const names = ['prod', 'second'] as const;
const edited = ['FRRConfiguration', 'ClusterUserDefinedNetwork', 'RouteAdvertisements'] as const;

/** The facts of each step, and the time of the cluster after it. */
export function* routedFacts(
  draw: Draw,
  steps: number,
): Generator<{ readonly facts: readonly Fact[]; readonly nowMs: number }> {
  const field = Field.withNodes('abc');
  for (const name of names) field.namespace(`app-${name}`, name);
  for (let step = 0, told = 0; step < steps; step++) {
    act(field, draw, step);
    for (let round = draw.one([0, 1, 2, 3]); round > 0; round--) {
      field.think();
      if (draw.next() < 0.8) field.obey();
    }
    const facts = field.log.slice(told).filter(({ stream }) => stream === 'watcher');
    told = field.log.length;
    yield { facts: facts.map(({ event }) => event as Fact), nowMs: field.nowMs };
  }
}

function act(field: Field, { one, next }: Draw, step: number): void {
  const name = one(names);
  const zone = one(zones3);
  const address = zone.neighbors[0]?.address ?? '';
  one([
    () => field.config(givenConfig({ uid: 'config', generation: step, zones: zones3 })),
    () => putRouting(field, name, step),
    () => field.routings.get(name)?.deleting === false && field.deleteRouting(name),
    () => field.pod(`worker-${one(['a', 'b', 'c'])}`, next() < 0.7),
    () => void (field.deaf.delete(address) || field.deaf.add(address)),
    () => edit(field, one(edited), next() < 0.5),
    () => field.pass(one([1_000, 30_000, 400_000])),
    () => (field.ovnAsleep = !field.ovnAsleep),
  ])();
}

function putRouting(field: Field, name: (typeof names)[number], step: number): void {
  if (field.routings.has(name)) return;
  const subnets = [networks[name]];
  field.routing(givenRouting(name, { uid: `routing-${step}`, network: name, subnets }));
}

function edit(field: Field, kind: (typeof edited)[number], isRemoved: boolean): void {
  const [name] = field.names(kind);
  if (name === undefined) return;
  if (isRemoved) field.remove(kind, name);
  else field.put(kind, name, { labels: {} });
}
