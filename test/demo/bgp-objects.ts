/** What the acts about BGP read and write of the cluster. */
import type { Api, ApiObject } from '../controlplane/api.ts';
import { until } from './step.ts';

const ours = '/apis/networking.openshift.io/v1alpha1';
export const configs = `${ours}/cudnbgpconfigs`;
export const routings = `${ours}/cudnbgproutings`;

/** The only CUDNBgpConfig, for nodes with the label `bgp_router: "true"`. */
export const configOf = (spec: object): ApiObject => ({
  apiVersion: 'networking.openshift.io/v1alpha1',
  kind: 'CUDNBgpConfig',
  metadata: { name: 'cluster' },
  spec: { routerNodeSelector: { bgp_router: 'true' }, ...spec },
});

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface Status {
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
}

/** Empty while there is no such object. */
export async function statusOf(api: Api, path: string): Promise<Status> {
  const { status, body } = await api.call('GET', path);
  return status === 200 ? (body.status ?? {}) : {};
}

/** Waits for a phase; what the conditions say instead is in the error. */
export async function hasPhase(api: Api, path: string, phase: string): Promise<void> {
  let last: Status = {};
  await until(
    `${path} is ${phase}`,
    async () => (last = await statusOf(api, path)).phase === phase,
    () => `: ${JSON.stringify(last)}`,
  );
}

/** Waits until a condition has this reason. */
export async function says(api: Api, type: string, reason: string): Promise<void> {
  let last: Status = {};
  await until(
    `${type} is ${reason}`,
    async () => {
      last = await statusOf(api, `${configs}/cluster`);
      return last.conditions?.some((one) => one.type === type && one.reason === reason) === true;
    },
    () => `: ${JSON.stringify(last)}`,
  );
}

/** Deletes an object and waits until it is gone, which its finalizer may put off. */
export async function remove(api: Api, path: string): Promise<void> {
  await api.delete(path);
  await until(`${path} is gone`, async () => (await api.call('GET', path)).status === 404);
}
