/** Random steps of a cluster's life, as a watcher would tell them. */
import type { EgressIP, Fact, LabelSelector } from '../../core/fact.ts';
import {
  DRAIN,
  EGRESS_IPCONFIG,
  EGRESSIP_MARK,
  HOST_CIDRS,
  REBALANCE,
} from '../../core/annotation.ts';
import type { seeded } from '../every.ts';
import { node, where } from './scene.ts';

type Draw = ReturnType<typeof seeded>;

const names = ['a', 'b', 'c', 'd', 'e'];
const objects = ['w', 'x', 'y', 'z'];
const addresses = ['203.0.113.100', '203.0.113.101', '203.0.113.102', '10.9.9.9', 'garbage'];
const AWS: Fact = { kind: 'PlatformSeen', platform: 'AWS', infrastructureName: 'it' };

const capacity = (ipv4: number): string =>
  JSON.stringify([
    { interface: 'eni-1', ifaddr: { ipv4: '203.0.113.0/24' }, capacity: { ipv4, ipv6: 0 } },
  ]);

/** What comes first: the first complete picture, on a cloud or not. */
export function beginning({ next }: Draw): readonly Fact[] {
  const kinds = ['nodes', 'egressips', 'cloudprivateipconfigs'];
  const synced: Fact = { kind: 'Synced', kinds, probing: 'grpc' };
  return next() < 0.3 ? [AWS, synced] : [synced];
}

/** The next step each time. */
export function randomLife(draw: Draw): () => Fact {
  const serials = new Map(objects.map((name) => [name, 0]));
  return () => randomFact(draw, serials);
}

function randomFact(draw: Draw, serials: Map<string, number>): Fact {
  const { one, next } = draw;
  const roll = next();
  const name = one(names);
  if (roll < 0.08) return { kind: 'NodeGone', name, uid: `uid-${name}` };
  if (roll < 0.35) return { kind: 'NodeSeen', node: randomNode(draw, name) };
  if (roll < 0.6) return randomAnswer(draw, name);
  if (roll < 0.7) return randomClaim(draw);
  const object = one(objects);
  const serial = serials.get(object) ?? 0;
  const uid = `uid-${object}-${serial}`;
  // An object that comes again, or one whose end was not seen, is another one.
  if (roll < 0.75 || next() < 0.15) serials.set(object, serial + 1);
  if (roll < 0.75) return { kind: 'EgressIPGone', name: object, uid };
  return { kind: 'EgressIPSeen', egressIP: randomEgressIP(draw, object, uid) };
}

function randomNode({ one, next }: Draw, name: string) {
  const whole = node(name, 1 + names.indexOf(name), { tier: one(['p', 'q']) });
  const labels = { ...whole.labels, 'topology.kubernetes.io/zone': one(['z1', 'z2']) };
  const annotations = {
    ...whole.annotations,
    ...(next() < 0.1 && { [HOST_CIDRS]: 'garbage' }),
    ...(next() < 0.9 && { [EGRESS_IPCONFIG]: capacity(one([1, 2, 14])) }),
    ...(next() < 0.1 && { [DRAIN]: 'true' }),
  };
  return { ...whole, labels, annotations, ready: next() < 0.8 };
}

function randomAnswer({ next }: Draw, name: string): Fact {
  if (next() < 0.15) return { kind: 'ReachabilityForgotten', name };
  const reachable = next() < 0.75;
  return { kind: 'ReachabilitySeen', name, uid: `uid-${name}`, reachable, because: 'probe' };
}

function randomClaim({ one, next }: Draw): Fact {
  const name = one(addresses.slice(0, 3));
  if (next() < 0.3) return { kind: 'CloudClaimGone', name, uid: `uid-${name}` };
  const assigned = one(['True', 'False', 'Unknown', '']);
  const at = { node: one(names), statusNode: one(['', ...names]), owner: one(['', ...objects]) };
  const rest = { message: 'cloud', sinceMs: 0, deleting: next() < 0.1 };
  return { kind: 'CloudClaimSeen', claim: { name, uid: `uid-${name}`, ...at, assigned, ...rest } };
}

function randomEgressIP({ one, next }: Draw, name: string, uid: string): EgressIP {
  const wanted = [one(addresses), one(addresses), one(addresses)].slice(0, one([1, 2, 3]));
  const nodeSelector: LabelSelector = one([where({}), where({ tier: 'p' }), where({ tier: 'q' })]);
  const annotations = {
    ...(next() < 0.3 && { [REBALANCE]: one(['1/min', '10/min']) }),
    ...(next() < 0.2 && { [EGRESSIP_MARK]: one(['50001', '50007', 'garbage']) }),
  };
  const items = next() < 0.3 ? [{ egressIP: one(addresses), node: one(names) }] : [];
  const createdMs = objects.indexOf(name);
  return { name, uid, createdMs, addresses: wanted, nodeSelector, items, annotations };
}
