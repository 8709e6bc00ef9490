/** A simulated cluster with one way to ask it, for its tests. */
import assert from 'node:assert/strict';
import type { KubeObject, KubeRequest } from '../../core/door.ts';
import { property } from '../../core/json.ts';
import { Activity } from '../../edge/simulated/activity.ts';
import { EGRESSIPS } from '../../edge/simulated/admission.ts';
import { SimulatedClock } from '../../edge/simulated/clock.ts';
import { SimulatedCluster } from '../../edge/simulated/cluster.ts';

export const never = new AbortController().signal;

export function openCluster(statusSubresource = false) {
  const activity = new Activity();
  const cluster = new SimulatedCluster(activity, new SimulatedClock(activity), statusSubresource);
  const ask = (method: KubeRequest['method'], path: string, body?: unknown, type = 'merge-patch') =>
    cluster.request({ method, path, contentType: `application/${type}+json`, body }, never);
  return { cluster, ask };
}

export const spec = { egressIPs: ['10.0.0.1'], namespaceSelector: {} };
export const web = { metadata: { name: 'web', annotations: { owner: 'me' } }, spec };
export const path = `${EGRESSIPS}/web`;

export async function take<T>(source: AsyncIterator<T>): Promise<T> {
  const { value, done } = await source.next();
  assert.equal(done, false);
  return value as T;
}

/** The object's value at a path, for whoever looks on: `status`, `items`. */
export function valueAt(object: KubeObject | undefined, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => property(value, key), object);
}
