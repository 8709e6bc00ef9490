/** The words and options of `sluice verify`. */
import type { CommandSpec } from '../edge/command.ts';
import { sleep } from '../edge/clock.ts';
import { connectionOptions, excludedOption, settingsOf, withLog } from './connection.ts';
import { output } from './output.ts';
import { sinceOf } from './since.ts';
import type { Terminal } from './terminal.ts';

export const verify = (terminal: Terminal): CommandSpec => ({
  name: 'verify',
  summary: 'check that all decisions, writes and statuses follow from what was seen',
  description:
    'Replays the log through the rules as they are shipped, compares every decision byte for ' +
    'byte, and every write with the decision that it names. Then compares with the last ' +
    'decisions what Sluice writes: EgressIPs, CloudPrivateIPConfigs, CUDNBgpConfigs, ' +
    'CUDNBgpRoutings and the objects made for them; of AWS what aws-sync saw there last, as ' +
    'this command has no credentials for AWS. Prints what nothing explains; exit code 1 when ' +
    'there is anything.',
  operands: [],
  options: [
    { flags: '--since <time>', description: 'begin there: 90s, 1h30m, 2d or a time (UTC)' },
    {
      flags: '--kubeconfig <file>',
      description: 'read the objects from the cluster; without, as the watcher saw them last',
      env: 'KUBECONFIG',
    },
    output('text', 'json'),
    excludedOption,
    ...connectionOptions,
  ],
  examples: [
    ['sluice verify', 'everything on the log'],
    ['sluice verify --since 1d', 'the last day'],
    ['sluice verify --kubeconfig ~/.kube/config -o json', 'with the cluster itself, for scripts'],
  ],
  run: async (_, options) => {
    const { verify: run } = await import('./verify.ts');
    const file = String(options['kubeconfig'] ?? '');
    const cluster = async () => {
      const { listedIn } = await import('./verify-cluster.ts');
      return listedIn(file, terminal.signal);
    };
    const ask = {
      sinceMs: sinceOf(options['since'], terminal.nowMs()),
      output: options['output'] === 'json' ? 'json' : 'text',
      settings: settingsOf(options),
      cluster: file === '' ? undefined : cluster,
      pause: (ms: number) => sleep(ms, terminal.signal),
    } as const;
    return withLog(options, terminal, (log) => run(log, ask, terminal));
  },
});
