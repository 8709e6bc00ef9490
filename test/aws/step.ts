/** One call: (world, call, now) to answer. No clock, no socket: a simulator can drive it too. */
import type { Ask } from './ask.ts';
import { type Fault, faultFor } from './fault.ts';
import { text } from './params.ts';
import { type Call, type Done, perform } from './perform.ts';
import { settle } from './settle.ts';
import type { Key, World } from './state.ts';
import { accountOf, regionOf } from './world.ts';
import type { XmlObject } from './xml.ts';

export interface Answer {
  readonly service: 'ec2' | 'sts';
  readonly action: string;
  readonly requestId: string;
  /** HTTP status of the reply. */
  readonly status: number;
  /** '' for success. */
  readonly code: string;
  readonly message: string;
  readonly body: XmlObject;
  /** `cut`: the connection is closed without a word; `hang`: it stays open without one. */
  readonly delivery: 'reply' | 'cut' | 'hang';
  readonly afterMs: number;
}

/** Changes the world by one call and tells what the client hears of it. Deterministic. */
export function step(world: World, call: Call, nowMs: number): Answer {
  settle(world, nowMs);
  world.begun = true;
  const name = text(call.params, 'Action');
  const key = world.keys.get(call.keyId);
  const fault = faultFor(world.faults, {
    account: key?.account ?? '',
    region: call.region,
    action: name,
    params: call.params,
  });
  const ask = askOf(world, call, name, key, nowMs);
  const done = perform(ask, call, fault);
  const answer = answerOf(world, call, name, fault, done);
  world.log.push({
    atMs: nowMs,
    account: key?.account ?? '',
    region: call.region,
    keyId: call.keyId,
    action: name,
    params: Object.fromEntries(
      [...call.params].filter(([param]) => param !== 'Action' && param !== 'Version'),
    ),
    code: answer.code,
    status: answer.delivery === 'reply' ? answer.status : 0,
    applied: done.applied,
    userAgent: call.userAgent,
    attempt: call.attempt,
  });
  return answer;
}

function askOf(world: World, call: Call, action: string, key: Key | undefined, nowMs: number): Ask {
  const { lagsOf, lagsMs } = world.manners;
  const lags = lagsOf[call.keyId] ?? lagsMs;
  const lagMs = lags.length === 1 ? (lags[0] ?? 0) : world.random.one(lags);
  return {
    world,
    account: accountOf(world, key?.account ?? ''),
    region: regionOf(world, key?.account ?? '', call.region),
    key,
    action,
    params: call.params,
    nowMs,
    asOfMs: nowMs - lagMs,
  };
}

function answerOf(
  world: World,
  { service }: Call,
  action: string,
  fault: Fault | undefined,
  { body, refusal }: Done,
): Answer {
  const requestId = requestIdOf(world);
  const afterMs = fault?.kind === 'slow' ? (fault.ms ?? 1_000) : 0;
  const status = refusal?.status ?? 200;
  const code = refusal?.code ?? '';
  const message = refusal?.message ?? '';
  const answer = { service, action, requestId, status, code, message, body, afterMs };
  switch (fault?.kind) {
    case 'cut':
    case 'lost-reply':
      return { ...answer, delivery: 'cut' };
    case 'hang':
    case 'hang-after-apply':
      return { ...answer, delivery: 'hang' };
    case 'fail-after-apply': {
      const internal = { status: 500, code: 'InternalError', message: 'An internal error' };
      return { ...answer, ...(refusal === undefined ? internal : {}), delivery: 'reply' };
    }
    default:
      return { ...answer, delivery: 'reply' };
  }
}

function requestIdOf(world: World): string {
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(world.random.next() * 16).toString(16)).join('');
  return [8, 4, 4, 4, 12].map(digits).join('-');
}
