/** The webhook of frr-k8s in the simulation: the same rules, asked at once. */
import type { KubeAnswer } from '../../../core/door.ts';
import { NODES } from '../../../edge/simulated/admission.ts';
import { failure } from '../../../edge/simulated/answer.ts';
import { FRR_CONFIGURATIONS, NETWORKS } from '../../../edge/simulated/kinds.ts';
import type { Review } from '../../../edge/simulated/serve.ts';
import { isDeepStrictEqual } from 'node:util';
import { property } from '../../../core/json.ts';
import type { FrrConfiguration, Labels } from '../../frrk8s/objects.ts';
import { judge } from '../../frrk8s/rules.ts';
import type { ApiServer } from '../api-server.ts';

const HOOK = 'frrconfigurationsvalidationwebhook.metallb.io';

/** `isDown`: nobody answers, and the API server refuses for that reason. */
export const reviewOf =
  (server: ApiServer, isDown: () => boolean, onDenied: (why: string) => void): Review =>
  (collection, object, before) => {
    if (collection === NETWORKS && before !== undefined) return fixed(object, before);
    if (collection !== FRR_CONFIGURATIONS) return undefined;
    if (isDown()) return failure(500, `failed calling webhook "${HOOK}": connection refused`);
    const nodes = server.list(NODES).map(({ metadata }) => {
      return [metadata.name, (metadata as { labels?: Labels }).labels ?? {}] as const;
    });
    const { refusal } = judge(
      object as unknown as FrrConfiguration,
      server.list(FRR_CONFIGURATIONS) as unknown as readonly FrrConfiguration[],
      Object.fromEntries(nodes),
    );
    if (refusal === undefined) return undefined;
    onDenied(refusal);
    return failure(403, `admission webhook "${HOOK}" denied the request: ${refusal}`, 'Forbidden');
  };

/** OVN-Kubernetes takes no edit of a network. */
function fixed(object: object, before: object): KubeAnswer | undefined {
  const networkOf = (one: object): unknown => property(property(one, 'spec'), 'network');
  if (isDeepStrictEqual(networkOf(object), networkOf(before))) return undefined;
  return failure(422, 'spec.network: Invalid value: "object": Network spec is immutable');
}
