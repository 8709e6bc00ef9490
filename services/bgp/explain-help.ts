/** What a person can do about a condition that is not True: one sentence for each reason. */
import type { Condition } from '../../core/bgp-decision.ts';

const advice: Readonly<Record<string, string>> = {
  InvalidName: 'Delete it and create one named as the condition says.',
  NotServed: 'Install the operator that brings this CRD, or wait until it has: nothing is lost.',
  NotFound: 'Create Network.operator.openshift.io/cluster; OpenShift has it from its installation.',
  PatchFailed: 'Read the server’s answer; the ServiceAccount of the publisher may lack a right.',
  WaitingForFRR:
    'See the pods: kubectl -n openshift-frr-k8s get pods -l app=frr-k8s -o wide. ' +
    'A router node needs a ready one.',
  WaitingForNeighbors: 'See what aws-sync says: AWSEndpointsDiscovered.',
  ReplacingSessions: 'It goes on by itself when OVN-Kubernetes has removed its copies.',
  ForeignObject: 'Rename or delete the object, or give it the label to hand it over.',
  ApplyFailed: 'Read the answer of frr-k8s: it names the node and the setting at odds.',
  WebhookUnavailable:
    'See frr-k8s’ webhook: kubectl -n openshift-frr-k8s get pods; it is tried again.',
  ServerUnavailable: 'It is tried again.',
  SessionsDown: 'See the neighbor: address, ASN and path; show bgp summary on the node.',
  ZoneDown: 'See the neighbors of the zone: addresses, ASN and path; show bgp summary on a node.',
  RoutingCRsExist: 'Delete the CUDNBgpRoutings that are named.',
  FRRConfigurationsExist: 'See the finalizers of the FRRConfigurations.',
  AWSResourcesExist: 'See what aws-sync says, or annotate the object to leave AWS as it is.',
  AWSCredentialsInvalid:
    'See the message: token, trust policy or annotation of the ServiceAccount.',
  AWSDiscoveryFailed: 'See the ids of the Route Servers, their region and their account.',
  Unauthorized: 'Allow the action that is named, in the policy of aws-sync’s IAM role.',
  PeerConflict: 'Delete the peer that is named, or tag it, or change spec.aws.adoptionPolicy.',
  PeerQuotaExceeded: 'Raise the quota of peers, or have fewer router nodes in the zone.',
  AWSReconcileFailed: 'Read AWS’ answer; it is tried again.',
  NodesIncomplete: 'See the nodes that are named: address, zone and providerID.',
  ZonesUncovered:
    'Add Route Server endpoints in the subnets of these nodes, or take the label away.',
  DuplicateNetwork: 'Delete one of the two, or take another network name.',
  SubnetOverlap: 'Take other subnets, in a new CUDNBgpRouting.',
  SubnetsImmutable: 'Take the subnets back, or make a new CUDNBgpRouting with another name.',
  NetworkImmutable: 'Delete the network when no pod uses it; it is made anew.',
  InvalidSpec: 'Mend the field that is named; what runs goes on meanwhile.',
  InvalidSubnet: 'Write it as a network with its prefix length: 10.100.0.0/16.',
  NamespaceNotReady:
    'Create a namespace with both labels; primary-user-defined-network must be there from its ' +
    'creation.',
  WaitingForConfig: 'See kubectl get cudnbgpconfig cluster.',
  NetworkNotCreated: 'See the status of the ClusterUserDefinedNetwork.',
  CUDNFailed: 'Read the server’s answer.',
  RAFailed: 'Read the server’s answer.',
  NotAccepted: 'See the status of the RouteAdvertisements cudn-bgp-route-advertisements.',
  Terminating: 'Remove the pods that still use the network.',
  Deleting: 'Remove the pods that still use the network, if one is named.',
};

/** Conditions that are trouble when they are True. */
const alarms = new Set(['DeletionBlocked', 'CleanupBlocked', 'ForeignWriter']);

/** '' where there is nothing to do. */
export function adviceOn({ status, reason, type }: Condition): string {
  const good = alarms.has(type) ? 'False' : 'True';
  if (status === good || !Object.hasOwn(advice, reason)) return '';
  return advice[reason] ?? '';
}
