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
