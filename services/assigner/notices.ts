/** The Kubernetes Events of a decision: one per transition, from the closed list. */
import type { Notice, NoticeReason, Refusal } from '../../core/decision.ts';
import { because } from '../../core/say.ts';
import { type Claim, type Decided, nodesOf } from './claim.ts';
import { policyNotices } from './policy-news.ts';

/** Refusals that say something about nodes rather than about the address or the text. */
const aboutNodes = new Set<Refusal['reason']>([
  'NoAvailableNode',
  'NoNetwork',
  'NodesFull',
  'SiblingsEverywhere',
]);

/** What is new in `next` against the last decision on the claim; nothing for what was adopted. */
export function noticesOf(claim: Claim, next: Decided, pool: string): readonly Notice[] {
  if (next.refusals.length === 0 && !next.problems?.length) return placementNotices(claim, next);
  return [
    ...placementNotices(claim, next),
    ...addressNotices(claim, next),
    ...objectNotices(claim, next, pool),
    ...policyNotices(claim.decided, next),
  ];
}

const normal = (reason: NoticeReason, note: string): Notice => ({ reason, type: 'Normal', note });
const warning = (reason: NoticeReason, note: string): Notice => ({ reason, type: 'Warning', note });

function placementNotices(claim: Claim, next: Decided): readonly Notice[] {
  const before = nodesOf(claim.decided);
  const notices: Notice[] = [];
  for (const { address, node } of next.placements) {
    const loss = claim.losses.get(address);
    if (loss !== undefined && loss.from !== node)
      notices.push(
        normal('Moved', `${address} moved from ${loss.from} to ${node}: ${loss.because}`),
      );
    else if (claim.adopted?.get(address) !== node && before.get(address) !== node)
      notices.push(normal('Assigned', `${address} is on ${node}`));
  }
  for (const [address, { from, because: why }] of claim.losses)
    if (!claim.homes.has(address))
      notices.push(normal('Released', `${address} left ${from}: ${why}`));
  return notices;
}

/** What concerns one address: told when its refusal is new or reads differently. */
function addressNotices(claim: Claim, next: Decided): readonly Notice[] {
  const before = claim.decided?.refusals ?? [];
  const isNew = (refusal: Refusal): boolean =>
    !before.some(
      (old) =>
        old.address === refusal.address &&
        old.reason === refusal.reason &&
        old.node === refusal.node &&
        old.egressIP === refusal.egressIP,
    );
  return next.refusals.filter(isNew).flatMap((refusal) => addressNotice(claim, refusal));
}

function addressNotice(claim: Claim, { address, reason, node, egressIP }: Refusal): Notice[] {
  switch (reason) {
    case 'Doubled':
      return [
        warning(
          'UnsupportedRequest',
          `IP: "${address}" for EgressIP: ${claim.name} stands more than once in its spec ` +
            'and is served once',
        ),
      ];
    case 'InvalidAddress':
      return [
        warning(
          'InvalidEgressIP',
          `egress IP: ${address} for object EgressIP: ${claim.name} is not a valid IP address`,
        ),
      ];
    case 'HeldByOther':
      return [
        warning(
          'UnsupportedRequest',
          `IP: "${address}" for EgressIP: ${claim.name} is already allocated ` +
            `for EgressIP: ${egressIP} on ${node}`,
        ),
      ];
    case 'HostConflict':
      return [
        warning(
          'EgressIPConflict',
          `Egress IP ${claim.name} with IP ${address} is conflicting with a host (${node}) ` +
            'IP address and will not be assigned',
        ),
      ];
    default:
      return [];
  }
}

/**
 * What concerns the object as a whole: told when its refused addresses, or their reasons, change.
 */
function objectNotices(claim: Claim, next: Decided, pool: string): readonly Notice[] {
  const refused = next.refusals.filter(({ reason }) => reason !== 'Doubled');
  if (refused.length === 0 || shapeOf(next) === shapeOf(claim.decided)) return [];
  const first = refused.find(({ reason }) => aboutNodes.has(reason) || reason === 'NoMatchingNode');
  const selector = claim.use?.selector.text ?? '';
  if (refused.some(({ reason }) => reason === 'InvalidSelector'))
    return [warning('InvalidSelector', `the egressNodeSelector cannot be read: ${pool}`)];
  if (next.placements.length > 0) {
    const why = refused.map((one) => `${one.address}: ${because(one, selector, pool)}`);
    return [
      warning(
        'UnassignedRequest',
        `Not all egress IPs for EgressIP: ${claim.name} could be assigned: ${why.join('; ')}`,
      ),
    ];
  }
  return first === undefined
    ? []
    : nothingPlaced(claim, refused, first, because(first, selector, pool));
}

/**
 * NoMatchingNodeFound keeps its name and upstream's text where nodes match but none can host
 * (`spec/egressip.md` 8.1); NoAvailableNode beside it tells the two cases apart (OKEP-6800).
 */
function nothingPlaced(
  claim: Claim,
  refused: readonly Refusal[],
  first: Refusal,
  why: string,
): readonly Notice[] {
  if (first.reason === 'NoMatchingNode')
    return [warning('NoMatchingNodeFound', `no node can host EgressIP: ${claim.name}: ${why}`)];
  const addresses = refused.map(({ address }) => address).join(' ');
  return [
    warning('NoAvailableNode', `no address of EgressIP: ${claim.name} has a node: ${why}`),
    warning(
      'NoMatchingNodeFound',
      `No matching nodes found, which can host any of the egress IPs: [${addresses}] ` +
        `for object EgressIP: ${claim.name}`,
    ),
  ];
}

function shapeOf(decision: Decided | undefined): string {
  const refused = decision?.refusals.map(({ address, reason }) => `${address} ${reason}`) ?? [];
  const some = (decision?.placements.length ?? 0) > 0;
  return `${some} ${refused.filter((text) => !text.endsWith(' Doubled')).join(',')}`;
}
