/** What of the state of a CUDNBgpConfig is aws-sync's to say. */
import type { Phase } from '../../core/bgp-decision.ts';
import type { BgpConfig } from '../../core/bgp-fact.ts';
import type { AwsJudged, World } from './world.ts';

/** What aws-sync said of this very object, maybe of an earlier spec. */
export function judgedOf(world: World, { name, uid }: BgpConfig): AwsJudged | undefined {
  const judged = world.judged.get(name);
  return judged?.uid === uid ? judged : undefined;
}

/**
 * What aws-sync found; it has a say as long as something of the config is in AWS. What it said of
 * an earlier spec says nothing of this one: it is waited for.
 */
export function awsPhase({ aws, generation }: BgpConfig, judged: AwsJudged | undefined): Phase {
  if (aws === undefined && judged?.released !== false) return 'Ready';
  return judged?.generation === generation ? judged.phase : 'Configuring';
}
