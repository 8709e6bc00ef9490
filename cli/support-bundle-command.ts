/** The words and options of `sluice support-bundle`. */
import type { CommandSpec, Options } from '../edge/command.ts';
import { connectionOptions, placeOf, withLog } from './connection.ts';
import { sinceOf } from './since.ts';
import type { Piece } from './support-bundle.ts';
import type { Terminal } from './terminal.ts';

export const supportBundleOf = (terminal: Terminal, version: string): CommandSpec => ({
  name: 'support-bundle',
  summary: 'gather what somebody needs to help you, in one file',
  description:
    'Gathers versions, the status, the log of the last day, the objects that Sluice reads and ' +
    'writes, and the logs and metrics of its pods in a .tar.gz. Never Secrets; passwords, ' +
    'tokens and account ids are taken out. Exit code 1 when something could not be had.',
  operands: [],
  options: [
    { flags: '--file <path>', description: 'what it is called; default by the time' },
    {
      flags: '--since <time>',
      description: 'begin there: 90s, 1h30m, 2d or a time',
      initial: '1d',
    },
    {
      flags: '--kubeconfig <file>',
      description: 'the cluster; without, only the log is in it',
      env: 'KUBECONFIG',
    },
    { flags: '--namespace <name>', description: 'where Sluice runs', initial: 'sluice' },
    { flags: '--dry-run', description: 'only list what would be in it' },
    ...connectionOptions,
  ],
  examples: [
    ['sluice support-bundle --kubeconfig ~/.kube/config', 'everything'],
    ['sluice support-bundle --dry-run', 'what would be in it'],
  ],
  run: async (_, options) => {
    const { supportBundle: run } = await import('./support-bundle.ts');
    const nowMs = terminal.nowMs();
    const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
    const file = String(options['file'] ?? `sluice-support-${time}Z.tar.gz`);
    const ask = { file, dryRun: options['dryRun'] === true };
    const words = versions(options, version, nowMs);
    const log = await logOf(options, terminal);
    return withCluster(options, terminal, (cluster) =>
      run([words, ...log, ...cluster], ask, terminal),
    );
  },
});

const versions = (options: Options, version: string, nowMs: number): Piece => ({
  name: 'versions.json',
  about: 'of this program and of Node, and when it was made',
  read: async () => {
    const { redactText } = await import('./support-bundle-redact.ts');
    const place = redactText(placeOf(options));
    const made = new Date(nowMs).toISOString();
    return `${JSON.stringify({ sluice: version, node: process.version, log: place, made })}\n`;
  },
});

async function logOf(options: Options, terminal: Terminal): Promise<readonly Piece[]> {
  const { logPieces } = await import('./support-bundle-log.ts');
  const sinceMs = sinceOf(options['since'], terminal.nowMs()) ?? 0;
  return logPieces((use) => withLog(options, terminal, use), sinceMs, terminal);
}

async function withCluster(
  options: Options,
  terminal: Terminal,
  use: (pieces: readonly Piece[]) => Promise<number>,
): Promise<number> {
  const file = String(options['kubeconfig'] ?? '');
  if (file === '') return use([]);
  const { clusterPieces, openFor } = await import('./support-bundle-cluster.ts');
  const cluster = await openFor(file);
  try {
    return await use(await clusterPieces(cluster, String(options['namespace']), terminal.signal));
  } finally {
    await cluster.close();
  }
}
