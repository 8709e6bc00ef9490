/** The status of a CUDNBgpConfig or CUDNBgpRouting as it stands in the object. */
import type { SeenStatus } from './bgp-fact.ts';
import { canonicalJson } from './canonical.ts';
import { property, textOf } from './json.ts';
import { conditionsOf, wholeOf } from './metadata.ts';

export const seenStatusOf = (status: unknown): SeenStatus => ({
  phase: textOf(property(status, 'phase')),
  observedGeneration: wholeOf(property(status, 'observedGeneration')),
  conditions: conditionsOf(status),
  aws: canonicalJson(property(status, 'aws')),
});

/**
 * Whether bgp has begun to take away the sessions of a CUDNBgpConfig that is deleted: from then on
 * there is no way back, and routings that come only then hold up nothing (W-73).
 */
export const endsSessions = (
  conditions: readonly { readonly type: string; readonly reason: string }[],
): boolean =>
  conditions.some(
    ({ type, reason }) => type === 'FRRConfigurationApplied' && reason === 'Deleting',
  );
