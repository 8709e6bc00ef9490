/** How a CUDNBgpConfig ends, and what is told of it meanwhile (W-73, W-74). */
import type { BgpConfig } from '../../core/bgp-fact.ts';
import { judgedOf } from './aws-phase.ts';
import { bad, good, type Judged, notYet, underWay } from './condition.ts';
import type { ConfigState } from './config.ts';
import { type Blocked, blockedBy } from './farewell.ts';
import { removeFrr } from './frr-plan.ts';
import type { World } from './world.ts';

/** Repairs go on while routings are left; then what is ours goes. */
export function ending(world: World, config: BgpConfig, state: ConfigState): ConfigState {
  const blocked = blockedBy(world, config, judgedOf(world, config));
  const conditions = rest(blocked, state);
  const told = blocked && { ...bad('DeletionBlocked', blocked.reason, blocked.message) };
  const condition = told && { ...told.condition, status: 'True' as const };
  return {
    ...state,
    judged: condition === undefined ? conditions : [...conditions, { condition, phase: 'Ready' }],
    phase: blocked?.reason === 'RoutingCRsExist' ? state.phase : 'Configuring',
    finalizer: blocked !== undefined,
    wants: blocked?.reason === 'RoutingCRsExist' ? state.wants : removeFrr(world),
  };
}

/** What was switched on stays so; what was not is not asked for any more. */
const notAsked = notYet(
  'NetworkOperatorPatched',
  'Deleting',
  'nothing is switched on any more for a CUDNBgpConfig that is deleted',
);

/** What is being removed is neither applied nor established. */
function rest(blocked: Blocked | undefined, { judged }: ConfigState): readonly Judged[] {
  if (blocked?.reason === 'RoutingCRsExist') return judged;
  const message = 'the FRRConfigurations are removed with the CUDNBgpConfig';
  const [network, ...others] = judged.slice(0, 2);
  const asked = network?.condition.status === 'True' ? network : notAsked;
  return [
    asked,
    ...others,
    underWay('FRRConfigurationApplied', 'Deleting', message),
    good('SessionsEstablished', 'Deleting', 'no session is wanted any more'),
  ];
}
