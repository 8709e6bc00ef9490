/** The command `sluice diff`: its words and its options. */
import type { CommandSpec } from '../edge/command.ts';
import { connectionOptions, withLog } from './connection.ts';
import { output } from './output.ts';
import type { Terminal } from './terminal.ts';

export const diff = (terminal: Terminal): CommandSpec => ({
  name: 'diff',
  summary: 'compare what the cluster has with what Sluice would write',
  description:
    'Compares the statuses, marks and CloudPrivateIPConfigs of the cluster, and all objects of ' +
    'BGP routing, with what Sluice would write: in shadow mode, what handing over would change. ' +
    'Exit code 1 when they differ.',
  operands: [['[what]', 'an EgressIP, cudnbgpconfig/NAME or cudnbgprouting/NAME; all without']],
  options: [output('table', 'json'), ...connectionOptions],
  examples: [
    ['sluice diff', 'everything that differs'],
    ['sluice diff prod-web', 'one EgressIP'],
    ['sluice diff cudnbgprouting/prod', 'one network, and what is made for it'],
    ['sluice diff -o json', 'for scripts'],
  ],
  run: async ([name], options) => {
    const { diff: run } = await import('./diff.ts');
    const form = options['output'] === 'json' ? 'json' : 'table';
    return withLog(options, terminal, (log) => run(log, { name, output: form }, terminal));
  },
});
