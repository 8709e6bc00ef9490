/** A notice as an Event of events.k8s.io/v1 on its object, so that `kubectl describe` shows it. */
import type { Notice } from '../../core/decision.ts';
import type { KubeRequest } from '../../core/door.ts';
import type { Noted, Untold } from './noted.ts';
import type { Entry } from './record.ts';

/** Events of cluster-scoped objects live here. */
const NAMESPACE = 'default';
/** `note` may have 1,024 bytes, a name 253 characters. */
const NOTE = 1024;
const NAME = 253;

const OURS = 'networking.openshift.io/v1alpha1';

const apiVersions = {
  ...{ egressip: 'k8s.ovn.org/v1', node: 'v1' },
  ...{ cudnbgpconfig: OURS, cudnbgprouting: OURS },
};
const kinds = {
  ...{ egressip: 'EgressIP', node: 'Node' },
  ...{ cudnbgpconfig: 'CUDNBgpConfig', cudnbgprouting: 'CUDNBgpRouting' },
};
const actions = {
  ...{ egressip: 'PlaceAddresses', node: 'ReadNode' },
  ...{ cudnbgpconfig: 'RouteNetworks', cudnbgprouting: 'RouteNetworks' },
};

const EVENTS = `/apis/events.k8s.io/v1/namespaces/${NAMESPACE}/events`;

/**
 * The name follows from the object, the time and the sequence of the decision (two may be of the
 * same millisecond) and the place of the notice in it: what was recorded before a crash is refused
 * as AlreadyExists and not recorded twice.
 */
export function eventName(thing: Noted, { atMs, decision, serial }: Untold, index: number): string {
  const place = [atMs.toString(16), serial || decision.toString(16), index.toString(16)];
  const suffix = `.${place.join('.')}`;
  return `${thing.name.slice(0, NAME - suffix.length)}${suffix}`;
}

/** Creates the Event, or counts it up as a series; the count is absolute, so twice does no harm. */
export function eventRequest(thing: Noted, entry: Entry, atMs: number): KubeRequest {
  if (entry.kind === 'New') return creation(thing, entry.event, entry.notice, atMs);
  const { event, count, lastMs } = entry;
  return {
    method: 'PATCH',
    path: `${EVENTS}/${event}?fieldManager=sluice`,
    contentType: 'application/merge-patch+json',
    body: { series: { count, lastObservedTime: microTime(lastMs) } },
  };
}

function creation(thing: Noted, name: string, notice: Notice, atMs: number): KubeRequest {
  const { reason, type } = notice;
  return {
    method: 'POST',
    path: `${EVENTS}?fieldManager=sluice`,
    contentType: 'application/json',
    body: {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, namespace: NAMESPACE },
      eventTime: microTime(atMs),
      reportingController: 'sluice.dev/publisher',
      reportingInstance: 'sluice-publisher',
      action: actions[thing.kind],
      reason,
      type,
      note: cut(notice.note),
      regarding: {
        apiVersion: apiVersions[thing.kind],
        kind: kinds[thing.kind],
        name: thing.name,
        uid: thing.uid,
      },
    },
  };
}

/** At most 1,024 bytes, never through the middle of a character. */
function cut(note: string): string {
  if (new TextEncoder().encode(note).length <= NOTE) return note;
  let text = note.slice(0, NOTE - 3);
  while (new TextEncoder().encode(text).length > NOTE - 3) text = text.slice(0, -1);
  return `${text.replace(/[\ud800-\udbff]$/, '')}…`;
}

function microTime(atMs: number): string {
  return new Date(atMs).toISOString().replace('Z', '000Z');
}
