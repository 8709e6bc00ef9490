/** What is to be done about one object of BGP routing: wanted against seen. */
import type { Managed, ManagedStep } from './managed.ts';
import { type Differing, differs } from './managed-compare.ts';
import { places } from './managed-requests.ts';
import type { Routing } from './routing.ts';

/**
 * The next step; undefined when all is as wanted, or something must be heard first. An object that
 * is being deleted is waited for; one that was made by somebody else since the decision is decided
 * upon first.
 */
export function managedStep(routing: Routing, managed: Managed): ManagedStep | undefined {
  const { object, wanted, seen } = managed;
  if (wanted === undefined || wanted.decision.want === 'untouched') return undefined;
  const { want } = wanted.decision;
  if (seen === undefined || isUnseen(managed)) {
    if (want === 'absent' || object === 'Network') return undefined;
    // Before the first complete list, that nothing was seen means nothing.
    if (routing.served.get(places[object].plural) !== true) return undefined;
    return { verb: 'create', uid: '', wanted };
  }
  const { uid } = seen;
  const meant = wanted.decision.uid === uid || managed.made === uid;
  if (managed.isDeleting || !meant) return undefined;
  if (want === 'present')
    return differencesOf(managed).length === 0 ? undefined : { verb: 'update', uid, wanted };
  return object === 'Network' ? undefined : { verb: 'delete', uid, wanted };
}

/**
 * We made it and deleted it before any fact told of it: then none tells that it is gone either. If
 * it is still there, the server says so.
 */
const isUnseen = ({ seen, doomed, heard }: Managed): boolean =>
  seen !== undefined && seen.uid === doomed && heard !== doomed;

/** What differs from what is wanted; empty where nothing does. */
export function differencesOf({ seen, wanted, acceptedNow }: Managed): readonly Differing[] {
  if (seen === undefined || wanted?.decision.want !== 'present') return [];
  const { labels, dropped, spec } = wanted.decision;
  return differs(seen, { labels, dropped, spec, accepted: acceptedNow });
}

/** The object as it stands, and what is wanted of it: what was refused so is refused again. */
export const situationOf = ({ wanted, seen }: Managed): string =>
  JSON.stringify([wanted?.content, seen?.uid, seen?.spec, Object.entries(seen?.labels ?? {})]);
