/** Why an address is where it is: for each node, the rule that refuses it (OKEP-6800). */
import type { Address } from '../../core/address.ts';
import { type Drained, sayDrained } from '../../core/drained.ts';
import type { Claim } from './claim.ts';
import type { Help } from './explain-attempt.ts';
import { wouldHelp } from './explain-help.ts';
import type { Picture } from './explain-picture.ts';
import { type AddressState, explainState, stateOf, stateWords } from './explain-state.ts';
import type { Host } from './host.ts';
import { mayStay, sayVerdict, type Verdict, verdictOf } from './verdict.ts';
import type { World } from './world.ts';

/** One node, seen by one address. */
export interface NodeView {
  readonly node: string;
  readonly matches: boolean;
  readonly ready: boolean;
  /** Undefined = not probed. */
  readonly reachable: boolean | undefined;
  /** The network that contains the address there, or ''. */
  readonly network: string;
  /** Another address of the same EgressIP that lives there, or ''. */
  readonly sibling: string;
  /** Why addresses are to leave it while it works; '' = they are not. */
  readonly drained: Drained;
  /** Whether it hosts the address now. */
  readonly hosts: boolean;
  /** The rule that refuses; the word by which such nodes are grouped. */
  readonly rule: Verdict | 'drained' | 'hosts a sibling' | 'hosts it' | 'to be left';
  readonly verdict: string;
}

export interface Explanation {
  readonly address: string;
  readonly state: AddressState;
  /** `NoAvailableNode (1 not ready)`. */
  readonly words: string;
  /** Half a sentence. */
  readonly because: string;
  /** By name; empty where no node is to blame: an invalid address or selector. */
  readonly nodes: readonly NodeView[];
  readonly help: readonly Help[];
  /** What the assigner has yet to say of this address: a node, '' for none; else undefined. */
  readonly soon: string | undefined;
}

/** `address` is one of `addressesOf(claim)`; `claim` is of `picture.world`. */
export function explain(picture: Picture, claim: Claim, address: string): Explanation {
  const { world } = picture;
  const state = stateOf(claim, address);
  const soon = soonOf(picture, claim, address, state);
  const parsed = claim.use?.selector.problem === undefined ? claim.wants.get(address) : undefined;
  const stuck = state.kind !== 'placed' && soon === undefined;
  return {
    address,
    state,
    words: stateWords(world, claim, state),
    because: explainState(world, claim, state),
    nodes: parsed === undefined ? [] : nodesOf(world, claim, parsed),
    help: parsed !== undefined && stuck ? wouldHelp(picture, claim, address) : [],
    soon,
  };
}

/** Where the shipped rules would have it, if that is not what was decided (yet). */
function soonOf(
  picture: Picture,
  { name }: Claim,
  address: string,
  state: AddressState,
): string | undefined {
  const then = picture.settled.world.claims.get(name)?.homes.get(address)?.node ?? '';
  return then === (state.kind === 'placed' ? state.placement.node : '') ? undefined : then;
}

function nodesOf(world: World, claim: Claim, address: Address): readonly NodeView[] {
  const hosts = [...world.hosts.values()].filter((host) => host.exists || isHome(claim, host.name));
  const views = hosts.map((host) => viewOf(claim, address, host));
  return views.sort((a, b) => compareNames(a.node, b.node));
}

/** `worker-2` before `worker-10`. */
const collator = new Intl.Collator('en', { numeric: true });
export const compareNames = (a: string, b: string): number => collator.compare(a, b);

const isHome = (claim: Claim, node: string): boolean =>
  [...claim.homes.values()].some((home) => home.node === node);

function viewOf(claim: Claim, address: Address, host: Host): NodeView {
  const hosts = claim.homes.get(address.text)?.node === host.name;
  const sibling = siblingOn(claim, address.text, host.name);
  const refusing = verdictOf(claim, address, host);
  const rule = ruleOf(refusing, hosts, sibling !== '', host.draining);
  return {
    node: host.name,
    matches: claim.use?.selector.matches(host.labels) === true,
    ready: host.ready,
    reachable: host.reachable,
    network: host.networkOf(address)?.text ?? '',
    sibling,
    drained: host.drained,
    hosts,
    rule,
    verdict: wordsOf(rule, refusing, sibling, host, claim, address.text),
  };
}

function siblingOn(claim: Claim, address: string, node: string): string {
  for (const [other, home] of claim.homes)
    if (other !== address && home.node === node) return other;
  return '';
}

/** A drained node is taken only where no other can be, and left as soon as one can. */
function ruleOf(
  verdict: Verdict,
  hosts: boolean,
  sibling: boolean,
  drained: boolean,
): NodeView['rule'] {
  const good = mayStay(verdict);
  if (hosts) return good && !drained ? 'hosts it' : 'to be left';
  if (good && sibling) return 'hosts a sibling';
  return good && drained ? 'drained' : verdict;
}

function wordsOf(
  rule: NodeView['rule'],
  verdict: Verdict,
  sibling: string,
  host: Host,
  claim: Claim,
  address: string,
): string {
  const said = sayVerdict(verdict, host, claim, address);
  const words =
    mayStay(verdict) && host.draining
      ? `drained: ${sayDrained(host.drained)}`
      : said.slice(host.name.length + 1).replace(/^is /, '');
  if (rule === 'to be left') return `hosts it, but ${words}`;
  if (rule === 'hosts a sibling') return `hosts ${sibling} of the same EgressIP`;
  if (rule === 'hosts it') return 'hosts it';
  return rule === 'may host' ? 'may host it' : words;
}
