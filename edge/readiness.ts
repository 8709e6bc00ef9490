/** What a room's replica says on `/readyz`. */
import type { Check } from './health.ts';
import type { Lease } from './lease.ts';
import type { Vitals } from './vitality.ts';

/**
 * A replica that stands by for one that was seen to be alive is ready: a rollout may go on. Before
 * that, and before the log is opened, it is not.
 */
export function checksOf(
  log: { connected(): boolean } | undefined,
  lease: Lease | undefined,
  vitals: Vitals,
): readonly Check[] {
  const connected = log?.connected() === true;
  const nats = { name: 'nats', ok: connected, state: connected ? 'connected' : 'not connected' };
  return [nats, vitals.leads || lease === undefined ? caughtUp(vitals) : leader(lease)];
}

function caughtUp(vitals: Vitals): Check {
  const ok = vitals.caughtUp && vitals.waits === '';
  const state = ok
    ? `yes, ${vitals.heard} heard, ${vitals.spoke} spoken`
    : `waits for ${vitals.waits}`;
  return { name: 'caught up', ok, state };
}

function leader({ standsBy, trouble }: Lease): Check {
  if (trouble !== '') return { name: 'lease', ok: false, state: trouble };
  const ok = standsBy !== '';
  const state = ok ? `stands by for ${standsBy}` : 'waits for the lease of another replica';
  return { name: 'leader', ok, state };
}
