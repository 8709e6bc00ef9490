/**
 * Pairs addresses of one claim with nodes: as many as can be, then preferred, then least loaded.
 */
import type { Candidate } from './candidates.ts';
import type { Host } from './host.ts';
import { byLoadThenName } from './pool.ts';

/** One step towards a network that is not preferred outweighs any load. */
const STEP = 1_000_000;

interface Edge {
  readonly to: number;
  readonly cost: number;
}

/**
 * The node for each address, or undefined; no node twice. Successive shortest augmenting paths give
 * a maximum matching of least cost (`reliability.md` B6); ties go to the earlier address and the
 * better-ranked node, so the result is deterministic.
 */
export function match(choices: readonly (readonly Candidate[])[]): readonly (Host | undefined)[] {
  const easy = easyMatch(choices);
  if (easy !== undefined) return easy;
  const { hosts, edges } = graphOf(choices);
  const hostOf: (number | undefined)[] = choices.map(() => undefined);
  const addressOf: (number | undefined)[] = hosts.map(() => undefined);
  for (const start of choices.keys()) augment(start, edges, hostOf, addressOf);
  return hostOf.map((index) => (index === undefined ? undefined : hosts[index]));
}

/** All want the same in the same order, as addresses of one network do: in turn, then. */
function easyMatch(
  choices: readonly (readonly Candidate[])[],
): readonly (Host | undefined)[] | undefined {
  const [first = []] = choices;
  const alike = choices.every(
    (one) => one.length === first.length && one.every(({ host }, at) => host === first[at]?.host),
  );
  const one = first.every(({ distance }) => distance === first[0]?.distance);
  return alike && one ? choices.map((_, at) => first[at]?.host) : undefined;
}

function graphOf(choices: readonly (readonly Candidate[])[]): { hosts: Host[]; edges: Edge[][] } {
  const ranks = new Map<Host, number>();
  const all = choices.flat().map(({ host }) => host);
  const sorted = [...new Set(all)].sort(byLoadThenName);
  for (const [rank, host] of sorted.entries()) ranks.set(host, rank);
  const edges = choices.map((candidates) =>
    candidates.map(({ host, distance }) => ({
      to: ranks.get(host) ?? 0,
      cost: distance * STEP + host.load,
    })),
  );
  return { hosts: sorted, edges };
}

/** Seats one more address along the cheapest path; nobody who is seated loses the seat for good. */
function augment(
  start: number,
  edges: readonly (readonly Edge[])[],
  hostOf: (number | undefined)[],
  addressOf: (number | undefined)[],
): void {
  const { cost, via } = cheapestPaths(start, edges, hostOf, addressOf);
  let best: number | undefined;
  for (const [host, sum] of cost.entries()) {
    if (sum === Number.POSITIVE_INFINITY || addressOf[host] !== undefined) continue;
    if (best === undefined || sum < (cost[best] ?? 0)) best = host;
  }
  for (let host = best; host !== undefined; ) {
    const address: number = via[host] ?? start;
    const next = hostOf[address];
    hostOf[address] = host;
    addressOf[host] = address;
    host = address === start ? undefined : next;
  }
}

/** Bellman–Ford: giving a seat back earns its cost, so costs along a path may be negative. */
function cheapestPaths(
  start: number,
  edges: readonly (readonly Edge[])[],
  hostOf: readonly (number | undefined)[],
  addressOf: readonly (number | undefined)[],
): { cost: number[]; via: (number | undefined)[] } {
  const cost = addressOf.map(() => Number.POSITIVE_INFINITY);
  const via: (number | undefined)[] = addressOf.map(() => undefined);
  const relax = (address: number, soFar: number): boolean => {
    let better = false;
    for (const { to, cost: step } of edges[address] ?? []) {
      if (hostOf[address] === to || soFar + step >= (cost[to] ?? 0)) continue;
      cost[to] = soFar + step;
      via[to] = address;
      better = true;
    }
    return better;
  };
  let moving = relax(start, 0);
  while (moving) {
    moving = false;
    for (const [host, sum] of cost.entries()) {
      const address = addressOf[host];
      if (address === undefined || sum === Number.POSITIVE_INFINITY) continue;
      const own = edges[address]?.find(({ to }) => to === host)?.cost ?? 0;
      if (relax(address, sum - own)) moving = true;
    }
  }
  return { cost, via };
}
