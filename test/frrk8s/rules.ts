/** What frr-k8s' validating webhook answers to an FRRConfiguration: pure (v0.0.21). */
import { compile, type Selector } from '../../core/selector.ts';
import { convert } from './convert.ts';
import type { FrrConfiguration, Labels, NodeSelector } from './objects.ts';
import { Unacceptable } from './unacceptable.ts';

export interface Verdict {
  /** What an admission denial says, lines apart; undefined = admitted. */
  readonly refusal: string | undefined;
  readonly warnings: readonly string[];
}

/** `existing` = all objects in frr-k8s' namespace; `nodes` = the labels by name. */
export function judge(
  candidate: FrrConfiguration,
  existing: readonly FrrConfiguration[],
  nodes: Readonly<Record<string, Labels>>,
): Verdict {
  const selector = selectorOf(candidate.spec?.nodeSelector);
  if (selector.problem !== undefined) {
    const refusal = `${selector.problem}\nresource contains an invalid NodeSelector`;
    return { refusal, warnings: [] };
  }
  // An object with the same name is taken for an older version of this one, wherever it is.
  const others = existing.filter(({ metadata }) => metadata.name !== candidate.metadata.name);
  const before = existing.find(({ metadata }) => metadata.name === candidate.metadata.name);
  const matching = Object.keys(nodes).filter((node) => selector.matches(nodes[node] ?? {}));
  const warnings = [
    ...(hasDisableMP(candidate) ? [disableMPWarning] : []),
    // A node that does not match today is not looked at, and nor is the object when none does.
    ...(matching.length > 0 && before ? restartWarnings(before, candidate) : []),
  ];
  for (const node of matching.sort()) {
    const labels = nodes[node] ?? {};
    const problem = problemOf([...others.filter((other) => selects(other, labels)), candidate]);
    if (problem === undefined) continue;
    return { refusal: `${problem}\nresource is invalid for node ${node}`, warnings };
  }
  return { refusal: undefined, warnings };
}

export const disableMPWarning = 'disableMP is deprecated and will be removed in a future release';

/** Whether the object is for a node with these labels. */
export const selects = (config: FrrConfiguration, labels: Labels): boolean =>
  selectorOf(config.spec?.nodeSelector).matches(labels);

/** Why frr-k8s cannot make one configuration of these; undefined when it can. */
export function problemOf(configs: readonly FrrConfiguration[]): string | undefined {
  try {
    convert(configs);
    return undefined;
  } catch (error) {
    if (error instanceof Unacceptable) return error.message;
    throw error;
  }
}

/** Absent means every node or object, as an empty one does. */
export function selectorOf({
  matchLabels = {},
  matchExpressions = [],
}: NodeSelector = {}): Selector {
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    return { key, operator, values };
  });
  return compile({ matchLabels, matchExpressions: expressions });
}

const hasDisableMP = ({ spec }: FrrConfiguration): boolean =>
  spec?.bgp?.routers?.some((router) => router.neighbors?.some((n) => n.disableMP)) ?? false;

function restartWarnings(before: FrrConfiguration, now: FrrConfiguration): string[] {
  const neighborsOf = (config: FrrConfiguration) =>
    (config.spec?.bgp?.routers ?? []).flatMap(({ vrf = '', neighbors = [] }) =>
      neighbors.map((n) => ({ key: `${vrf} ${n.asn} ${n.address}`, n })),
    );
  const changed = neighborsOf(now).filter(({ key, n }) =>
    neighborsOf(before).some(
      (old) => old.key === key && !old.n.enableGracefulRestart !== !n.enableGracefulRestart,
    ),
  );
  const warning =
    'Graceful restart configuration changed, it will be available on the next restart';
  return changed.map(() => warning);
}
