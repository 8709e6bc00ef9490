/** Whether FRR runs where it is needed: on one router node at least (`docs/bgp.md`). */
import { list } from '../../core/say.ts';
import type { BgpConfig } from '../../core/bgp-fact.ts';
import { good, type Judged, underWay } from './condition.ts';
import { type Group, nodesOf } from './group.ts';
import type { World } from './world.ts';

const TYPE = 'FRRNamespaceReady';
const NAMED = 10;

/** The nodes on which the daemon's pod is Ready. */
export function readyNodes(world: World): ReadonlySet<string> {
  const ready = [...world.pods.values()].filter((pod) => pod.ready);
  return new Set(ready.map(({ node }) => node));
}

/** The nodes of all groups; while these are not known, those that the config selects. */
export function routerNodes(
  world: World,
  { routerNodeSelector: matchLabels, localASN, livenessDetection }: BgpConfig,
  groups: readonly Group[] | undefined,
): readonly string[] {
  const all: Group = {
    ...{ title: '', zone: '', identity: '', matchLabels, hosts: [], neighbors: [] },
    ...{ localASN, livenessDetection },
  };
  const names = (groups ?? [all]).flatMap((group) => nodesOf(world, group));
  return [...new Set(names)].toSorted();
}

/** Without router nodes any Ready pod there will do: the first node may come later. */
export function judgeReadiness(routers: readonly string[], ready: ReadonlySet<string>): Judged {
  if (routers.length === 0)
    return ready.size === 0
      ? underWay(TYPE, 'WaitingForFRR', 'no pod of frr-k8s is ready in openshift-frr-k8s')
      : good(TYPE, 'Ready', 'FRR is ready; no node is selected as a router yet');
  const without = routers.filter((node) => !ready.has(node));
  const nodes = routers.length === 1 ? 'the router node' : `${routers.length} router nodes`;
  if (without.length === routers.length)
    return underWay(TYPE, 'WaitingForFRR', `FRR is not ready on any of ${nodes}`);
  const rest = without.length === 0 ? '' : `, but not on ${list(without, NAMED)}`;
  const some = `${routers.length - without.length} of ${nodes}`;
  return good(TYPE, 'Ready', `FRR is ready on ${routers.length === 1 ? nodes : some}${rest}`);
}
