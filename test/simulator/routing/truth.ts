/** What the objects of BGP routing mean, read by the judges' own rules and nobody else's. */
import type { KubeObject } from '../../../core/door.ts';
import { NODES } from '../../../edge/simulated/admission.ts';
import {
  ADVERTISEMENTS,
  CONFIGS,
  FRR_CONFIGURATIONS,
  NETWORKS,
  ROUTINGS,
} from '../../../edge/simulated/kinds.ts';
import type { Change } from '../api-server.ts';
import type { Simulation } from '../simulation.ts';
import { OWN_LABEL, OWN_VALUE } from './objects.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- objects of any kind are read here
type Any = any;

export const metaOf = (object: KubeObject | undefined): Any => object?.metadata ?? {};
export const specOf = (object: KubeObject | undefined): Any => object?.['spec'] ?? {};
export const statusOf = (object: KubeObject | undefined): Any => object?.['status'] ?? {};

export const isLive = (object: KubeObject | undefined): object is KubeObject =>
  object !== undefined && metaOf(object).deletionTimestamp === undefined;

export const isOurs = (object: KubeObject | undefined): boolean =>
  metaOf(object).labels?.[OWN_LABEL] === OWN_VALUE;

export const networkOf = (routing: KubeObject): string => String(specOf(routing).network?.name);

export const configOf = ({ server }: Simulation): KubeObject | undefined =>
  server.get(CONFIGS, 'cluster');

/** Our objects of a kind that are there. */
export const oursOf = ({ server }: Simulation, collection: string): readonly KubeObject[] =>
  server.list(collection).filter(isOurs);

export const cudnOf = ({ server }: Simulation, network: string): KubeObject | undefined =>
  server.get(NETWORKS, `cluster-udn-${network}`);

/** Of these the rooms write objects of their own, and no others. */
export const ownKinds = [FRR_CONFIGURATIONS, NETWORKS, ADVERTISEMENTS];

export const routersOf = ({ server }: Simulation): readonly KubeObject[] =>
  server.list(NODES).filter((node) => metaOf(node).labels?.bgp_router === 'true');

export const zoneIn = (node: KubeObject): string =>
  String(metaOf(node).labels?.['topology.kubernetes.io/zone']);

/** The claims on a network since then: each as it was, whenever it was there. */
export function claimsSince(
  { server }: Simulation,
  network: string,
  sinceMs: number,
): readonly { readonly uid: string; readonly createdMs: number; readonly throughout: boolean }[] {
  const known = new Map<string, { createdMs: number; fromMs: number; toMs: number }>();
  for (const { collection, object, type, atMs } of server.history) {
    if (collection !== ROUTINGS || networkOf(object) !== network) continue;
    const { uid } = object.metadata;
    const was = known.get(uid) ?? { createdMs: atMs, fromMs: atMs, toMs: Infinity };
    if (type === 'DELETED' || !isLive(object)) was.toMs = Math.min(was.toMs, atMs);
    known.set(uid, was);
  }
  return [...known]
    .filter(([, { toMs }]) => toMs >= sinceMs)
    .map(([uid, { createdMs, fromMs, toMs }]) => ({
      ...{ uid, createdMs, throughout: fromMs <= sinceMs && toMs === Infinity },
    }));
}

/** Whether an object changed since then, by anybody else's hand. */
export const changedSince = (
  { server }: Simulation,
  collection: string,
  sinceMs: number,
  matters: (change: Change) => boolean = () => true,
): boolean =>
  server.history.some(
    (change) => change.atMs >= sinceMs && change.collection === collection && matters(change),
  );
