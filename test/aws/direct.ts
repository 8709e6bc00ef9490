/** Calls without HTTP: what a simulator with a virtual clock makes of the emulator. */
import { AwsWorld } from './control.ts';
import { HandClock } from './hand-clock.ts';
import type { Manners } from './manners.ts';
import { type Answer, step } from './step.ts';
import type { Key } from './state.ts';
import { newWorld } from './world.ts';

export interface Direct {
  readonly world: AwsWorld;
  readonly clock: HandClock;
  /** One EC2 call in us-east-1, or where `given` says. */
  call(
    action: string,
    params?: Readonly<Record<string, string | number>>,
    given?: { readonly region?: string; readonly key?: Key },
  ): Answer;
}

export function openDirect(manners: Partial<Manners> = {}, seed = 1): Direct {
  const clock = new HandClock(Date.UTC(2026, 0, 5, 10));
  const world = new AwsWorld(newWorld(seed, manners), () => clock.nowMs());
  const own = world.key();
  const call: Direct['call'] = (action, params = {}, { region = 'us-east-1', key = own } = {}) => {
    const given = Object.entries(params).map(([name, value]) => [name, String(value)] as const);
    const all = new Map([['Action', action], ['Version', '2016-11-15'], ...given]);
    const { id: keyId, sessionToken } = key;
    const rest = { keyId, sessionToken, userAgent: '', attempt: 1 };
    return step(world.state, { service: 'ec2', region, params: all, ...rest }, clock.nowMs());
  };
  return { world, clock, call };
}
