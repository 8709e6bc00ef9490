/** What came of an attempt to create, move or delete a CloudPrivateIPConfig. */
import type { Notice } from '../../core/decision.ts';
import type { Claim, Step } from './claims.ts';
import type { ClaimAct, Done } from './input.ts';
import { claimed } from './sayings.ts';
import { expectShown } from './shown.ts';
import { notify } from './tell.ts';
import type { World } from './world.ts';

/** A claim that we created and nobody has seen after this time is looked for anew. */
const UNSEEN_MS = 10_000;

export function attempted(world: World, act: ClaimAct, done: Done): void {
  const claim = world.claims.of(act.address);
  const step = claim.acting;
  claim.acting = undefined;
  world.claiming--;
  world.stir(claim);
  if (step === undefined) return;
  world.tally.wrote(done.result, done.tookMs);
  if (done.result === 'done') return succeeded(world, claim, step, done);
  const before = claim.failed++;
  // A conflict or a late fact is no trouble: what is news will be heard.
  if (before > 0 || done.result === 'stale' || done.result === 'gone') return;
  world.says.push(claimed(claim, step, done.message));
  const thing = world.egressIPs.get(step.owner);
  if (thing !== undefined) notify(world, thing, noticeOf(claim, step, done.message), done.atMs);
}

/** What we wrote counts until a fact says more; looks keep late facts from doing harm. */
function succeeded(world: World, claim: Claim, step: Step, done: Done): void {
  claim.failed = 0;
  const { seen } = claim;
  if (step.verb === 'delete') claim.doomed = step.uid;
  else if (seen?.uid === step.uid && step.verb === 'move')
    world.claims.see(claim, { ...seen, node: step.node, owner: step.owner });
  else if (step.verb === 'create' && seen === undefined) {
    claim.expectedMs = done.atMs + UNSEEN_MS;
    world.expected.add(claim);
  }
  expectShown(world, claim, done.atMs);
  world.says.push(claimed(claim, step, ''));
  const thing = claim.asker;
  if (!step.retry || thing === undefined || seen === undefined) return;
  const { statusNode, message } = seen;
  const note =
    `egress IP: ${claim.address} previously failed on deleted node ${statusNode} ` +
    `(reason: ${message}), will retry assignment`;
  notify(world, thing, { reason: 'CloudAssignmentRetry', type: 'Warning', note }, done.atMs);
}

const failures = {
  create: { reason: 'CloudAssignmentFailed', verb: 'created' },
  move: { reason: 'CloudUpdateFailed', verb: 'updated' },
  delete: { reason: 'CloudDeletionFailed', verb: 'deleted' },
} as const;

/** Upstream's words (`spec/egressip.md` 8.1). */
function noticeOf({ address }: Claim, { verb, owner }: Step, error: string): Notice {
  const { reason, verb: done } = failures[verb];
  const what = `egress IP: ${address} for object EgressIP: ${owner}`;
  const note = `${what} could not be ${done}, err: ${error}`;
  return { reason, type: 'Warning', note };
}
