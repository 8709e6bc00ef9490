/** How the nodes that match a claim's selector are, in words: why none of them takes an address. */
import { count, list } from '../../core/say.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import type { Use } from './use.ts';
import type { World } from './world.ts';

/** More matching nodes than this are counted, not named. */
const NAMED = 3;

type State =
  | 'is not infrastructure-ready'
  | 'is not ready'
  | 'is unreachable'
  | 'is not probed yet';

/** `2 match tier=production: worker-2 is not ready, worker-3 is unreachable`. */
export function describePool(world: World, claim: Claim): string {
  const use = claim.use;
  if (use === undefined) return 'no selector';
  if (use.selector.problem !== undefined) return use.selector.problem;
  if (!claim.waits && claim.refusals.size === 0) return '';
  const known = world.poolWords.get(use);
  if (known !== undefined) return known;
  const words = describe(world, use);
  world.poolWords.set(use, words);
  return words;
}

function describe(world: World, use: Use): string {
  const verb = use.matching === 1 ? 'matches' : 'match';
  const head = `${count(use.matching, 'node')} ${verb} ${use.selector.text}`;
  if (use.matching === 0) return `no node matches ${use.selector.text}`;
  const unusable = [...world.hosts.values()].filter(
    (host) => host.exists && !host.usable && use.selector.matches(host.labels),
  );
  const byState = new Map<State | 'is a no-hostsubnet node', string[]>();
  for (const host of unusable) {
    const state = stateOf(host);
    byState.set(state, [...(byState.get(state) ?? []), host.name]);
  }
  for (const names of byState.values()) names.sort();
  // By the first node of each: in which order they were heard of must not show (law 11).
  const states = [...byState].toSorted(([, [a = '']], [, [b = '']]) => (a < b ? -1 : 1));
  const parts = states.map(([state, names]) =>
    unusable.length <= NAMED
      ? names.map((name) => `${name} ${state}`).join(', ')
      : `${names.length} ${state.replace(/^is /, 'are ')} (${list(names)})`,
  );
  if (use.usable > 0) parts.push(`${use.usable} available`);
  return `${head}: ${parts.join(', ')}`;
}

function stateOf(host: Host): State | 'is a no-hostsubnet node' {
  if (host.excluded) return 'is a no-hostsubnet node';
  if (host.infrastructure === undefined) return 'is not infrastructure-ready';
  if (!host.ready) return 'is not ready';
  return host.reachable === false ? 'is unreachable' : 'is not probed yet';
}
