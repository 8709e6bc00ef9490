/** OVN-Kubernetes' rule that a namespace is made for a primary network, or never is. */
import type { Api } from '../controlplane/api.ts';
import { eventually } from '../controlplane/wait.ts';
import { namespaces, PRIMARY_LABEL } from './objects.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const name = 'user-defined-networks-namespace-label';
const has = (object: string): string =>
  `(has(${object}.metadata.labels) && '${PRIMARY_LABEL}' in ${object}.metadata.labels)`;

/** Applies the policy; resolves when the API server keeps it. */
export async function applyNamespaceLabelPolicy(api: Api): Promise<void> {
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['UPDATE'],
    resources: ['namespaces'],
  };
  const validation = {
    expression: `${has('object')} == ${has('oldObject')}`,
    message: `The '${PRIMARY_LABEL}' label cannot be added/removed after the namespace was created`,
  };
  const spec = {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: [rule] },
    validations: [validation],
  };
  await apply(api, 'ValidatingAdmissionPolicy', spec);
  const binding = { policyName: name, validationActions: ['Deny'] };
  await apply(api, 'ValidatingAdmissionPolicyBinding', binding);
  const path = `${namespaces}/default?dryRun=All`;
  const patch = { metadata: { labels: { [PRIMARY_LABEL]: '' } } };
  await eventually('the policy is kept', { withinMs: 20_000 }, async () => {
    const { status } = await api.call('PATCH', path, patch, 'application/merge-patch+json');
    return status === 422;
  });
}

/** The plural of both kinds is irregular. */
async function apply(api: Api, kind: string, spec: object): Promise<void> {
  const plural = kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  const path = `/apis/${apiVersion}/${plural.toLowerCase()}/${name}?fieldManager=test&force=true`;
  const object = { apiVersion, kind, metadata: { name }, spec };
  const { status, body } = await api.call('PATCH', path, object, 'application/apply-patch+yaml');
  if (status >= 300) throw new Error(body.message);
}
