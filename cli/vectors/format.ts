/** The file format of the test vectors (`meta.fields` of the file says what each field means). */

export interface Item {
  readonly egressIP: string;
  readonly node: string;
}

export interface VectorNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly ready: boolean | 'Unknown' | 'missing';
  readonly reachable: boolean;
}

export interface VectorEgressIP {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: { readonly items: readonly Item[] };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A CloudPrivateIPConfig as it is there before start-up. */
export interface VectorCloudClaim {
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: { readonly node: string };
  readonly status?: Readonly<Record<string, unknown>>;
}

/** What a CloudPrivateIPConfig must be like; what is not said does not matter. */
export interface WantedCloudClaim {
  readonly name: string;
  readonly specNode: string;
  readonly owner?: string;
  readonly deleting?: boolean;
}

export interface VectorEvent {
  readonly eip: string;
  readonly reason: string;
  readonly type?: string;
  readonly messageContains?: string;
  readonly messageIsGuidance?: boolean;
}

type ByName<T> = Readonly<Record<string, T>>;

export interface Expectation {
  readonly status?: ByName<readonly Item[]>;
  readonly statusAnyOf?: ByName<readonly (readonly Item[])[]>;
  readonly statusLen?: ByName<number>;
  readonly statusNodes?: ByName<readonly string[]>;
  readonly statusIPs?: ByName<readonly string[]>;
  readonly events?: readonly VectorEvent[];
  readonly noEvents?: readonly VectorEvent[];
  readonly trackedNodes?: readonly string[];
  readonly untrackedNodes?: readonly string[];
  readonly reachableNodes?: readonly string[];
  readonly unreachableNodes?: readonly string[];
  readonly probed?: readonly string[];
  readonly marks?: ByName<string>;
  readonly releasedMarks?: readonly string[];
  readonly annotationsKept?: ByName<ByName<string>>;
  readonly distinctNodes?: readonly string[];
  readonly oneOwner?: { readonly ip: string; readonly objects: readonly string[] };
  readonly statusPatchesAfter?: number;
  readonly distinctFrom?: string;
  readonly cloudPrivateIPConfigs?: readonly WantedCloudClaim[];
  /** Absent, or on their way out. */
  readonly noCloudPrivateIPConfigs?: readonly string[];
  /** What upstream's routine returns; ours has none such, the other fields tell the outcome. */
  readonly error?: string;
}

export type Step =
  | { readonly op: 'createNode'; readonly node: VectorNode }
  | {
      readonly op: 'updateNode';
      readonly name: string;
      readonly labels?: ByName<string>;
      readonly annotations?: ByName<string | null>;
      readonly ready?: VectorNode['ready'];
    }
  | { readonly op: 'deleteNode'; readonly name: string }
  | { readonly op: 'setReachable'; readonly node: string; readonly reachable: boolean }
  | { readonly op: 'healthTick' }
  | { readonly op: 'createEgressIP'; readonly egressip: VectorEgressIP }
  | ({ readonly op: 'updateEgressIP' } & VectorEgressIP)
  | { readonly op: 'deleteEgressIP'; readonly name: string }
  /** The cloud controller writes that status; or it has released the address. */
  | {
      readonly op: 'cpicStatus';
      readonly name: string;
      readonly status: Readonly<Record<string, unknown>>;
    }
  | { readonly op: 'cpicGone'; readonly name: string }
  | { readonly op: 'expect'; readonly label: string; readonly expect: Expectation };

export interface Vector {
  readonly name: string;
  readonly cloud: boolean;
  readonly headOnly?: boolean;
  readonly manualTicks?: boolean;
  readonly config?: {
    readonly platform?: string;
    readonly noHostSubnetNodes?: { readonly matchLabels: ByName<string> };
    readonly reachabilityTotalTimeout?: number;
  };
  readonly nodes: readonly VectorNode[];
  readonly egressips: readonly VectorEgressIP[];
  readonly cloudPrivateIPConfigs?: readonly VectorCloudClaim[];
  /** Node → address → the object that has it. */
  readonly seedAllocations?: ByName<ByName<string>>;
  readonly steps: readonly Step[];
  readonly expect: Expectation;
}

export interface VectorFile {
  readonly unit: Readonly<Record<string, unknown>>;
  readonly vectors: readonly Vector[];
}
