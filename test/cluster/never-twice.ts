/** The law of order across objects: an address leaves one status before it enters another's. */
import assert from 'node:assert/strict';
import type { House } from './house.ts';
import { type EgressIP, homesOf } from './objects.ts';

/** Plays the history of the collection and looks after each write who has which address. */
export function neverTwice(house: House): void {
  const now = new Map<string, EgressIP>();
  for (const { type, object } of house.egressIPs.history) {
    if (type === 'DELETED') now.delete(object.metadata.name);
    else now.set(object.metadata.name, object);
    const items = [...now.values()].flatMap(({ status }) => status?.items ?? []);
    const addresses = items.map(({ egressIP }) => egressIP);
    const all = [...now.values()].map((one) => `${one.metadata.name}: ${homesOf(one)}`);
    assert.equal(new Set(addresses).size, addresses.length, all.join('\n'));
  }
}
