/** The writes to CloudPrivateIPConfigs, and what is looked at before each. */
import { CLOUD_OWNER } from '../../core/annotation.ts';
import type { KubeRequest } from '../../core/door.ts';
import type { Claim, Step } from './claims.ts';
import { CLAIMS, type ClaimAct, type Look } from './input.ts';

const MANAGER = 'fieldManager=sluice';

export function claimAct(claim: Claim, step: Step): ClaimAct {
  const { address, name, failed } = claim;
  const requests = [requestOf(name, step)];
  return { kind: 'Claim', address, name, requests, looks: looksOf(claim, step), failed };
}

function requestOf(name: string, { verb, node, owner, uid }: Step): KubeRequest {
  const annotations = { [CLOUD_OWNER]: owner };
  if (verb === 'create') {
    const body = {
      apiVersion: 'cloud.network.openshift.io/v1',
      kind: 'CloudPrivateIPConfig',
      metadata: { name, annotations },
      spec: { node },
    };
    const path = `${CLAIMS}?${MANAGER}`;
    return { method: 'POST', path, contentType: 'application/json', body };
  }
  const path = `${CLAIMS}/${name}`;
  if (verb === 'delete') {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
    return { method: 'DELETE', path, contentType: 'application/json', body };
  }
  return {
    method: 'PATCH',
    path: `${path}?${MANAGER}`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { uid, annotations }, spec: { node } },
  };
}

/** Nobody's status may have the address: neither that of the old owner nor that of the new one. */
function looksOf({ address, seen }: Claim, { owner }: Step): readonly Look[] {
  const names = new Set([owner, seen?.owner ?? '']);
  names.delete('');
  return [...names].map((name): Look => ({ kind: 'Absent', name, address }));
}
