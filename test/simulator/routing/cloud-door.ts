/** AWS as one process reaches it: the shipped desk, limiter and listings over a played client. */
import type { CloudProvider } from '../../../core/cloud-door.ts';
import type { Clock } from '../../../core/door.ts';
import { applyChange } from '../../../edge/ec2/apply.ts';
import { Desk } from '../../../edge/ec2/desk.ts';
import { discover, listPeers } from '../../../edge/ec2/discover.ts';
import { Limiter } from '../../../edge/ec2/limiter.ts';
import { call, ec2Of, type Wire } from './ec2.ts';

export function cloudOf(wire: Wire, clock: Clock, random: () => number): CloudProvider {
  const limiters = new Map<string, Limiter>();
  const zones = new Map<string, { readonly zone: string; readonly cidr: string }>();
  const deskOf = (region: string, signal: AbortSignal): Desk => {
    const limiter = limiters.get(region) ?? new Limiter(clock, random);
    limiters.set(region, limiter);
    return new Desk(limiter, true, signal);
  };
  return {
    identify: (region, signal) => {
      const desk = deskOf(region, signal);
      const ask = (): Promise<unknown> => call(wire, 'sts', 'GetCallerIdentity', {}, region);
      return desk.answer(async () => {
        await desk.count('GetCallerIdentity', ask);
        return null;
      });
    },
    discover: (region, instances, signal) => {
      const desk = deskOf(region, signal);
      return desk.answer(() => discover(desk, ec2Of(wire, region), zones, instances));
    },
    list: (region, signal) => {
      const desk = deskOf(region, signal);
      return desk.answer(() => listPeers(desk, ec2Of(wire, region)));
    },
    apply: (region, change, signal) => {
      const desk = deskOf(region, signal);
      return desk.answer(() => applyChange(desk, ec2Of(wire, region), change));
    },
  };
}
