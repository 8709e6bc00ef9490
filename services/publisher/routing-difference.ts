/** What the cluster has of BGP routing, and what Sluice would make of it. */
import type { Difference } from './difference.ts';
import type { Managed } from './managed.ts';
import { differencesOf, managedStep } from './managed-step.ts';
import type { ResourceThing, WantedStatus } from './resource.ts';
import { finalizers } from './resource-requests.ts';
import { resourceStep } from './resource-step.ts';
import type { Routing } from './routing.ts';

/** What differs on one object of BGP routing. */
export function objectDifferences(routing: Routing, managed: Managed): readonly Difference[] {
  const step = managedStep(routing, managed);
  if (step === undefined) return [];
  const { object, name } = managed;
  const about = { kind: object.toLowerCase(), name };
  if (step.verb === 'create') return [{ ...about, what: 'object', cluster: '', sluice: 'made' }];
  if (step.verb === 'delete') return [{ ...about, what: 'object', cluster: 'there', sluice: '' }];
  return differencesOf(managed).map(({ path, wanted, seen }) => ({
    ...about,
    ...{ what: path, cluster: shown(seen), sluice: shown(wanted) },
  }));
}

/** What differs on a resource: our finalizer, the phase, and conditions. */
export function resourceDifferences(routing: Routing, thing: ResourceThing): readonly Difference[] {
  const step = resourceStep(routing, thing);
  if (step === undefined) return [];
  const { kind, name, seen } = thing;
  const found: Difference[] = [];
  if (step.wrote.includes('finalizer')) {
    const has = seen?.finalizers.includes(finalizers[kind]) === true;
    const [cluster, sluice] = has ? ['there', ''] : ['', 'set'];
    found.push({ kind, name, what: 'finalizer', cluster, sluice });
  }
  if (step.status === undefined) return found;
  return [...found, ...statusDifferences(thing, step.status)];
}

function statusDifferences(thing: ResourceThing, status: WantedStatus): Difference[] {
  const { kind, name, seen } = thing;
  const before = seen?.status.phase ?? '';
  const rows = [{ what: 'phase', cluster: before, sluice: status.phase as string }];
  for (const type of typesOf(thing, status)) {
    const one = seen?.status.conditions.find((condition) => condition.type === type);
    const other = status.conditions.find((condition) => condition.type === type);
    rows.push({ what: type, cluster: conditionWords(one), sluice: conditionWords(other) });
  }
  const differing = rows.filter(({ cluster, sluice }) => cluster !== sluice);
  const all = differing.length === 0 ? [{ what: 'status', cluster: 'older', sluice: 'newer' }] : [];
  return [...differing, ...all].map((row) => ({ kind, name, ...row }));
}

function typesOf({ seen }: ResourceThing, { conditions }: WantedStatus): readonly string[] {
  const all = [...(seen?.status.conditions ?? []), ...conditions];
  return [...new Set(all.map(({ type }) => type))];
}

const conditionWords = (one: { status: string; reason: string } | undefined): string =>
  one === undefined ? '' : `${one.status} (${one.reason})`;

/** Everything that differs now, sorted by kind and name. */
export function routingDifferences(routing: Routing): readonly Difference[] {
  const all = [
    ...[...routing.managed].flatMap((managed) => objectDifferences(routing, managed)),
    ...[...routing.resources].flatMap((thing) => resourceDifferences(routing, thing)),
  ];
  const keyOf = ({ kind, name }: Difference): string => `${kind} ${name}`;
  return all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}

const LONGEST = 60;

function shown(value: unknown): string {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
