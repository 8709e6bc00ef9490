/** `Network.operator.openshift.io/cluster`: FRR and route advertisements are switched on there. */
import { canonicalJson } from '../../core/canonical.ts';
import { listOf, parseJson, property } from '../../core/json.ts';
import { isContained } from './comparison.ts';
import { bad, good, type Judged, underWay } from './condition.ts';
import { crdOf } from './kinds.ts';
import { decidedOn } from './ownership.ts';
import { configOwner, present, untouched, type Want } from './want.ts';
import type { World } from './world.ts';

const TYPE = 'NetworkOperatorPatched';
const NAME = 'cluster';
const owner = configOwner(TYPE);

/** Both fields in one patch: the operator's own rule refuses the one without the other. */
function patchOf(seen: string): string {
  const spec = parseJson(seen);
  const capabilities = property(spec, 'additionalRoutingCapabilities');
  const providers = listOf(property(capabilities, 'providers')).map(String);
  return canonicalJson({
    additionalRoutingCapabilities: { providers: [...new Set([...providers, 'FRR'])] },
    defaultNetwork: { ovnKubernetesConfig: { routeAdvertisements: 'Enabled' } },
  });
}

export function planNetwork(world: World): Want | undefined {
  const seen = world.object('Network', NAME);
  if (seen === undefined) return undefined;
  const { uid, spec } = seen;
  const because = 'FRR and route advertisements are needed';
  return present(
    { object: 'Network', name: NAME, uid, ...owner, because },
    {
      labels: {},
      spec: patchOf(spec),
    },
  );
}

export function judgeNetwork(world: World): Judged {
  const seen = world.object('Network', NAME);
  if (seen === undefined)
    return world.isServed('networks')
      ? bad(TYPE, 'NotFound', `there is no Network.operator.openshift.io named ${NAME}`)
      : underWay(TYPE, 'NotServed', `${crdOf.Network} is not served by this cluster (yet)`);
  if (!isContained(parseJson(patchOf(seen.spec)), parseJson(seen.spec)))
    return underWay(TYPE, 'Patching', 'FRR and route advertisements are being switched on');
  return good(TYPE, 'Patched', 'FRR and route advertisements are switched on');
}

/** The patch is left in place, and nobody watches over it any more. */
export function letGoOfNetwork(world: World): Want | undefined {
  const before = decidedOn(world, 'Network', NAME);
  if (before?.want !== 'present') return undefined;
  const because = 'the CUDNBgpConfig is gone; what was switched on stays, others may use it';
  return untouched({ object: 'Network', name: NAME, uid: before.uid, ...owner, because });
}
