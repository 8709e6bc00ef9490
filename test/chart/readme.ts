/** The chart's README: what is always said, and a table of the values with their comments. */
import { parseYaml } from '../../edge/yaml.ts';

const head = `# The chart of Sluice

Five Deployments of one image, NATS with three servers, and what they need. The tables below are
made from \`values.yaml\` by \`make chart\`; \`values.schema.json\` refuses what is not in them.

\`\`\`sh
helm install sluice helm/sluice -n sluice --create-namespace --set image.repository=IMAGE
helm test sluice -n sluice
\`\`\`

* A cluster whose OVN-Kubernetes has the policy \`egressip-mark-annotation-validation\` already: add
  \`--take-ownership\` once, so that the chart replaces it, or \`--set markPolicy.enabled=false\`.
* OpenShift: \`--set runAsUser=null\`, the platform chooses the user.
* No AWS: \`--set awsSync.enabled=false\`. No BGP: \`--set bgp.enabled=false\`.
* NATS that is there already: \`nats.enabled=false\`, \`nats.url\`, and a Secret with a login for
  each room. \`templates/_nats.tpl\` has the permissions.
* CRDs: Helm installs those that are missing, never changes them, and leaves them there at the end.
  A new version is applied with \`kubectl apply --server-side -f helm/sluice/crds/\`, or by Helm
  with \`crds.managed\` (ADR 0024).

How to run it, what each alert means, backup, upgrade: \`docs/operating.md\`.

## Values

| value | default | |
|---|---|---|
`;

interface Row {
  readonly path: string;
  readonly usual: unknown;
  readonly comment: string;
}

/** The README that belongs to the text of a values.yaml. Throws when a value has no comment. */
export function readmeOf(values: string): string {
  const rows = rowsOf(values).map(({ path, usual, comment }) => {
    return `| \`${path}\` | ${shown(usual)} | ${comment} |\n`;
  });
  return head + rows.join('');
}

function shown(usual: unknown): string {
  const text = JSON.stringify(usual);
  return text === '""' ? '' : `\`${text.replaceAll('|', String.raw`\|`)}\``;
}

/** Each value below a comment that begins with `# -- `, which stands for all that is within it. */
export function rowsOf(values: string): Row[] {
  const lines = values.split('\n');
  const whole = parseYaml(values);
  const rows: Row[] = [];
  const path: string[] = [];
  let comment: string[] = [];
  for (const line of lines) {
    const [, said] = /^\s*# (.*)$/.exec(line) ?? [];
    if (said !== undefined) {
      comment = said.startsWith('-- ') ? [said.slice(3)] : [...comment, said];
      continue;
    }
    const [, indent = '', key] = /^( *)([\w]+):/.exec(line) ?? [];
    if (key !== undefined && indent.length / 2 <= path.length) {
      path.splice(indent.length / 2, Number.POSITIVE_INFINITY, key);
      const usual = path.reduce<unknown>(
        (at, step) => (at as Record<string, unknown>)[step],
        whole,
      );
      if (comment.length > 0)
        rows.push({ path: path.join('.'), usual, comment: comment.join(' ') });
    }
    comment = [];
  }
  return rows;
}

/** Paths of values that no comment explains, neither their own nor that of what they are in. */
export function unexplained(values: string): string[] {
  const told = rowsOf(values).map(({ path }) => path);
  const leaves = (at: unknown, path: string): string[] => {
    if (told.includes(path)) return [];
    const inner = typeof at === 'object' && at !== null && !Array.isArray(at);
    if (!inner) return [path];
    const within = Object.entries(at as Record<string, unknown>);
    return within.flatMap(([key, value]) => leaves(value, path === '' ? key : `${path}.${key}`));
  };
  return leaves(parseYaml(values), '');
}
