/** The ClusterUserDefinedNetwork of a routing: what it is to be, and how it is. */
import { ADVERTISE, ADVERTISED, CLUSTER_UDN } from '../../core/annotation.ts';
import type { BgpRouting } from '../../core/bgp-fact.ts';
import { canonicalJson } from '../../core/canonical.ts';
import { listOf, parseJson, property } from '../../core/json.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { cudnOf } from './claims.ts';
import { isAsWanted, isContained } from './comparison.ts';
import { bad, good, type Judged, underWay, type Waits } from './condition.ts';
import { reportOf } from './report.ts';
import { absent, cudnLabels, ownLabels, present, routingOwner, type Want } from './want.ts';

export const TYPE = 'CUDNCreated';
const object = 'ClusterUserDefinedNetwork';

/** `spec.network` of a CUDN (`spec/bgp-operator.md` 4.3). */
const networkOf = (subnets: readonly string[]): object => ({
  topology: 'Layer2',
  layer2: { role: 'Primary', ipam: { lifecycle: 'Persistent' }, subnets },
});

/** What runs already and cannot be changed stays: OVN-Kubernetes refuses any edit (W-05). */
function cudnSpec({ network, subnets }: BgpRouting, seen: ManagedObject | undefined): string {
  const wanted = networkOf(subnets);
  const running = property(parseJson(seen?.spec ?? ''), 'network');
  const keep = running !== undefined && !isContained(wanted, running);
  return canonicalJson({
    namespaceSelector: { matchLabels: { [CLUSTER_UDN]: network } },
    network: keep ? running : wanted,
  });
}

type Owning = Pick<BgpRouting, 'name' | 'network'>;

function about(routing: Owning, seen: ManagedObject | undefined, because: string) {
  const owner = routingOwner(routing.name, TYPE);
  return { object, name: cudnOf(routing), uid: seen?.uid ?? '', ...owner, because } as const;
}

export function wantCudn(routing: BgpRouting, seen: ManagedObject | undefined): Want {
  return present(about(routing, seen, `network ${routing.network}`), {
    labels: cudnLabels,
    spec: cudnSpec(routing, seen),
  });
}

/** It is withdrawn first: without the labels nobody advertises it. Then it goes (W-70). */
export function withdrawCudn(routing: Owning, seen: ManagedObject, because: string): Want {
  const labels = [ADVERTISED, ADVERTISE];
  if (seen.deleting || labels.every((key) => !Object.hasOwn(seen.labels, key)))
    return absent(about(routing, seen, because));
  return present(about(routing, seen, `${because}; first it is withdrawn`), {
    labels: ownLabels,
    dropped: labels,
    spec: seen.spec,
  });
}

/** How a network is that is ours, or not there yet. */
export function judgeCudn(
  routing: BgpRouting,
  seen: ManagedObject | undefined,
  waits: Waits,
): Judged {
  const name = cudnOf(routing);
  if (seen?.deleting === true) {
    const holders = seen.finalizers.length === 0 ? '' : `, held by ${seen.finalizers.join(', ')}`;
    return underWay(TYPE, 'Terminating', `waits until the old ${name} is gone${holders}`);
  }
  if (seen === undefined) return underWay(TYPE, 'Creating', `${name} is being created`);
  const fixed = immutableWords(routing, seen);
  if (fixed !== undefined) return fixed;
  const wanted = { labels: cudnLabels, dropped: [], spec: cudnSpec(routing, seen) };
  if (!isAsWanted(wanted, seen)) return underWay(TYPE, 'Applying', `${name} is being changed`);
  const report = reportOf(seen, 'NetworkCreated', waits, TYPE);
  if (report.state === 'bad') return bad(TYPE, 'NetworkNotCreated', `${name}: ${report.words}`);
  if (report.state === 'waiting')
    return underWay(TYPE, 'WaitingForNetwork', `waits for OVN-Kubernetes to create ${name}`);
  const silent = report.state === 'silent' ? '; OVN-Kubernetes has not reported on it' : '';
  return good(TYPE, 'Created', `${name} is created${silent}`);
}

function immutableWords(routing: BgpRouting, { name, spec }: ManagedObject): Judged | undefined {
  const running = property(parseJson(spec), 'network');
  if (isContained(networkOf(routing.subnets), running)) return undefined;
  const has = listOf(property(property(running, 'layer2'), 'subnets')).map(String);
  const same = canonicalJson(has) === canonicalJson(routing.subnets);
  const what = same
    ? `${name} is not the network that is wanted (Layer2, Primary, Persistent)`
    : `${name} runs with ${has.join(', ')}, not ${routing.subnets.join(', ')}`;
  const message = `${what}; OVN-Kubernetes cannot change it: make a new CUDNBgpRouting for it`;
  return bad(TYPE, same ? 'NetworkImmutable' : 'SubnetsImmutable', message);
}
