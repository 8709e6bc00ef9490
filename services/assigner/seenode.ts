/** What a Node says of itself, taken over into a host (`spec/egressip.md` 1). */
import {
  type HostCidr,
  hostCidrs,
  managementAddresses,
  type PrimaryIfaddr,
  primaryIfaddr,
  type Reading,
} from '../../core/annotated.ts';
import { nodeAnnotations } from '../../core/annotation.ts';
import { type CloudConfig, cloudConfig, unlimited } from '../../core/cloudconfig.ts';
import { drainedBy } from '../../core/drained.ts';
import type { Labels, Node } from '../../core/fact.ts';
import { drainProblems } from './policy.ts';
import type { Host, Infrastructure, Network } from './host.ts';

/** Takes over what was seen of a node; a node that vanished keeps its name and its tenants only. */
export function seeNode(
  host: Host,
  node: Node | undefined,
  excluded: boolean,
  cloud: boolean,
): void {
  const isRead = isReadAlready(host, node, excluded, cloud);
  host.seen = node;
  host.readOnCloud = cloud;
  host.exists = node !== undefined;
  host.excluded = excluded;
  host.labels = node?.labels ?? {};
  host.ready = node?.ready ?? false;
  host.uid = node?.uid ?? '';
  const annotations = node?.annotations ?? {};
  host.drained = drainedBy(annotations, undefined, []) || (node?.drained ?? '');
  if (!isRead) readAnnotations(host, annotations, cloud);
}

/** Most often a node becomes ready, or ceases to be, and its annotations stay as they are. */
function isReadAlready(
  { seen, excluded, readOnCloud }: Host,
  node: Node | undefined,
  isExcluded: boolean,
  cloud: boolean,
): boolean {
  if (seen === undefined || node === undefined) return false;
  if (excluded !== isExcluded || readOnCloud !== cloud) return false;
  return nodeAnnotations.every((key) => seen.annotations[key] === node.annotations[key]);
}

function readAnnotations(host: Host, annotations: Labels, cloud: boolean): void {
  const primary = primaryIfaddr(annotations);
  const hosts = hostCidrs(annotations);
  const config = cloud ? cloudConfig(annotations) : undefined;
  const readings = [primary, hosts, managementAddresses(annotations), ...(config ? [config] : [])];
  host.problems = [...problemsOf(readings), ...drainProblems(annotations)];
  host.gap = gapOf(readings, hosts);
  host.capacity = config?.value?.capacity ?? unlimited;
  host.infrastructure = host.gap === '' ? infrastructureOf(primary, hosts, config) : undefined;
  host.networks = host.infrastructure === undefined ? [] : networksOf(host.infrastructure);
  host.hostAddresses = host.excluded ? [] : addressesOf(primary, hosts);
}

function infrastructureOf(
  primary: Reading<PrimaryIfaddr>,
  hosts: Reading<readonly HostCidr[]>,
  config: Reading<CloudConfig> | undefined,
): Infrastructure | undefined {
  if (config?.value !== undefined)
    return { primary: { cidrs: config.value.cidrs, texts: [] }, hosts: [] };
  if (primary.value === undefined || hosts.value === undefined) return undefined;
  return { primary: primary.value, hosts: hosts.value };
}

/** The node's own addresses; the primary ones count even where host-cidrs cannot be read. */
function addressesOf(
  primary: Reading<PrimaryIfaddr>,
  hosts: Reading<readonly HostCidr[]>,
): readonly string[] {
  const cidrs = [...(primary.value?.cidrs ?? []), ...(hosts.value ?? []).map(({ cidr }) => cidr)];
  return [...new Set(cidrs.map(({ address }) => address.text))];
}

function problemsOf(readings: readonly Reading<unknown>[]): readonly string[] {
  return readings.flatMap((read) =>
    read.problem !== undefined && !read.absent ? [read.problem] : [],
  );
}

/** Infrastructure-ready: every annotation is there and readable, host-cidrs is not empty. */
function gapOf(readings: readonly Reading<unknown>[], hosts: Reading<readonly HostCidr[]>): string {
  const gap = readings.find((read) => read.problem !== undefined)?.problem;
  return gap ?? (hosts.value?.length === 0 ? 'k8s.ovn.org/host-cidrs is empty' : '');
}

function networksOf({ primary, hosts }: Infrastructure): readonly Network[] {
  const ovn = primary.cidrs.map(({ network }): Network => ({ kind: 'ovn', text: network }));
  const others = hosts.filter(({ text }) => !primary.texts.includes(text));
  const texts = new Set(others.map(({ cidr }) => cidr.network));
  return [...ovn, ...[...texts].map((text): Network => ({ kind: 'secondary', text }))];
}
