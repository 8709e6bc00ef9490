/** The kinds of objects that BGP routing needs, each a row as in `kinds.ts`. */
import type { BgpConfig, BgpRouting, FrrPod, Session, UdnNamespace } from '../../core/bgp-fact.ts';
import { managedOf } from '../../core/managed-object.ts';
import type { ManagedKind, ManagedObject } from '../../core/managed.ts';
import type { Kind } from './kinds.ts';
import { configOf, routingOf } from './project-bgp.ts';
import { frrPodOf, namespaceOf, sessionOf } from './project-frr.ts';
import { configNews, managedNews, namespaceNews, podNews } from './words-bgp.ts';
import { routingNews, sessionNews } from './words-bgp.ts';

const OURS = '/apis/networking.openshift.io/v1alpha1';
const FRR = 'openshift-frr-k8s';
const FRR_KINDS = `/apis/frrk8s.metallb.io/v1beta1/namespaces/${FRR}`;

const configKind: Kind<BgpConfig> = {
  collection: `${OURS}/cudnbgpconfigs`,
  topic: 'cudnbgpconfig',
  plural: 'cudnbgpconfigs',
  written: true,
  announced: true,
  project: configOf,
  seen: (config) => ({ kind: 'BgpConfigSeen', config }),
  gone: (name, uid) => ({ kind: 'BgpConfigGone', name, uid }),
  toldBy: (fact) => (fact?.kind === 'BgpConfigSeen' ? fact.config : undefined),
  news: configNews,
};

const routingKind: Kind<BgpRouting> = {
  collection: `${OURS}/cudnbgproutings`,
  topic: 'cudnbgprouting',
  plural: 'cudnbgproutings',
  written: true,
  announced: true,
  project: routingOf,
  seen: (routing) => ({ kind: 'BgpRoutingSeen', routing }),
  gone: (name, uid) => ({ kind: 'BgpRoutingGone', name, uid }),
  toldBy: (fact) => (fact?.kind === 'BgpRoutingSeen' ? fact.routing : undefined),
  news: routingNews,
};

function managedKind(
  object: ManagedKind,
  collection: string,
  isOfInterest: (name: string) => boolean = () => true,
): Kind<ManagedObject> {
  return {
    collection,
    topic: object.toLowerCase(),
    plural: collection.slice(collection.lastIndexOf('/') + 1),
    written: true,
    announced: true,
    project: (one) => (isOfInterest(one.metadata.name) ? managedOf(object, one) : undefined),
    seen: (seen) => ({ kind: 'ObjectSeen', seen }),
    gone: (name, uid) => ({ kind: 'ObjectGone', object, name, uid }),
    toldBy: (fact) => (fact?.kind === 'ObjectSeen' ? fact.seen : undefined),
    news: managedNews,
  };
}

const podKind: Kind<FrrPod> = {
  collection: `/api/v1/namespaces/${FRR}/pods?labelSelector=app%3Dfrr-k8s`,
  topic: 'frrpod',
  plural: 'frrpods',
  announced: true,
  project: frrPodOf,
  seen: (pod) => ({ kind: 'FrrPodSeen', pod }),
  gone: (name, uid) => ({ kind: 'FrrPodGone', name, uid }),
  toldBy: (fact) => (fact?.kind === 'FrrPodSeen' ? fact.pod : undefined),
  news: podNews,
};

const namespaceKind: Kind<UdnNamespace> = {
  collection: '/api/v1/namespaces?labelSelector=cluster-udn',
  topic: 'namespace',
  plural: 'namespaces',
  announced: true,
  project: namespaceOf,
  seen: (namespace) => ({ kind: 'NamespaceSeen', namespace }),
  gone: (name, uid) => ({ kind: 'NamespaceGone', name, uid }),
  toldBy: (fact) => (fact?.kind === 'NamespaceSeen' ? fact.namespace : undefined),
  news: namespaceNews,
};

const sessionKind: Kind<Session> = {
  collection: `${FRR_KINDS}/bgpsessionstates`,
  topic: 'bgpsession',
  plural: 'bgpsessionstates',
  announced: true,
  project: sessionOf,
  seen: (session) => ({ kind: 'SessionSeen', session }),
  gone: (name, uid) => ({ kind: 'SessionGone', name, uid }),
  toldBy: (fact) => (fact?.kind === 'SessionSeen' ? fact.session : undefined),
  news: sessionNews,
};

/** The custom resources themselves: where neither is served, nobody routes by BGP here. */
export const resourceKinds = [configKind, routingKind] as const;

/** What is watched only where one of those is served. */
export const routingKinds = [
  managedKind('Network', '/apis/operator.openshift.io/v1/networks', (name) => name === 'cluster'),
  managedKind('FRRConfiguration', `${FRR_KINDS}/frrconfigurations`),
  managedKind('ClusterUserDefinedNetwork', '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks'),
  managedKind('RouteAdvertisements', '/apis/k8s.ovn.org/v1/routeadvertisements'),
  podKind,
  namespaceKind,
  sessionKind,
] as const;
