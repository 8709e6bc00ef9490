/** What runs BGP in the cluster, as facts: the daemon's pods, its sessions, and the namespaces. */
import { parseAddress } from '../../core/address.ts';
import { CLUSTER_UDN, PRIMARY_UDN } from '../../core/annotation.ts';
import type { FrrPod, Session, UdnNamespace } from '../../core/bgp-fact.ts';
import type { KubeObject } from '../../core/door.ts';
import { listOf, property, textOf } from '../../core/json.ts';
import { isDeleting, textsOf } from '../../core/metadata.ts';
import { isReady } from './project.ts';

const DAEMON = 'frr-k8s';
const componentLabels: readonly string[] = ['component', 'app.kubernetes.io/component'];

/**
 * Undefined for a pod that is no daemon: the webhook's Deployment carries the label `app=frr-k8s`
 * too (`frr-ovn-aws-facts.md` 2.6).
 */
export function frrPodOf({ metadata, ...object }: KubeObject): FrrPod | undefined {
  const labels = textsOf(property(metadata, 'labels'));
  const components = componentLabels.map((key) => labels[key] ?? DAEMON);
  if (components.some((component) => component !== DAEMON)) return undefined;
  const owners = listOf(property(metadata, 'ownerReferences'));
  if (owners.some((owner) => property(owner, 'kind') === 'ReplicaSet')) return undefined;
  const ready = isReady(property(object['status'], 'conditions')) && !isDeleting(metadata);
  const { name, uid } = metadata;
  return { name, uid, node: textOf(property(object['spec'], 'nodeName')), ready };
}

export function namespaceOf({ metadata, ...object }: KubeObject): UdnNamespace {
  const labels = textsOf(property(metadata, 'labels'));
  const phase = textOf(property(object['status'], 'phase'));
  return {
    name: metadata.name,
    uid: metadata.uid,
    network: labels[CLUSTER_UDN] ?? '',
    primary: Object.hasOwn(labels, PRIMARY_UDN),
    deleting: isDeleting(metadata) || phase === 'Terminating',
  };
}

/** Born without a status: until it has one, its labels tell whose it is. */
export function sessionOf({ metadata, ...object }: KubeObject): Session {
  const labels = textsOf(property(metadata, 'labels'));
  const status = object['status'];
  const said = (key: string): string =>
    textOf(property(status, key)) || (labels[`frrk8s.metallb.io/${key}`] ?? '');
  return {
    name: metadata.name,
    uid: metadata.uid,
    node: said('node'),
    peer: addressOf(said('peer')),
    vrf: said('vrf'),
    bgpStatus: textOf(property(status, 'bgpStatus')),
    bfdStatus: textOf(property(status, 'bfdStatus')),
  };
}

/** In a label `-` stands for the `:` of IPv6; what is no address stays as it is. */
const addressOf = (text: string): string =>
  (parseAddress(text) ?? parseAddress(text.replaceAll('-', ':')))?.text ?? text;
