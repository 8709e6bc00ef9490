/** A single change in AWS, after a fresh look where it could hit somebody else's. */
import type { CloudChange, CloudPeer } from '../../core/cloud-door.ts';
import { listOf, property } from '../../core/json.ts';
import type { Ec2 } from '../ec2.ts';
import { CallFailed, type Desk } from './desk.ts';
import { OWNER_TAG, peerOf } from './read.ts';

/** The peer afterwards, as far as AWS tells it. @throws CallFailed */
export async function applyChange(
  desk: Desk,
  ec2: Ec2,
  change: CloudChange,
): Promise<CloudPeer | null> {
  switch (change.kind) {
    case 'create':
      return create(desk, ec2, change);
    case 'delete':
      return remove(desk, ec2, change);
    case 'tag':
      return tag(desk, ec2, change);
    case 'check':
      await desk.call(ec2, 'ModifyNetworkInterfaceAttribute', {
        NetworkInterfaceId: change.interface,
        SourceDestCheck: { Value: change.sourceDestCheck === 'on' },
      });
      return null;
  }
}

type Of<Kind> = Extract<CloudChange, { kind: Kind }>;

async function create(desk: Desk, ec2: Ec2, change: Of<'create'>): Promise<CloudPeer> {
  const answer = await desk.call(ec2, 'CreateRouteServerPeer', {
    RouteServerEndpointId: change.endpoint,
    PeerAddress: change.address,
    BgpOptions: { PeerAsn: change.asn, PeerLivenessDetection: change.liveness },
    TagSpecifications: [
      {
        ResourceType: 'route-server-peer',
        Tags: [{ Key: OWNER_TAG, Value: change.owner }],
      },
    ],
  });
  return peerOf(property(answer, 'RouteServerPeer'));
}

async function remove(desk: Desk, ec2: Ec2, change: Of<'delete'>): Promise<CloudPeer> {
  const peer = await fresh(desk, ec2, change.id);
  if (['deleting', 'deleted'].includes(peer.state)) return peer;
  const isOurs = peer.owner === change.owner || (change.made && peer.owner === '');
  if (!isOurs) throw foreign('ec2:DeleteRouteServerPeer', peer);
  const input = { RouteServerPeerId: change.id };
  const answer = await desk.call(ec2, 'DeleteRouteServerPeer', input);
  return { ...peer, ...peerOf(property(answer, 'RouteServerPeer')), owner: peer.owner };
}

async function tag(desk: Desk, ec2: Ec2, change: Of<'tag'>): Promise<CloudPeer> {
  const peer = await fresh(desk, ec2, change.id);
  if (peer.owner === change.owner) return peer;
  if (peer.owner !== '') throw foreign('ec2:CreateTags', peer);
  await desk.call(ec2, 'CreateTags', {
    Resources: [change.id],
    Tags: [{ Key: OWNER_TAG, Value: change.owner }],
  });
  return { ...peer, owner: change.owner };
}

/** The peer as it is now. @throws CallFailed of trouble `gone` when there is none. */
async function fresh(desk: Desk, ec2: Ec2, id: string): Promise<CloudPeer> {
  const input = { RouteServerPeerIds: [id] };
  const answer = await desk.call(ec2, 'DescribeRouteServerPeers', input);
  const item = listOf(property(answer, 'RouteServerPeers'))[0];
  if (item !== undefined) return peerOf(item);
  const action = 'ec2:DescribeRouteServerPeers';
  const message = `peer ${id} is not there`;
  throw new CallFailed({ trouble: 'gone', action, code: 'NotFound', message });
}

function foreign(action: string, { id, owner }: CloudPeer): CallFailed {
  const whose = owner === '' ? 'nobody’s' : `of ${owner}`;
  const message = `peer ${id} is ${whose} by its tags now`;
  return new CallFailed({ trouble: 'foreign', action, code: 'ForeignPeer', message });
}
