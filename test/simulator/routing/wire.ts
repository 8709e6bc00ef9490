/** The way from a process to AWS: it takes time, and whatever befalls calls befalls these too. */
import { StaleWriter } from '../../../core/door.ts';
import type { Fault } from '../../aws/fault.ts';
import type { Faults } from '../faults.ts';
import { HARM_MS } from '../points.ts';
import type { Process } from '../process.ts';
import type { Simulation } from '../simulation.ts';
import type { Wire } from './ec2.ts';
import type { Field } from './field.ts';

export function wireOf(world: Simulation, field: Field, process: Process): Wire {
  const { network, faults, scheduler } = world;
  // Between its arrival and its answer no other call is served.
  let isLast = false;
  return {
    world: field.aws.state,
    key: () => field.key,
    nowMs: () => scheduler.nowMs,
    go: async (what) => {
      // As `edge/ec2.ts`: asked when credentials and signature are there.
      if (!isRead(what) && !process.mayWrite())
        throw new StaleWriter('the lease ran out before AWS was asked to change something');
      const sentMs = scheduler.nowMs;
      const harm = isRead(what) ? undefined : faults.points.at('call', process.name);
      await network.go(process, what, harm === 'delay' ? HARM_MS : 0);
      isLast = harm === 'crash';
      const fault = harm === 'lose the answer' ? lostReply() : faultOf(faults, what);
      if (fault !== undefined) field.aws.state.faults.unshift(fault);
      return sentMs;
    },
    back: (what, extraMs = 0) => network.back(process, what, extraMs),
    onAnswer: (answer, sentMs) => {
      world.answered(process, answer, sentMs);
      if (isLast) process.crash();
    },
  };
}

const isRead = (action: string): boolean => /^(Describe|Get)/.test(action);

const lostReply = (): Fault => ({ action: '*', kind: 'lost-reply' });

function faultOf(faults: Faults, action: string): Fault | undefined {
  if (faults.befalls('AWS call throttled')) return { action: '*', kind: 'throttle' };
  if (faults.befalls('AWS call fails (500)')) return { action: '*', kind: 'unavailable' };
  if (faults.befalls('AWS call hangs')) return { action: '*', kind: 'hang' };
  if (faults.befalls('AWS call slow')) return { action: '*', kind: 'slow', ms: 8_000 };
  if (!isRead(action) && faults.befalls('AWS reply lost after the change')) return lostReply();
  return undefined;
}
