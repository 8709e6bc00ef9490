/** What bears our mark in the cluster, and no decision explains. */
import { BGP_MANAGER, MANAGED_BY } from '../core/annotation.ts';
import { finalizers } from '../services/publisher/resource-requests.ts';
import type { Managed } from '../services/publisher/managed.ts';
import type { Difference } from '../services/publisher/difference.ts';
import type { ResourceThing } from '../services/publisher/resource.ts';
import type { Picture } from './verify-picture.ts';

/** As a difference that has no sides: `what` is the sentence. */
export function nobodys({ world, heard }: Picture): readonly Difference[] {
  const held = [...world.egressIPs.values()].filter(
    ({ uid, wanted, items }) => uid !== '' && wanted === undefined && items.length > 0,
  );
  const found = held.map(({ kind, name }) => bare(kind, name, STATUS));
  // Where bgp never spoke, somebody else routes.
  if (!heard.some(({ stream }) => stream === 'bgp')) return found;
  const { managed, resources } = world.routing;
  return [
    ...found,
    ...[...managed].filter(isNobodys).map((one) => bare(one.object.toLowerCase(), one.name, MARK)),
    ...[...resources].filter(isUndecided).map(({ kind, name }) => bare(kind, name, STATUS)),
  ];
}

const STATUS = 'has a status that nobody decided';
const MARK = `has our label ${MANAGED_BY}, but no decision is on this object`;

const bare = (kind: string, name: string, what: string): Difference => ({
  ...{ kind, name, what, cluster: '', sluice: '' },
});

/** One that was let go keeps the label; one that is being deleted is on its way out. */
function isNobodys({ seen, wanted, made, isDeleting }: Managed): boolean {
  if (seen?.labels[MANAGED_BY] !== BGP_MANAGER || isDeleting) return false;
  if (wanted === undefined) return true;
  const { want, uid } = wanted.decision;
  return want !== 'untouched' && uid !== seen.uid && made !== seen.uid;
}

/** Also our finalizer holds what nobody will ever let go. */
function isUndecided({ kind, seen, current }: ResourceThing): boolean {
  if (seen === undefined || current !== undefined) return false;
  return seen.status.phase !== '' || seen.finalizers.includes(finalizers[kind]);
}
