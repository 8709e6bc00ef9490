/** What aws-sync said itself: after a restart it is all that it remembers. */
import type { InterfaceChange, PeerChange } from '../../core/aws-decision.ts';
import type { Event, Heard } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { placeOf, type Entry, VANISHED, type World } from './world.ts';

/** What was said counts as said; what was done, or only intended, is not forgotten. */
export function recall(world: World, { event, atMs }: Heard): void {
  const { kind, name } = topicOf(event);
  world.oldestMs = Math.min(world.oldestMs, atMs);
  // What was seen and judged changes no plan; what was done, and what zones expect, does.
  world.dirty ||= !world.clocked || news.has(event.kind);
  switch (event.kind) {
    case 'PeerIntended':
      return recallPeer(world, event, { ...unknown, atMs });
    case 'PeerChanged':
      return recallPeer(world, event, { ...event, atMs });
    case 'InterfaceIntended':
      return recallInterface(world, event, { ...unknown, atMs });
    case 'InterfaceChanged':
      return recallInterface(world, event, { ...event, atMs });
    case 'NeighborsSeen':
      noteEffective(world, event, atMs);
      break;
    case 'RouteServersSeen':
      recallServed(world, event, atMs);
      break;
    case 'PeersSeen':
      recallPeers(world, event);
      break;
    default:
  }
  world.told.set(`${kind}/${name}`, { event, atMs });
}

/** What served before a restart serves until a picture tells otherwise. */
function recallServed(
  world: World,
  { region, servers }: Extract<Event, { kind: 'RouteServersSeen' }>,
  seenMs: number,
): void {
  for (const { id: server, asn, endpoints } of servers)
    for (const { id, state, subnet, zone, address, because } of endpoints) {
      if (!serving.has(state) || address === '' || zone === '') continue;
      const endpoint = { id, server, state, subnet, address, because };
      world.region(region).recall({ endpoint, zone, asn, seenMs });
    }
}

const news: ReadonlySet<string> = new Set(['PeerChanged', 'InterfaceChanged', 'NeighborsSeen']);

/** A first listing may be late: what it does not show of these is not gone yet. */
function recallPeers(world: World, event: Extract<Event, { kind: 'PeersSeen' }>): void {
  const { region, server, endpoint, peers } = event;
  for (const { ours: _, node: __, ...peer } of peers)
    world.region(region).recallPeer({ ...peer, server, endpoint });
}

const serving: ReadonlySet<string> = new Set(['available', 'failing', VANISHED]);

type Came = Omit<Entry<unknown>, 'change'>;

const unknown = { result: 'open', trouble: '', code: '', message: '' } as const;

function recallPeer(world: World, of: PeerChange, came: Came): void {
  const { change, region, server, endpoint, address, id, asn, liveness, node, made } = of;
  const whole = { change, region, server, endpoint, address, id, asn, liveness, node, made };
  const { result, trouble, code, message, atMs } = came;
  world.peerChanges.set(placeOf(of), { change: whole, result, trouble, code, message, atMs });
  if (change === 'delete' && result === 'open') remember(world, server, atMs);
  if (result === 'done') settle(world, of, atMs);
}

function remember(world: World, server: string, atMs: number): void {
  const recent = world.removals.get(server) ?? [];
  recent.push(atMs);
  world.removals.set(server, recent);
}

/**
 * The peer as it is after the change, as far as that follows from it. That AWS knows no such peer
 * is no proof: a reader that is late does not know a new one yet. The next listings tell.
 */
function settle(world: World, of: PeerChange, atMs: number): void {
  const { change, region: name, server, endpoint, address, id, asn, liveness } = of;
  const region = world.region(name);
  const state = { create: 'pending', tag: '', delete: 'deleting' }[change];
  const known = region.peers.get(id);
  const base = { server, endpoint, address, asn, liveness, bgp: '', bfd: '', because: '' };
  const peer = { id, ...base, state: 'available', ...known, owner: world.owner };
  if (id !== '') region.changed({ ...peer, ...(state !== '' && { state }) }, atMs);
}

function recallInterface(world: World, of: InterfaceChange, came: Came): void {
  const { node, uid, region, instance, interface: id, sourceDestCheck, reverts } = of;
  const change = { node, uid, region, instance, interface: id, sourceDestCheck, reverts };
  const { result, trouble, code, message, atMs } = came;
  world.interfaceChanges.set(node, { change, result, trouble, code, message, atMs });
  if (result === 'done') world.region(region).turned(instance, id, sourceDestCheck);
}

/** Since when a zone expects what it expects now: the other peers wait for its sessions. */
function noteEffective(
  world: World,
  { groups }: Extract<Event, { kind: 'NeighborsSeen' }>,
  atMs: number,
): void {
  const before = world.lastTold('NeighborsSeen', 'neighbors/cluster')?.groups ?? [];
  for (const { key, localASN, livenessDetection } of groups) {
    const old = before.find((group) => group.key === key);
    if (old?.localASN === localASN && old.livenessDetection === livenessDetection) continue;
    world.effectiveMs.set(key, atMs);
  }
}
