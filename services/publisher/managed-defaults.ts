/** What servers add to a spec by themselves: the defaults of the CRDs, and of their APIs. */
import { isObject } from '../../core/json.ts';

/**
 * By the end of the path; `[]` stands for any place in a list. Read in the CRDs of frr-k8s 0.0.24
 * and OVN-Kubernetes 1.3; what is false, 0 or empty needs no row.
 */
const defaults: readonly (readonly [end: string, value: unknown])[] = [
  ['neighbors[].port', 179],
  ['neighbors[].holdTime', '180s'],
  ['neighbors[].holdTime', '3m0s'],
  ['neighbors[].keepaliveTime', '60s'],
  ['neighbors[].keepaliveTime', '1m0s'],
  ['neighbors[].addressFamilies', ['unicast']],
  ['toAdvertise.allowed.mode', 'filtered'],
  ['toReceive.allowed.mode', 'filtered'],
  ['bfdProfiles[].receiveInterval', 300],
  ['bfdProfiles[].transmitInterval', 300],
  ['bfdProfiles[].detectMultiplier', 3],
  ['bfdProfiles[].echoInterval', 50],
  ['bfdProfiles[].minimumTtl', 254],
  ['layer2.ipam.mode', 'Enabled'],
  ['spec.targetVRF', 'default'],
];

/** Whether a field that nobody asked for has the value that it would have anyway. */
export function isDefault(path: string, value: unknown): boolean {
  const place = path.replace(/\[\d+\]/g, '[]');
  if (value === false || value === 0 || value === '' || value === null) return true;
  if (Array.isArray(value) && value.length === 0) return true;
  if (isObject(value))
    return Object.entries(value).every(([key, one]) => isDefault(`${path}.${key}`, one));
  const text = JSON.stringify(value);
  return defaults.some(([end, one]) => place.endsWith(end) && JSON.stringify(one) === text);
}
