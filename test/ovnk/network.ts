/** What OVN-Kubernetes says of a ClusterUserDefinedNetwork: pure. */
import { selectorOf } from '../frrk8s/rules.ts';
import {
  type Condition,
  isPrimary,
  type Namespace,
  type Network,
  PRIMARY_LABEL,
} from './objects.ts';

export interface Served {
  /** Where there is a NetworkAttachmentDefinition of the network, in order of name. */
  readonly namespaces: readonly string[];
  readonly condition: Condition;
}

/** One namespace that cannot be served does not keep the network from the others. */
export function serve(
  network: Network,
  all: readonly Network[],
  namespaces: readonly Namespace[],
): Served {
  const matching = matchingOf(network, namespaces);
  const problems = new Map<string, string>();
  for (const namespace of matching) {
    const problem = problemOf(network, all, namespace);
    if (problem !== undefined) problems.set(namespace.metadata.name, problem);
  }
  const names = matching.map(({ metadata }) => metadata.name).sort();
  const served = names.filter((name) => !problems.has(name));
  const words = names.flatMap((name) => problems.get(name) ?? []);
  const condition: Condition =
    words.length === 0
      ? {
          type: 'NetworkCreated',
          status: 'True',
          reason: 'NetworkAttachmentDefinitionCreated',
          message: `${created}: [${served.join(', ')}]`,
        }
      : notCreated(words.join('\n'));
  return { namespaces: served, condition };
}

const created = 'NetworkAttachmentDefinition has been created in following namespaces';

export const notCreated = (
  message: string,
  reason = 'NetworkAttachmentDefinitionSyncError',
): Condition => ({ type: 'NetworkCreated', status: 'False', reason, message });

function matchingOf(network: Network, namespaces: readonly Namespace[]): Namespace[] {
  const selector = selectorOf(network.spec.namespaceSelector);
  return namespaces.filter(({ metadata }) => {
    return metadata.deletionTimestamp === undefined && selector.matches(metadata.labels ?? {});
  });
}

/** A namespace has one primary network: that of the older object. */
function problemOf(
  network: Network,
  all: readonly Network[],
  namespace: Namespace,
): string | undefined {
  if (!isPrimary(network)) return undefined;
  const { name, labels = {} } = namespace.metadata;
  if (!Object.hasOwn(labels, PRIMARY_LABEL))
    return `namespace ${name}: the label ${PRIMARY_LABEL} that a primary network needs is missing`;
  const rival = all.find(
    (other) =>
      isPrimary(other) && isOlder(other, network) && matchingOf(other, [namespace]).length > 0,
  );
  if (rival === undefined) return undefined;
  return `namespace ${name}: primary network already exists: ${rival.metadata.name}`;
}

function isOlder(a: Network, b: Network): boolean {
  const ageOf = ({ metadata }: Network): string => `${metadata.creationTimestamp} ${metadata.name}`;
  return ageOf(a) < ageOf(b);
}
