/** A rehearsal as it was read: what is done, step by step, and what is expected. */
import type { Collection } from '../../core/door.ts';
import type { Speaker } from '../../core/event.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Position } from '../../edge/yaml.ts';
import type { Settings } from '../../services/watcher/input.ts';
import type { WantedClaim } from './claim.ts';
import type { CloudChange } from './cloud.ts';

export interface Reference {
  readonly kind: 'node' | 'egressip' | 'cloudprivateipconfig' | 'infrastructure';
  readonly collection: Collection;
  readonly name: string;
}

/** Something done to the cluster at once; `said` tells it in the tail. */
export type Action =
  | { readonly do: 'apply'; readonly on: Reference; readonly object: JsonObject }
  | {
      readonly do: 'patch';
      readonly on: Reference;
      readonly body: JsonObject;
      readonly said: string;
      /** Where it stands, should the API server refuse it. */
      readonly position: Position;
    }
  | { readonly do: 'delete'; readonly on: Reference; readonly position: Position }
  | { readonly do: 'answer'; readonly node: string; readonly reachable: boolean }
  | { readonly do: 'cloud'; readonly change: CloudChange; readonly position: Position }
  | { readonly do: 'advance'; readonly ms: number; readonly said: string }
  | { readonly do: 'stop' | 'start' | 'restart' | 'lose'; readonly rooms: readonly Speaker[] }
  | { readonly do: 'expect'; readonly checks: readonly Check[] };

/** One expectation and where it stands in the file. */
export type Check = { readonly position: Position } & (
  | {
      /** Exactly these addresses, each on one of its nodes; no nodes = on any node. */
      readonly of: 'status';
      readonly name: string;
      readonly items: readonly Wanted[];
    }
  | {
      readonly of: 'event';
      readonly on: Reference;
      /** Undefined: no event at all. */
      readonly reason: string | undefined;
      readonly note: string;
    }
  | { readonly of: 'writes'; readonly count: number }
  | { readonly of: 'probed'; readonly nodes: readonly string[] }
  | { readonly of: 'mark'; readonly name: string; readonly mark: string }
  | { readonly of: 'claim'; readonly claim: WantedClaim }
  | { readonly of: 'said'; readonly text: string }
);

export interface Wanted {
  readonly address: string;
  /** 'none' = must not be in the status. */
  readonly nodes: readonly string[] | 'any' | 'none';
}

export interface Step {
  readonly title: string;
  readonly actions: readonly Action[];
}

export interface Script {
  readonly settings: Settings;
  readonly statusSubresource: boolean;
  readonly beginningMs: number | undefined;
  /** What Infrastructure/cluster says; '' = the cluster has no such kind. */
  readonly platform: string;
  /** The cluster as Sluice finds it when it starts. */
  readonly found: readonly Action[];
  readonly steps: readonly Step[];
}
