/** Joins aws-sync to the cloud and to the clock: one act is one call, or one listing. */
import type { Answer, CloudProvider } from '../../core/cloud-door.ts';
import type { Clock } from '../../core/door.ts';
import type { Act, Input, Look, Seen } from './input.ts';

/** Never throws: what fails is in the answer. */
export function awsPerform(
  cloud: CloudProvider,
  clock: Clock,
): (act: Act, signal: AbortSignal) => Promise<Input> {
  return async (act, signal) => {
    switch (act.kind) {
      case 'Wake':
        await clock.sleep(Math.max(0, act.atMs - clock.nowMs()), signal);
        return { kind: 'Now', nowMs: clock.nowMs() };
      case 'Look': {
        const startedMs = clock.nowMs();
        const answer = await look(cloud, act, signal);
        return { kind: 'Looked', look: act, startedMs, nowMs: clock.nowMs(), answer };
      }
      case 'ApplyPeer': {
        const answer = await cloud.apply(act.change.region, act.call, signal);
        return { kind: 'Applied', act, nowMs: clock.nowMs(), answer };
      }
      case 'ApplyInterface': {
        const { region, interface: id, sourceDestCheck } = act.change;
        const call = { kind: 'check' as const, interface: id, sourceDestCheck };
        const answer = await cloud.apply(region, call, signal);
        return { kind: 'Applied', act, nowMs: clock.nowMs(), answer };
      }
    }
  };
}

async function look(cloud: CloudProvider, act: Look, signal: AbortSignal): Promise<Answer<Seen>> {
  const { region, what, instances } = act;
  const known = act.identify ? await cloud.identify(region, signal) : undefined;
  if (known !== undefined && 'failure' in known) return known;
  const answer = await see(cloud, region, what, instances, signal);
  if (known === undefined) return answer;
  const heldUpMs = known.heldUpMs + answer.heldUpMs;
  return { ...answer, calls: [...known.calls, ...answer.calls], heldUpMs };
}

async function see(
  cloud: CloudProvider,
  region: string,
  what: Look['what'],
  instances: readonly string[],
  signal: AbortSignal,
): Promise<Answer<Seen>> {
  if (what === 'all') {
    const answer = await cloud.discover(region, instances, signal);
    if ('failure' in answer) return answer;
    return { ...answer, value: { what, picture: answer.value } };
  }
  const answer = await cloud.list(region, signal);
  return 'failure' in answer ? answer : { ...answer, value: { what, peers: answer.value } };
}
