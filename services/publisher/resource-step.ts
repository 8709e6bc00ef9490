/** What is to be done about a resource: its finalizer first, then its status. */
import type { KubeRequest } from '../../core/door.ts';
import { overlay } from './overlay.ts';
import type { ResourceStep, ResourceThing, WantedStatus } from './resource.ts';
import { finalizerRequest, finalizers, statusRequest } from './resource-requests.ts';
import { contentOfStatus, sameStatus, wantedStatus } from './resource-status.ts';
import type { Routing } from './routing.ts';

export interface ResourceTurn extends ResourceStep {
  readonly requests: readonly KubeRequest[];
}

/** Undefined when nothing was decided on the object that is there, or all is as decided. */
export function resourceStep(routing: Routing, thing: ResourceThing): ResourceTurn | undefined {
  const { seen, current } = thing;
  if (seen === undefined || current === undefined) return undefined;
  const { uid } = seen;
  const has = seen.finalizers.includes(finalizers[thing.kind]);
  if (has && mayGo(thing) && !routing.leaves(thing)) {
    const requests = [finalizerRequest(thing, seen, false)];
    return { uid, wrote: 'finalizer', content: 'released', status: undefined, requests };
  }
  const add = !has && current.finalizer && !seen.deleting;
  const status = statusFor(routing, thing);
  const differs = status !== undefined && !sameStatus(status, seen.status);
  if (!add && !differs) return undefined;
  const requests = [
    ...(add ? [finalizerRequest(thing, seen, true)] : []),
    ...(differs ? [statusRequest(thing, status)] : []),
  ];
  const wrote = [add ? 'finalizer' : '', differs ? 'status' : ''];
  return {
    uid,
    wrote: wrote.filter((word) => word !== '').join('+'),
    content: status === undefined ? '' : contentOfStatus(status),
    status: differs ? status : undefined,
    requests,
  };
}

/** Who has `spec.aws` waits until aws-sync has said that nothing of ours is left there. */
function mayGo({ current, currentJudged, seen }: ResourceThing): boolean {
  if (current === undefined || current.finalizer) return false;
  return currentJudged === undefined ? seen?.aws !== true : currentJudged.released;
}

export function statusFor(routing: Routing, thing: ResourceThing): WantedStatus | undefined {
  const { current, currentJudged, seen, written } = thing;
  if (current === undefined) return undefined;
  const overlaid = overlay(routing.troublesOf(thing));
  return wantedStatus(current, currentJudged, overlaid, [written, seen?.status]);
}
