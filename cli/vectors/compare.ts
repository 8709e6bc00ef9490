/** Compares what a vector expects with what is there; each difference is one sentence. */
import { isDeepStrictEqual } from 'node:util';
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import { property } from '../../core/json.ts';
import type { Expectation, Item, VectorEvent } from './format.ts';
import type { Harness, RecordedEvent } from './harness.ts';

type Check = (expect: Expectation, harness: Harness) => readonly string[];

/** The differences, empty when all is as expected. */
export function compare(expect: Expectation, harness: Harness): readonly string[] {
  return checks.flatMap((check) => check(expect, harness));
}

const checks: readonly Check[] = [
  ({ status }, harness) => entries(status, (name, want) => sameItems(name, [want], harness)),
  ({ statusAnyOf }, harness) => entries(statusAnyOf, (name, any) => sameItems(name, any, harness)),
  ({ statusLen }, harness) =>
    entries(statusLen, (name, want) => same(`${name} items`, want, harness.items(name).length)),
  ({ statusNodes }, harness) =>
    entries(statusNodes, (name, want) => {
      const nodes = harness.items(name).map(({ node }) => node);
      return same(`${name} nodes`, want.toSorted(), nodes.sort());
    }),
  ({ statusIPs }, harness) =>
    entries(statusIPs, (name, want) => {
      const addresses = harness.items(name).map(({ egressIP }) => egressIP);
      return same(`${name} addresses`, want.toSorted(), addresses.sort());
    }),
  compareEvents,
  compareNodes,
  ({ probed }, harness) =>
    probed === undefined ? [] : same('probed', probed.toSorted(), harness.probed),
  compareMarks,
  (expect, harness) => harness.compareCloud(expect),
  ({ annotationsKept }, harness) =>
    entries(annotationsKept, (name, kept) =>
      entries(kept, (key, value) =>
        same(`${name} ${key}`, value, property(harness.annotations(name), key)),
      ),
    ),
  ({ distinctNodes }, harness) => {
    if (distinctNodes === undefined) return [];
    const nodes = distinctNodes.flatMap((name) => harness.items(name).map(({ node }) => node));
    const distinct = new Set(nodes).size === nodes.length && nodes.length >= distinctNodes.length;
    return distinct ? [] : [`not on different nodes: ${nodes.join(', ')}`];
  },
  ({ oneOwner }, harness) => {
    if (oneOwner === undefined) return [];
    const items = oneOwner.objects.flatMap((name) => harness.items(name));
    const holders = items.filter(({ egressIP }) => egressIP === oneOwner.ip);
    return same(`items with ${oneOwner.ip}`, 1, holders.length);
  },
  ({ statusPatchesAfter }, harness) =>
    statusPatchesAfter === undefined
      ? []
      : same('status writes', statusPatchesAfter, harness.statusWrites),
];

function entries<T>(
  map: Readonly<Record<string, T>> | undefined,
  check: (key: string, value: T) => readonly string[],
): readonly string[] {
  return Object.entries(map ?? {}).flatMap(([key, value]) => check(key, value));
}

function same(what: string, want: unknown, got: unknown): readonly string[] {
  if (isDeepStrictEqual(want, got)) return [];
  return [`${what}: expected ${JSON.stringify(want)}, got ${JSON.stringify(got)}`];
}

const words = (items: readonly Item[]): string =>
  items
    .map(({ egressIP, node }) => `${egressIP} on ${node}`)
    .sort()
    .join(', ') || 'none';

function sameItems(name: string, any: readonly (readonly Item[])[], harness: Harness): string[] {
  const got = words(harness.items(name));
  const wanted = any.map(words);
  return wanted.includes(got) ? [] : [`${name}: expected ${wanted.join(' or ')}, got ${got}`];
}

function compareEvents({ events, noEvents }: Expectation, harness: Harness): readonly string[] {
  const found = (want: VectorEvent): boolean => harness.events.some((event) => fits(want, event));
  const text = ({ eip, reason, messageContains }: VectorEvent): string =>
    `${reason} on ${eip}${messageContains === undefined ? '' : ` with "${messageContains}"`}`;
  const told = harness.events.map(({ name, reason, note }) => `${reason} on ${name}: ${note}`);
  return [
    ...(events ?? [])
      .filter((want) => !found(want))
      .map((want) => `no event ${text(want)}; there are: ${told.join(' | ') || 'none'}`),
    ...(noEvents ?? []).filter(found).map((want) => `unwanted event ${text(want)}`),
  ];
}

function fits(want: VectorEvent, { name, reason, type, note }: RecordedEvent): boolean {
  if (want.eip !== name || want.reason !== reason || (want.type ?? type) !== type) return false;
  return want.messageIsGuidance === true || note.includes(want.messageContains ?? '');
}

/** Tracked = the node could host addresses as far as its annotations go. */
function compareNodes(expect: Expectation, harness: Harness): readonly string[] {
  const hosts = [...(harness.assignments?.hosts.values() ?? [])];
  const tracked = hosts.filter((host) => host.exists && !host.excluded && host.infrastructure);
  const names = (list: typeof hosts): string[] => list.map(({ name }) => name).sort();
  const missing = (want: readonly string[] | undefined, got: readonly string[], what: string) =>
    (want ?? []).filter((name) => !got.includes(name)).map((name) => `${name} is not ${what}`);
  return [
    ...(expect.trackedNodes === undefined
      ? []
      : same('tracked', expect.trackedNodes.toSorted(), names(tracked))),
    ...(expect.untrackedNodes ?? [])
      .filter((name) => names(tracked).includes(name))
      .map((name) => `${name} is tracked`),
    ...missing(expect.reachableNodes, names(hosts.filter((host) => host.reachable)), 'reachable'),
    ...missing(
      expect.unreachableNodes,
      names(hosts.filter((host) => host.reachable !== true)),
      'unreachable',
    ),
  ];
}

function compareMarks({ marks, releasedMarks }: Expectation, harness: Harness): readonly string[] {
  const wrong = entries(marks, (name, want) => {
    const got = property(harness.annotations(name), EGRESSIP_MARK);
    if (want === 'set') return typeof got === 'string' ? [] : [`${name} has no mark`];
    return same(`${name} mark`, want, got);
  });
  const held = (releasedMarks ?? []).filter(
    (name) => harness.assignments?.marks.markOf(name) !== undefined,
  );
  return [...wrong, ...held.map((name) => `${name} still has a mark`)];
}
