/** What the cloud controller does next with an object (`spec/egressip.md` 2.2): pure. */
import type { KubeObject } from '../../core/door.ts';
import { type JsonObject, listOf, property, textOf } from '../../core/json.ts';
import type { CallKind } from './cloud.ts';

/** Held by the cloud controller until the cloud has released the address. */
export const CLOUD_FINALIZER = 'cloudprivateipconfig.cloud.network.openshift.io/finalizer';

export interface CloudStatus {
  readonly node: string;
  readonly assigned: 'True' | 'False' | 'Unknown';
  readonly message: string;
}

export type CloudStep =
  /** All is as it should be, or nothing can be done about it. */
  | { readonly kind: 'Rest' }
  /** The finalizer is put on, so that a delete waits for the cloud; or taken off, and it may go. */
  | { readonly kind: 'Hold' | 'LetGo' }
  /** It is reported and left at that. */
  | { readonly kind: 'Report'; readonly status: CloudStatus }
  /** `pending` is reported, the cloud is called, then `done` is, or `failed` with its reason. */
  | {
      readonly kind: 'Call';
      readonly call: CallKind;
      readonly node: string;
      readonly pending: CloudStatus;
      /** Undefined: the address is released, and the object may go. */
      readonly done: CloudStatus | undefined;
      /** The node that a failure is told of. */
      readonly failedOn: string;
    };

const rest: CloudStep = { kind: 'Rest' };

const call = (
  kind: CallKind,
  node: string,
  at: string,
  words: string,
  done: CloudStatus | undefined,
): CloudStep => {
  const pending: CloudStatus = { node: at, assigned: 'Unknown', message: words };
  return { kind: 'Call', call: kind, node, pending, done, failedOn: at };
};

const success = (node: string, message: string): CloudStatus => ({
  node,
  assigned: 'True',
  message,
});

/** `moves`: see CloudManners. `exists` tells whether there is a Node of that name. */
export function nextStep(
  object: KubeObject,
  moves: boolean,
  exists: (node: string) => boolean,
): CloudStep {
  const seen = statusOf(object);
  const wanted = textOf(property(object['spec'], 'node'));
  const held = finalizersOf(object).includes(CLOUD_FINALIZER);
  if (property(object.metadata, 'deletionTimestamp') !== undefined) return leave(seen, held);
  if (!held) return { kind: 'Hold' };
  if (seen.node === wanted && seen.assigned === 'True') return rest;
  if (!exists(wanted)) return reportMissing(seen, wanted);
  if (seen.node === '' || seen.node === wanted)
    return call('assign', wanted, wanted, 'Adding IP address', success(wanted, 'IP address added'));
  if (moves)
    return call(
      'move',
      wanted,
      seen.node,
      'Moving IP address',
      success(wanted, 'IP address moved'),
    );
  const released = success('', 'IP address successfully deleted');
  return call('release', seen.node, seen.node, 'Deleting IP address', released);
}

function leave({ node }: Seen, held: boolean): CloudStep {
  if (!held) return rest;
  if (node === '') return { kind: 'LetGo' };
  return call('release', node, node, 'Deleting IP address', undefined);
}

/** A node that does not exist fails for good; an address that is elsewhere stays there. */
function reportMissing(seen: Seen, wanted: string): CloudStep {
  const message = `Node "${wanted}" does not exist`;
  if (seen.assigned === 'False' && seen.message === message) return rest;
  const node = seen.node === '' ? wanted : seen.node;
  return { kind: 'Report', status: { node, assigned: 'False', message } };
}

interface Seen {
  readonly node: string;
  readonly assigned: string;
  readonly message: string;
}

function statusOf(object: KubeObject): Seen {
  const { status } = object;
  const [condition] = listOf(property(status, 'conditions'));
  return {
    node: textOf(property(status, 'node')),
    assigned: textOf(property(condition, 'status')),
    message: textOf(property(condition, 'message')),
  };
}

/** Whether the object tells this already. */
export function tells(object: KubeObject, status: CloudStatus): boolean {
  const { node, assigned, message } = statusOf(object);
  return node === status.node && assigned === status.assigned && message === status.message;
}

export function finalizersOf(object: KubeObject): readonly string[] {
  return listOf(property(object.metadata, 'finalizers')).map(textOf);
}

const reasons = {
  True: 'CloudResponseSuccess',
  False: 'CloudResponseError',
  Unknown: 'CloudResponsePending',
} as const;

/** The status as it stands in the object; the API server keeps whole seconds of the time. */
export function statusObject({ node, assigned, message }: CloudStatus, atMs: number): JsonObject {
  const lastTransitionTime = new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const reason = reasons[assigned];
  const condition = { type: 'Assigned', status: assigned, reason, message, lastTransitionTime };
  return { node, conditions: [condition] };
}
