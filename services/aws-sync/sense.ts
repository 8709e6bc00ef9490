/** What came of looks and changes. */
import type { Came, PeerChange } from '../../core/aws-decision.ts';
import type { CloudPeer, Failure } from '../../core/cloud-door.ts';
import type { Input } from './input.ts';
import { placeOf, type World } from './world.ts';
import { changedPeer, changedInterface } from './words.ts';

export function sense(world: World, input: Input): void {
  world.reach(input.nowMs);
  world.dirty = true;
  world.clocked = true;
  switch (input.kind) {
    case 'Now':
      // An older wake that comes late must not make a second row of them.
      if (world.wakeMs <= input.nowMs) world.wakeMs = Infinity;
      return undefined;
    case 'Looked':
      return looked(world, input);
    case 'Applied':
      return applied(world, input);
  }
}

function looked(world: World, input: Extract<Input, { kind: 'Looked' }>): void {
  const { look, answer, startedMs, nowMs } = input;
  const region = world.region(look.region);
  world.tally.count(answer);
  region.looking = false;
  region.lookedMs = nowMs;
  if (region.firstMs === 0) region.firstMs = startedMs;
  if ('failure' in answer) {
    region.failure = answer.failure;
    region.failures++;
    if (credentials.has(answer.failure.trouble)) region.identified = false;
    return;
  }
  region.failure = undefined;
  region.failures = 0;
  region.identified = true;
  if (answer.value.what === 'all') region.learn(answer.value.picture, look.instances, startedMs);
  else region.list(answer.value.peers, startedMs);
}

const credentials: ReadonlySet<string> = new Set(['identity', 'environment']);

/** After these nobody knows whether it happened: the next listing tells. */
const uncertain: ReadonlySet<string> = new Set(['network', 'server']);

function applied(world: World, input: Extract<Input, { kind: 'Applied' }>): void {
  const { act, answer } = input;
  world.tally.count(answer);
  const failure = 'failure' in answer ? answer.failure : undefined;
  const came = cameOf(failure, act.kind === 'ApplyPeer' ? act.change.change : 'check');
  if (failure !== undefined && credentials.has(failure.trouble))
    world.region(act.change.region).lookedMs = 0;
  if (act.kind === 'ApplyInterface') {
    world.inFlight.delete(act.change.node);
    const event = { kind: 'InterfaceChanged' as const, ...act.change, ...came };
    return world.say(event, changedInterface(event));
  }
  world.inFlight.delete(placeOf(act.change));
  const peer = 'value' in answer ? answer.value : null;
  const gone = peer?.state === 'deleted' && act.change.change === 'delete';
  const result = gone ? { ...came, result: 'gone' as const } : came;
  const event = { kind: 'PeerChanged' as const, ...after(act.change, peer), ...result };
  world.say(event, changedPeer(event));
}

/** A created peer has an id now, and is ours whatever its tags say yet. */
function after(change: PeerChange, peer: CloudPeer | null): PeerChange {
  if (peer === null || peer.id === '') return change;
  return { ...change, id: peer.id, made: change.made || change.change === 'create' };
}

function cameOf(failure: Failure | undefined, change: PeerChange['change'] | 'check'): Came {
  if (failure === undefined) return { result: 'done', trouble: '', code: '', message: '' };
  const { trouble, code } = failure;
  const message = trouble === 'permission' ? `${failure.action} is not allowed` : failure.message;
  const result = resultOf(trouble, change);
  return { result, trouble, code, message };
}

function resultOf(
  trouble: Failure['trouble'],
  change: PeerChange['change'] | 'check',
): Came['result'] {
  if (uncertain.has(trouble)) return 'unknown';
  return trouble === 'gone' && change !== 'create' ? 'gone' : 'refused';
}
