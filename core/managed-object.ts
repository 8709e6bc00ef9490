/** An object of BGP routing as it is seen: the same projection for who watches and who writes. */
import { ROUTE_ADVERTISEMENTS } from './annotation.ts';
import { canonicalJson } from './canonical.ts';
import type { KubeObject } from './door.ts';
import { isObject, listOf, property } from './json.ts';
import type { ManagedKind, ManagedObject } from './managed.ts';
import { conditionsOf, isDeleting, pick, textsOf, wholeOf } from './metadata.ts';

/** The names of the copies that OVN-Kubernetes makes of FRRConfigurations begin so. */
export const GENERATED = 'ovnk-generated-';

/** What stands for a password of a neighbour: secrets do not belong on the log. */
const HIDDEN = '(hidden)';

export function managedOf(kind: ManagedKind, object: KubeObject): ManagedObject {
  const { metadata } = object;
  return {
    object: kind,
    name: metadata.name,
    uid: metadata.uid,
    generation: wholeOf(property(metadata, 'generation')),
    labels: textsOf(property(metadata, 'labels')),
    annotations: pick(property(metadata, 'annotations'), [ROUTE_ADVERTISEMENTS]),
    finalizers: listOf(property(metadata, 'finalizers')).map(String).toSorted(),
    deleting: isDeleting(metadata),
    spec: specOf(kind, metadata.name, object['spec']),
    conditions: kind === 'Network' ? [] : conditionsOf(object['status']),
  };
}

function specOf(kind: ManagedKind, name: string, spec: unknown): string {
  if (kind === 'Network') return canonicalJson(networkSpec(spec));
  if (kind !== 'FRRConfiguration') return canonicalJson(spec ?? {});
  return name.startsWith(GENERATED) ? '' : canonicalJson(withoutPasswords(spec ?? {}));
}

/** The two fields that Sluice sets (`spec/bgp-operator.md` 3.2 P1), where they are there. */
function networkSpec(spec: unknown): object {
  const providers = property(property(spec, 'additionalRoutingCapabilities'), 'providers');
  const ovn = property(property(spec, 'defaultNetwork'), 'ovnKubernetesConfig');
  const routeAdvertisements = property(ovn, 'routeAdvertisements');
  return {
    ...(providers !== undefined && { additionalRoutingCapabilities: { providers } }),
    ...(routeAdvertisements !== undefined && {
      defaultNetwork: { ovnKubernetesConfig: { routeAdvertisements } },
    }),
  };
}

function withoutPasswords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPasswords);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    key === 'password' && typeof one === 'string' ? HIDDEN : withoutPasswords(one),
  ]);
  return Object.fromEntries(entries);
}
