/** What OVN-Kubernetes and the webhook of frr-k8s do with objects (`frr-ovn-aws-facts.md` 2, 3). */
import type { ManagedObject, SeenCondition } from '../../core/managed.ts';
import type { Field, FrrSpec } from './field.ts';

const ANNOTATION = 'k8s.ovn.org/route-advertisements';

const condition = (type: string, status: string, reason: string, generation: number) => ({
  ...{ type, status, reason, message: reason, observedGeneration: generation, sinceMs: 1 },
});

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
}

interface RaSpec {
  readonly frrConfigurationSelector: Selector;
  readonly networkSelectors: readonly {
    readonly clusterUserDefinedNetworkSelector: { readonly networkSelector: Selector };
  }[];
}

const selects = ({ matchLabels = {} }: Selector, { labels }: ManagedObject): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value);

function advertisements(field: Field): { ra: ManagedObject; spec: RaSpec } | undefined {
  const ra = field.object('RouteAdvertisements', 'cudn-bgp-route-advertisements');
  return ra === undefined ? undefined : { ra, spec: JSON.parse(ra.spec) as RaSpec };
}

const sourcesOf = (field: Field, { frrConfigurationSelector }: RaSpec): ManagedObject[] =>
  field
    .names('FRRConfiguration')
    .flatMap((name) => field.object('FRRConfiguration', name) ?? [])
    .filter((one) => selects(frrConfigurationSelector, one));

const networksOf = (field: Field, { networkSelectors }: RaSpec): ManagedObject[] =>
  field
    .names('ClusterUserDefinedNetwork')
    .flatMap((name) => field.object('ClusterUserDefinedNetwork', name) ?? [])
    .filter((one) =>
      networkSelectors.some(({ clusterUserDefinedNetworkSelector: { networkSelector } }) =>
        selects(networkSelector, one),
      ),
    );

/** The networks that leave the cluster now. */
export function advertised(field: Field): string[] {
  const found = advertisements(field);
  if (found === undefined || sourcesOf(field, found.spec).length === 0) return [];
  return networksOf(field, found.spec).map(({ name }) => name);
}

/** The conditions that an object has once OVN-Kubernetes has looked at it. */
export function reportOf(field: Field, seen: ManagedObject): readonly SeenCondition[] {
  if (seen.conditions.some(({ reason }) => reason === 'Frozen')) return seen.conditions;
  if (seen.object === 'ClusterUserDefinedNetwork')
    return [condition('NetworkCreated', 'True', 'NetworkAttachmentDefinitionCreated', 0)];
  if (seen.object !== 'RouteAdvertisements') return seen.conditions;
  const { generation, spec } = seen;
  const parsed = JSON.parse(spec) as RaSpec;
  const nothing = sourcesOf(field, parsed).length === 0 || networksOf(field, parsed).length === 0;
  if (nothing) return [condition('Accepted', 'False', 'ConfigurationPending', generation)];
  return [condition('Accepted', 'True', 'Accepted', generation)];
}

/** The sources' specs as they were when the copies were made, by the name of the copy. */
const copied = new WeakMap<Field, Map<string, string>>();

/** The copies that there should be: one for each source and node. */
export function copiesWanted(field: Field) {
  const wanted = new Map<string, Pick<ManagedObject, 'name' | 'annotations'>>();
  const specs = copied.get(field) ?? new Map<string, string>();
  copied.set(field, specs);
  const found = advertisements(field);
  if (found === undefined || advertised(field).length === 0) return wanted;
  for (const { name: source, spec } of sourcesOf(field, found.spec)) {
    const { matchLabels = {} } = (JSON.parse(spec) as FrrSpec).nodeSelector;
    for (const node of field.nodes.values()) {
      if (!Object.entries(matchLabels).every(([key, value]) => node.labels[key] === value))
        continue;
      const name = `ovnk-generated-${source}-${node.name}`;
      specs.set(name, spec);
      const annotations = { [ANNOTATION]: `${found.ra.name}/${source}/${node.name}` };
      wanted.set(`FRRConfiguration/${name}`, { name, annotations });
    }
  }
  return wanted;
}

/** Why the webhook refuses this spec beside all other objects, or undefined. */
export function refusal(field: Field, name: string, spec: string): string | undefined {
  const others = field
    .names('FRRConfiguration')
    .filter((other) => other !== name)
    .map((other) => [other, field.object('FRRConfiguration', other)?.spec ?? '{}'] as const);
  const copies = [...(copied.get(field) ?? [])].filter(([copy]) =>
    field.objects.has(`FRRConfiguration/${copy}`),
  );
  const wanted = JSON.parse(spec) as FrrSpec;
  for (const [other, text] of [...others, ...copies]) {
    const against = JSON.parse(text) as FrrSpec;
    if (!meet(field, wanted, against)) continue;
    const problem = conflict(wanted, against);
    if (problem !== undefined) return `${problem}, with ${other}`;
  }
  return undefined;
}

function meet(field: Field, a: FrrSpec, b: FrrSpec): boolean {
  const fits = ({ nodeSelector }: FrrSpec, labels: Readonly<Record<string, string>>): boolean =>
    Object.entries(nodeSelector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return [...field.nodes.values()].some(({ labels }) => fits(a, labels) && fits(b, labels));
}

function conflict(a: FrrSpec, b: FrrSpec): string | undefined {
  const [one] = a.bgp.routers;
  const [two] = b.bgp.routers;
  if (one === undefined || two === undefined) return undefined;
  if (one.asn !== two.asn) return 'different asns specified for same vrf';
  for (const left of one.neighbors) {
    const right = two.neighbors.find(({ address }) => address === left.address);
    if (right === undefined) continue;
    if (left.asn !== right.asn) return `multiple asns specified for ${left.address}`;
    if (left.connectTime !== right.connectTime) return 'multiple connect times specified';
    if (left.bfdProfile !== right.bfdProfile) return 'multiple bfd profiles specified';
  }
  return undefined;
}
