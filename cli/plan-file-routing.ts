/** CUDNBgpConfigs and CUDNBgpRoutings of a file, taken into the draft as `kubectl apply` would. */
import type { KubeObject } from '../core/door.ts';
import { property, textOf } from '../core/json.ts';
import { configOf, routingOf } from '../services/watcher/project-bgp.ts';
import type { Draft } from './plan-draft.ts';

/** What the cluster knows of the object that the file does not say. */
interface Known {
  readonly uid: string;
  readonly createdMs: number;
  readonly generation: number;
}

/** Why it cannot be read; undefined = it can. Checks of the CRDs are the API server's. */
export function applyRouting(draft: Draft, object: KubeObject, nowMs: number): string | undefined {
  const { name } = object.metadata;
  const isConfig = object['kind'] === 'CUDNBgpConfig';
  const problem = isConfig ? configProblem(object['spec']) : routingProblem(object['spec']);
  if (problem !== undefined) return problem;
  if (isConfig) {
    const known = draft.knownConfig(name);
    const config = configOf(object);
    const annotations = { ...known?.annotations, ...config.annotations };
    draft.putConfig({ ...config, annotations, ...standing(known, name, nowMs) });
  } else {
    const known = draft.knownRouting(name);
    draft.putRouting({ ...routingOf(object), ...standing(known, name, nowMs) });
  }
  return undefined;
}

/** Its life, finalizers and status go on; the spec is another one. */
function standing<T extends Known>(known: T | undefined, name: string, nowMs: number) {
  const fresh = {
    ...{ uid: `planned-${name}`, createdMs: nowMs, generation: 0, finalizers: [] },
    status: { phase: '', observedGeneration: 0, conditions: [], aws: '' },
  };
  const { uid, createdMs, generation, finalizers, status } = { ...fresh, ...known };
  return { uid, createdMs, generation: generation + 1, finalizers, status, deleting: false };
}

const configProblem = (spec: unknown): string | undefined =>
  typeof property(property(spec, 'bgp'), 'localASN') === 'number'
    ? undefined
    : 'spec.bgp.localASN: Required value';

function routingProblem(spec: unknown): string | undefined {
  const network = property(spec, 'network');
  if (textOf(property(network, 'name')) === '') return 'spec.network.name: Required value';
  const isList = Array.isArray(property(network, 'subnets'));
  return isList ? undefined : 'spec.network.subnets: Required value';
}
