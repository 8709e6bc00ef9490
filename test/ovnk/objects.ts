/** The objects of OVN-Kubernetes that its double reads and writes. */
import type { Seen } from '../cluster/watched.ts';
import type { Labels, NodeSelector } from '../frrk8s/objects.ts';

export const networks = '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks';
export const advertisements = '/apis/k8s.ovn.org/v1/routeadvertisements';
export const namespaces = '/api/v1/namespaces';

/** Held by OVN-Kubernetes until no pod uses the network (`spec/frr-ovn-aws-facts.md` 3.2). */
export const PROTECTION = 'k8s.ovn.org/user-defined-network-protection';
/** Must be on a namespace from its creation on; its value does not matter. */
export const PRIMARY_LABEL = 'k8s.ovn.org/primary-user-defined-network';
/** Label and annotation of the FRRConfigurations that OVN-Kubernetes makes. */
export const ADVERTISED_BY = 'k8s.ovn.org/route-advertisements';
export const GENERATED = 'ovnk-generated-';

export interface Meta {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly finalizers?: readonly string[];
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

export interface Namespace extends Seen {
  readonly metadata: Meta;
}

export interface Network extends Seen {
  readonly metadata: Meta;
  readonly spec: {
    readonly namespaceSelector: NodeSelector;
    readonly network: {
      readonly topology: string;
      readonly layer2?: { readonly role: string; readonly subnets?: readonly string[] };
      readonly layer3?: {
        readonly role: string;
        readonly subnets?: readonly { readonly cidr: string }[];
      };
    };
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface RouteAdvertisements extends Seen {
  readonly metadata: Meta;
  readonly spec: {
    readonly targetVRF?: string;
    readonly nodeSelector: NodeSelector;
    readonly frrConfigurationSelector: NodeSelector;
    readonly networkSelectors: readonly {
      readonly networkSelectionType: string;
      readonly clusterUserDefinedNetworkSelector?: { readonly networkSelector: NodeSelector };
    }[];
    readonly advertisements: readonly string[];
  };
  readonly status?: { readonly status?: string; readonly conditions?: readonly Condition[] };
}

export interface Node extends Seen {
  readonly metadata: Meta;
  readonly status?: { readonly addresses?: readonly { readonly address: string }[] };
}

export const subnetsOf = ({ spec: { network } }: Network): readonly string[] =>
  network.layer2?.subnets ?? network.layer3?.subnets?.map(({ cidr }) => cidr) ?? [];

export const isPrimary = ({ spec: { network } }: Network): boolean =>
  (network.layer2?.role ?? network.layer3?.role) === 'Primary';
