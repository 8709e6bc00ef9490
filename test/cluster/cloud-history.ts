/** What must hold of statuses and CloudPrivateIPConfigs after every single write, in one order. */
import assert from 'node:assert/strict';
import { addressOfCloudName } from '../../core/cloudname.ts';
import { type EgressIP, homesOf } from './objects.ts';
import type { Change, Seen, Watched } from './watched.ts';

export interface CloudClaim extends Seen {
  readonly metadata: Seen['metadata'] & { readonly deletionTimestamp?: string };
  readonly spec: { readonly node: string };
  readonly status?: {
    readonly node?: string;
    readonly conditions: readonly { readonly status: string }[];
  };
}

export const claims = '/apis/cloud.network.openshift.io/v1/cloudprivateipconfigs';

const ownerKey = 'k8s.ovn.org/egressip-owner-ref';

function isConfirmed(claim: CloudClaim | undefined, owner: string, node: string): boolean {
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return false;
  const { spec, status, metadata } = claim;
  const ours = metadata.annotations?.[ownerKey] === owner && spec.node === node;
  return ours && status?.node === node && status.conditions[0]?.status === 'True';
}

type Write =
  | { readonly of: 'egressip'; readonly change: Change<EgressIP> }
  | { readonly of: 'claim'; readonly change: Change<CloudClaim> };

/** Both histories in the order of the API server: versions are counted over all kinds. */
function inOrder(egressIPs: Watched<EgressIP>, seen: Watched<CloudClaim>): readonly Write[] {
  const all: Write[] = [
    ...egressIPs.history.map((change): Write => ({ of: 'egressip', change })),
    ...seen.history.map((change): Write => ({ of: 'claim', change })),
  ];
  const version = ({ change }: Write): bigint => BigInt(change.object.metadata.resourceVersion);
  return all.sort((a, b) => (version(a) < version(b) ? -1 : 1));
}

/**
 * No address enters a status before its claim is confirmed there, and none is moved or deleted in
 * the cloud while a status has it (`spec/egressip.md` 11.8). `byHand` = what the test deleted.
 * Returns how many entries into statuses and how many releases were looked at.
 */
export function neverUnconfirmed(
  egressIPs: Watched<EgressIP>,
  seen: Watched<CloudClaim>,
  byHand: ReadonlySet<string>,
): { readonly entered: number; readonly released: number } {
  const objects = new Map<string, EgressIP>();
  const there = new Map<string, CloudClaim>();
  const count = { entered: 0, released: 0 };
  for (const write of inOrder(egressIPs, seen)) {
    const { name } = write.change.object.metadata;
    if (write.of === 'egressip') {
      count.entered += checkEntry(write.change, objects.get(name), there);
      if (write.change.type === 'DELETED') objects.delete(name);
      else objects.set(name, write.change.object);
      continue;
    }
    count.released += checkRelease(write.change, there.get(name), objects, byHand);
    if (write.change.type === 'DELETED') there.delete(name);
    else there.set(name, write.change.object);
  }
  return count;
}

function checkEntry(
  { type, object }: Change<EgressIP>,
  before: EgressIP | undefined,
  there: ReadonlyMap<string, CloudClaim>,
): number {
  if (type === 'DELETED') return 0;
  const { name } = object.metadata;
  const old = before?.status?.items ?? [];
  const fresh = (object.status?.items ?? []).filter(
    ({ egressIP, node }) => !old.some((one) => one.egressIP === egressIP && one.node === node),
  );
  for (const { egressIP, node } of fresh) {
    const claim = [...there.values()].find((one) => addressOf(one) === egressIP);
    assert.ok(isConfirmed(claim, name, node), `${name}: ${homesOf(object)} is not confirmed`);
  }
  return fresh.length;
}

const addressOf = ({ metadata }: CloudClaim): string | undefined =>
  addressOfCloudName(metadata.name)?.text;

function checkRelease(
  { object }: Change<CloudClaim>,
  before: CloudClaim | undefined,
  objects: ReadonlyMap<string, EgressIP>,
  byHand: ReadonlySet<string>,
): number {
  if (before === undefined || byHand.has(object.metadata.name)) return 0;
  const leaves = object.metadata.deletionTimestamp !== undefined;
  const deleted = leaves && before.metadata.deletionTimestamp === undefined;
  if (!deleted && object.spec.node === before.spec.node) return 0;
  for (const one of objects.values()) {
    const has = one.status?.items?.some(({ egressIP }) => egressIP === addressOf(object));
    assert.ok(!has, `${one.metadata.name} still had ${object.metadata.name} when it was released`);
  }
  return 1;
}
