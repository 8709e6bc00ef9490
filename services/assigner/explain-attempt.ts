/** The single changes that might place a homeless address, as the facts that they would bring. */
import { parseAddress, parseCidr } from '../../core/address.ts';
import { HOST_CIDRS } from '../../core/annotation.ts';
import type { Heard } from '../../core/event.ts';
import type { Node } from '../../core/fact.ts';
import { listOf, parseJson } from '../../core/json.ts';
import type { Claim } from './claim.ts';
import { type LabelChange, labelsToMatch } from './explain-labels.ts';
import { type Picture, supposed } from './explain-picture.ts';
import type { Host } from './host.ts';
import { conflictOf, verdictOf } from './verdict.ts';

/** A change. `kind` groups changes that read alike. */
export interface Help {
  readonly kind: 'ready' | 'answers' | 'labels' | 'conflict' | 'release';
  /** The node to be changed; for `release`, the EgressIP. */
  readonly name: string;
  /** `becomes ready`: what follows the name. */
  readonly change: string;
}

/** A change to be tried: the facts that it would bring. */
export interface Attempt extends Help {
  readonly facts: readonly Heard[];
  /** Other nodes matter too: the address may go anywhere once it is free. */
  readonly wide: boolean;
}

/** The end of a conflict or of another's hold first, then nodes by kind of change, then by name. */
export function attemptsFor(picture: Picture, claim: Claim, address: string): readonly Attempt[] {
  const hosts = [...picture.world.hosts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  if ((claim.use?.awaited ?? 0) > 0) return firstProbes(picture, claim, address, hosts);
  const onNodes = hosts.flatMap((host) => nodeAttempt(picture, claim, address, host));
  const order = ['ready', 'answers', 'labels'];
  onNodes.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  return [
    ...conflictAttempt(picture, claim, address),
    ...release(picture, claim, address),
    ...onNodes,
  ];
}

/** While first probes are under way, they decide; then it may go to any node. */
function firstProbes(
  picture: Picture,
  claim: Claim,
  address: string,
  hosts: readonly Host[],
): readonly Attempt[] {
  const awaited = hosts.filter((host) => host.awaited);
  const attempts = awaited.flatMap((host) => nodeAttempt(picture, claim, address, host));
  return attempts
    .filter(({ kind }) => kind === 'answers')
    .map((attempt) => ({ ...attempt, wide: true }));
}

/** The change that ends the node's first objection. */
function nodeAttempt(picture: Picture, claim: Claim, text: string, host: Host): readonly Attempt[] {
  const address = claim.wants.get(text);
  const node = nodeOf(picture, host.name);
  if (address === undefined || node === undefined) return [];
  if (host.networkOf(address) === undefined) return [];
  const and = host.reachable === true ? '' : ' and answers its probe';
  const attempt = (kind: Help['kind'], change: string, next: Node): Attempt[] => {
    const facts = [supposed({ kind: 'NodeSeen', node: next }), answer(next)];
    return [{ kind, name: host.name, change, facts, wide: false }];
  };
  switch (verdictOf(claim, address, host)) {
    case 'not ready':
      return attempt('ready', `becomes ready${and}`, { ...node, ready: true });
    case 'unreachable':
    case 'not probed yet':
      return attempt('answers', 'answers its probe', node);
    case 'does not match': {
      const change: LabelChange | undefined = labelsToMatch(claim.seen?.nodeSelector, node.labels);
      if (change === undefined || !host.sound) return [];
      return attempt('labels', `${change.words}${and}`, { ...node, labels: change.labels });
    }
    // What it takes is more than a single change, or not known.
    case 'may host':
    case 'gone':
    case 'excluded':
    case 'not infrastructure-ready':
    case 'no network':
      return [];
  }
}

function nodeOf(picture: Picture, name: string): Node | undefined {
  const event = picture.latest('watcher', 'node', name)?.event;
  return event?.kind === 'NodeSeen' ? event.node : undefined;
}

const answer = ({ name, uid }: Node): Heard =>
  supposed({ kind: 'ReachabilitySeen', name, uid, reachable: true, because: '' });

/** The node would not have the address as its own any more. */
function conflictAttempt(picture: Picture, claim: Claim, address: string): readonly Attempt[] {
  const host = conflictOf(picture.world, claim, address);
  const node = host && nodeOf(picture, host.name);
  if (node === undefined) return [];
  const cidrs = listOf(parseJson(node.annotations[HOST_CIDRS] ?? ''));
  const others = cidrs.filter((cidr) => parseCidr(String(cidr))?.address.text !== address);
  const annotations = { ...node.annotations, [HOST_CIDRS]: JSON.stringify(others) };
  const facts = [supposed({ kind: 'NodeSeen', node: { ...node, annotations } })];
  const change = `has ${address} as a host address no more`;
  return [{ kind: 'conflict', name: node.name, change, facts, wide: true }];
}

/** The EgressIP that holds the address would let it go. */
function release(picture: Picture, claim: Claim, address: string): readonly Attempt[] {
  const owner = picture.world.owners.get(address);
  if (owner === undefined || owner === claim || owner.seen === undefined) return [];
  const addresses = owner.seen.addresses.filter((text) => !isSame(text, address));
  const egressIP = { ...owner.seen, addresses };
  const facts = [supposed({ kind: 'EgressIPSeen', egressIP })];
  return [{ kind: 'release', name: owner.name, change: 'lets it go', facts, wide: true }];
}

const isSame = (text: string, address: string): boolean => parseAddress(text)?.text === address;
