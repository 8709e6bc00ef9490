/** The objects of frr-k8s as its doubles and tests write them. */

/** Where frr-k8s lives on OpenShift; it looks at FRRConfigurations nowhere else. */
export const FRR_NAMESPACE = 'openshift-frr-k8s';

const group = 'frrk8s.metallb.io/v1beta1';
export const frrConfigurations = `/apis/${group}/namespaces/${FRR_NAMESPACE}/frrconfigurations`;
export const sessionStates = `/apis/${group}/namespaces/${FRR_NAMESPACE}/bgpsessionstates`;
export const frrPods = `/api/v1/namespaces/${FRR_NAMESPACE}/pods`;

export type Labels = Readonly<Record<string, string>>;

export interface NodeSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

export interface Neighbor {
  readonly address?: string;
  readonly interface?: string;
  readonly asn?: number;
  readonly dynamicASN?: string;
  readonly sourceaddress?: string;
  readonly port?: number;
  readonly password?: string;
  readonly passwordSecret?: { readonly name?: string; readonly namespace?: string };
  readonly holdTime?: string;
  readonly keepaliveTime?: string;
  readonly connectTime?: string;
  readonly ebgpMultiHop?: boolean;
  readonly bfdProfile?: string;
  readonly enableGracefulRestart?: boolean;
  readonly disableMP?: boolean;
  readonly dualStackAddressFamily?: boolean;
  readonly toAdvertise?: {
    readonly allowed?: { readonly mode?: string; readonly prefixes?: readonly string[] };
    readonly withLocalPref?: readonly {
      readonly localPref?: number;
      readonly prefixes?: readonly string[];
    }[];
    readonly withCommunity?: readonly {
      readonly community?: string;
      readonly prefixes?: readonly string[];
    }[];
  };
  readonly toReceive?: {
    readonly allowed?: {
      readonly mode?: string;
      readonly prefixes?: readonly {
        readonly prefix?: string;
        readonly le?: number;
        readonly ge?: number;
      }[];
    };
  };
}

export interface Router {
  readonly asn: number;
  readonly id?: string;
  readonly vrf?: string;
  readonly prefixes?: readonly string[];
  readonly imports?: readonly { readonly vrf?: string }[];
  readonly neighbors?: readonly Neighbor[];
}

export interface BfdProfile {
  readonly name: string;
  readonly receiveInterval?: number;
  readonly transmitInterval?: number;
  readonly detectMultiplier?: number;
  readonly echoInterval?: number;
  readonly minimumTtl?: number;
  readonly echoMode?: boolean;
  readonly passiveMode?: boolean;
}

export interface FrrSpec {
  readonly nodeSelector?: NodeSelector;
  readonly raw?: { readonly priority?: number; readonly rawConfig?: string };
  readonly bgp?: {
    readonly routers?: readonly Router[];
    readonly bfdProfiles?: readonly BfdProfile[];
  };
}

/** As much of an FRRConfiguration as counts here. */
export interface FrrConfiguration {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Labels;
    readonly annotations?: Labels;
  };
  readonly spec?: FrrSpec;
  readonly [field: string]: unknown;
}

export const frrConfiguration = (
  name: string,
  spec: FrrSpec,
  metadata: { readonly labels?: Labels; readonly annotations?: Labels } = {},
): FrrConfiguration => ({
  apiVersion: group,
  kind: 'FRRConfiguration',
  metadata: { name, namespace: FRR_NAMESPACE, ...metadata },
  spec,
});

/** The namespace of frr-k8s, which the cluster network operator makes. */
export const frrNamespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: FRR_NAMESPACE },
};
