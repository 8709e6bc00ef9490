/** What the Roles of a rendering allow each account, as OLM can grant it. */
import type { Rendered } from './helm.ts';

export type Rule = Readonly<Record<string, unknown>>;

/** OLM grants in its own namespace or everywhere, nothing in between. */
export interface Grants {
  readonly account: string;
  readonly own: readonly Rule[];
  readonly everywhere: readonly Rule[];
}

// oxlint-disable-next-line no-explicit-any -- Roles and bindings are read here
type Any = any;

/** All accounts of the Deployments, also those that may do nothing: OLM makes these. */
export function accountsOf(rendered: Rendered, namespace = 'sluice'): readonly Grants[] {
  const names = rendered.of('ServiceAccount').map(({ metadata }) => metadata.name);
  const bindings: Any[] = [...rendered.of('RoleBinding'), ...rendered.of('ClusterRoleBinding')];
  const rulesOf = (account: string, isOwn: boolean): Rule[] =>
    bindings
      .filter(({ subjects }) => subjects.some(({ name }: Any) => name === account))
      .filter(({ metadata }) => (metadata.namespace === namespace) === isOwn)
      .flatMap((binding) => roleOf(rendered, binding).rules as Rule[]);
  return names.sort().map((account) => ({
    account,
    own: rulesOf(account, true),
    everywhere: rulesOf(account, false),
  }));
}

function roleOf(rendered: Rendered, { roleRef, metadata }: Any): Any {
  const found = rendered
    .of(roleRef.kind)
    .find((role: Any) => role.metadata.name === roleRef.name && isThere(role, metadata.namespace));
  if (found === undefined) throw new Error(`there is no ${roleRef.kind} ${roleRef.name}`);
  return found;
}

const isThere = (role: Any, namespace: string | undefined): boolean =>
  role.kind === 'ClusterRole' || role.metadata.namespace === namespace;
