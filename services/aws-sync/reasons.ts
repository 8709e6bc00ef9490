/** The reasons of conditions for what AWS refused. */
import type { Trouble } from '../../core/cloud-door.ts';
import type { Reason } from './plan.ts';

export function troubleReason(trouble: Trouble | ''): Reason {
  if (trouble === 'permission') return 'Unauthorized';
  if (trouble === 'quota') return 'PeerQuotaExceeded';
  return trouble === 'foreign' ? 'PeerConflict' : 'AWSReconcileFailed';
}
