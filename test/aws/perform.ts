/** The checks that a call must pass, in EC2's order, and then its action between the invariants. */
import { actions } from './actions.ts';
import type { Action, Ask } from './ask.ts';
import { bucketName, limitOf, take } from './bucket.ts';
import { type Fault, refusalOf } from './fault.ts';
import { authenticate, authorize, permissionsOf } from './identity.ts';
import { judgeAfter, judgeBefore } from './invariants.ts';
import type { Outcome } from './listings.ts';
import { type Params, text } from './params.ts';
import { Refusal, throttled } from './refusal.ts';
import type { XmlObject } from './xml.ts';

export interface Call {
  readonly service: 'ec2' | 'sts';
  readonly region: string;
  readonly keyId: string;
  readonly sessionToken: string;
  /** With `Action` and `Version`. */
  readonly params: Params;
  readonly userAgent: string;
  readonly attempt: number;
}

const versions = { ec2: '2016-11-15', sts: '2011-06-15' };

/** What came of a call, whatever the client will hear of it. */
export interface Done {
  readonly body: XmlObject;
  readonly refusal: Refusal | undefined;
  readonly applied: boolean;
}

/** Runs the action between the invariants; nothing but a Refusal is caught. */
export function perform(ask: Ask, call: Call, fault: Fault | undefined): Done {
  const action = actions.get(ask.action);
  const mutates = action?.mutates ?? false;
  const before = judgeBefore(ask, mutates && !asksOnly(ask.params));
  let done: Done;
  try {
    if (fault?.kind === 'cut' || fault?.kind === 'hang')
      throw new Refusal('Unsent', 'The connection ends before the call is heard', 0);
    const body = admitted(ask, call, action, fault).run(ask);
    done = { body, refusal: undefined, applied: mutates };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    done = { body: {}, refusal: error, applied: false };
  }
  judgeAfter(ask, before, outcomeOf(ask, done, mutates, fault));
  return done;
}

const asksOnly = (params: Params): boolean => text(params, 'DryRun') === 'true';

function outcomeOf(ask: Ask, done: Done, mutates: boolean, fault: Fault | undefined): Outcome {
  const lost = ['fail-after-apply', 'lost-reply', 'hang-after-apply'].includes(fault?.kind ?? '');
  return {
    mutates: mutates && !asksOnly(ask.params),
    applied: done.applied,
    told: done.refusal === undefined && !lost,
    more: done.body['nextToken'] !== undefined,
  };
}

/** The action, if the call may run it: the checks in the order in which EC2 makes them. */
function admitted(
  ask: Ask,
  call: Call,
  action: Action | undefined,
  fault: Fault | undefined,
): Action {
  const { world, account, region, params, nowMs } = ask;
  const refusal = refusalOf(fault, call.service);
  if (refusal !== undefined) throw refusal;
  if (action?.service !== call.service || text(params, 'Version') !== versions[call.service])
    throw new Refusal(
      'InvalidAction',
      `The action ${ask.action} is not valid for this web service.`,
    );
  if (ask.action !== 'AssumeRoleWithWebIdentity') {
    const key = authenticate(world, call.service, call.keyId, call.sessionToken, nowMs);
    checkThrottle(ask, call);
    if (region.disabled)
      throw new Refusal('OptInRequired', 'You are not subscribed to this service.');
    const tagged = params.has('TagSpecification.1.ResourceType');
    if (call.service === 'ec2') authorize(account, key, permissionsOf(ask.action, tagged));
  }
  checkNames(action, params);
  if (asksOnly(params))
    throw new Refusal(
      'DryRunOperation',
      'Request would have succeeded, but DryRun flag is set.',
      412,
    );
  return action;
}

function checkThrottle({ world, region, action, params, nowMs }: Ask, { service }: Call): void {
  if (world.manners.buckets === 'none') return;
  const limit = limitOf(action, service, params);
  const name = bucketName(world.manners.buckets === 'category', action, limit);
  if (!take(region.buckets, name, limit, nowMs)) throw throttled();
}

function checkNames({ takes }: Action, params: Params): void {
  for (const name of params.keys()) {
    const first = name.split('.')[0] ?? '';
    if (!takes.includes(first) && first !== 'Action' && first !== 'Version')
      throw new Refusal('UnknownParameter', `The parameter ${first} is not recognized`);
  }
}
