/** The annotations and labels of Kubernetes objects that Sluice reads or writes. */

/** The key of the default egressNodeSelector (OKEP-6800). */
export const EGRESS_ASSIGNABLE = 'k8s.ovn.org/egress-assignable';

export const PRIMARY_IFADDR = 'k8s.ovn.org/node-primary-ifaddr';
export const NODE_SUBNETS = 'k8s.ovn.org/node-subnets';
export const HOST_CIDRS = 'k8s.ovn.org/host-cidrs';
export const EGRESS_IPCONFIG = 'cloud.network.openshift.io/egress-ipconfig';

/** On a Node: `true` moves its addresses away while it still works. */
export const DRAIN = 'sluice.dev/drain';

/** Everything that is read of a Node's annotations (`spec/egressip.md` 1.3). */
export const nodeAnnotations: readonly string[] = [
  PRIMARY_IFADDR,
  NODE_SUBNETS,
  HOST_CIDRS,
  EGRESS_IPCONFIG,
  DRAIN,
];

/** The only annotation of an EgressIP that Sluice writes (`spec/egressip.md` 7). */
export const EGRESSIP_MARK = 'k8s.ovn.org/egressip-mark';

/** On a CloudPrivateIPConfig: the EgressIP that it was made for. */
export const CLOUD_OWNER = 'k8s.ovn.org/egressip-owner-ref';

/** Policies of an EgressIP beyond upstream: `5/min`, and a label selector of preferred nodes. */
export const REBALANCE = 'sluice.dev/rebalance';
export const PREFER = 'sluice.dev/prefer';

/** Everything that is read of an EgressIP's annotations. */
export const egressIPAnnotations: readonly string[] = [EGRESSIP_MARK, REBALANCE, PREFER];

/** Who made an object of BGP routing: the seed's label and value (`spec/bgp-operator.md` 1). */
export const MANAGED_BY = 'app.kubernetes.io/managed-by';
export const BGP_MANAGER = 'cudn-bgp-routing-operator';

/**
 * Our own label on what RouteAdvertisements selects: FRRConfigurations and networks, value true.
 */
export const ADVERTISED = 'sluice.dev/advertised';
/** The seed's label on networks. */
export const ADVERTISE = 'advertise';

/** On a namespace: the `spec.network.name` that it belongs to. */
export const CLUSTER_UDN = 'cluster-udn';
/** On a namespace, at its creation: its pods are in a primary user defined network. */
export const PRIMARY_UDN = 'k8s.ovn.org/primary-user-defined-network';

/** On a copy that OVN-Kubernetes makes of an FRRConfiguration: `<ra>/<source>/<node>`. */
export const ROUTE_ADVERTISEMENTS = 'k8s.ovn.org/route-advertisements';

/** On a CUDNBgpConfig that is being deleted: `true` leaves in AWS whatever cannot be cleaned up. */
export const ORPHAN_AWS = 'networking.openshift.io/orphan-aws-resources';

export const CONFIG_FINALIZER = 'networking.openshift.io/cudnbgpconfig';
export const ROUTING_FINALIZER = 'networking.openshift.io/cudnbgprouting';

export const ZONE = 'topology.kubernetes.io/zone';
