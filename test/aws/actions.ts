/** The calls that the emulator answers. */
import type { Action } from './ask.ts';
import { describeInstances, modifyInstanceAttribute } from './actions/instances.ts';
import {
  describeNetworkInterfaces,
  modifyNetworkInterfaceAttribute,
} from './actions/interfaces.ts';
import {
  createRouteServerPeer,
  deleteRouteServerPeer,
  describeRouteServerPeers,
} from './actions/peers.ts';
import {
  describeRouteServerEndpoints,
  describeRouteServers,
  getRouteServerAssociations,
  getRouteServerPropagations,
  getRouteServerRoutingDatabase,
} from './actions/route-servers.ts';
import { assumeRoleWithWebIdentity, getCallerIdentity } from './actions/sts.ts';
import { describeAvailabilityZones, describeSubnets } from './actions/subnets.ts';
import { createTags, deleteTags } from './actions/tags.ts';

export const actions: ReadonlyMap<string, Action> = new Map([
  ['AssumeRoleWithWebIdentity', assumeRoleWithWebIdentity],
  ['CreateRouteServerPeer', createRouteServerPeer],
  ['CreateTags', createTags],
  ['DeleteRouteServerPeer', deleteRouteServerPeer],
  ['DeleteTags', deleteTags],
  ['DescribeAvailabilityZones', describeAvailabilityZones],
  ['DescribeInstances', describeInstances],
  ['DescribeNetworkInterfaces', describeNetworkInterfaces],
  ['DescribeRouteServerEndpoints', describeRouteServerEndpoints],
  ['DescribeRouteServerPeers', describeRouteServerPeers],
  ['DescribeRouteServers', describeRouteServers],
  ['DescribeSubnets', describeSubnets],
  ['GetCallerIdentity', getCallerIdentity],
  ['GetRouteServerAssociations', getRouteServerAssociations],
  ['GetRouteServerPropagations', getRouteServerPropagations],
  ['GetRouteServerRoutingDatabase', getRouteServerRoutingDatabase],
  ['ModifyInstanceAttribute', modifyInstanceAttribute],
  ['ModifyNetworkInterfaceAttribute', modifyNetworkInterfaceAttribute],
]);
