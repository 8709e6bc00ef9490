/** The way from a process to AWS: it takes time, and whatever befalls calls befalls these too. */
import type { Fault } from '../../aws/fault.ts';
import type { Faults } from '../faults.ts';
import type { Process } from '../process.ts';
import type { Simulation } from '../simulation.ts';
import type { Wire } from './ec2.ts';
import type { Field } from './field.ts';

export function wireOf(world: Simulation, field: Field, process: Process): Wire {
  const { network, faults, scheduler } = world;
  return {
    world: field.aws.state,
    key: () => field.key,
    nowMs: () => scheduler.nowMs,
    go: async (what) => {
      await network.go(process, what);
      const fault = faultOf(faults, what);
      if (fault !== undefined) field.aws.state.faults.unshift(fault);
    },
    back: (what, extraMs = 0) => network.back(process, what, extraMs),
    onAnswer: (answer) => world.answered(process, answer),
  };
}

const isRead = (action: string): boolean => /^(Describe|Get)/.test(action);

function faultOf(faults: Faults, action: string): Fault | undefined {
  if (faults.befalls('AWS call throttled')) return { action: '*', kind: 'throttle' };
  if (faults.befalls('AWS call fails (500)')) return { action: '*', kind: 'unavailable' };
  if (faults.befalls('AWS call hangs')) return { action: '*', kind: 'hang' };
  if (faults.befalls('AWS call slow')) return { action: '*', kind: 'slow', ms: 8_000 };
  if (!isRead(action) && faults.befalls('AWS reply lost after the change'))
    return { action: '*', kind: 'lost-reply' };
  return undefined;
}
