/** The words and options of `sluice plan`. */
import type { CommandSpec, Options } from '../edge/command.ts';
import { connectionOptions, excludedOption, settingsOf, withLog } from './connection.ts';
import { output } from './output.ts';
import type { Terminal } from './terminal.ts';

export const plan = (terminal: Terminal): CommandSpec => ({
  name: 'plan',
  summary: 'compute what a change would move, and who would have no node',
  description:
    'Computes on the live log, with the rules of the assigner and no write, what a change would ' +
    'move from where to where and why. Exit code 2 when an address that has a node now would ' +
    'have none, so that it can guard a script. Options may be given several times and add up. ' +
    'A file may have Nodes, EgressIPs, CUDNBgpConfigs and CUDNBgpRoutings; of the latter two it ' +
    'tells which objects would be written at once, by the rules of bgp.',
  operands: [],
  options: [
    { flags: '--lose <what...>', description: 'node/NAME, or zone/NAME for all of its nodes' },
    { flags: '--label <words...>', description: 'node/NAME KEY=VALUE: the node gets the label' },
    { flags: '--unlabel <words...>', description: 'node/NAME KEY: the node loses the label' },
    { flags: '-f, --file <file...>', description: 'apply the objects of a YAML file' },
    {
      flags: '--delete <what...>',
      description: 'egressip/, node/, cudnbgprouting/ or cudnbgpconfig/NAME',
    },
    output('table', 'json'),
    excludedOption,
    ...connectionOptions,
  ],
  examples: [
    ['sluice plan --lose node/worker-3', 'may it be rebooted?'],
    ['sluice plan --lose zone/eu-1b', 'what if a whole zone is gone?'],
    ['sluice plan --label node/worker-4 tier=production', 'what would go there?'],
    ['sluice plan -f egressips.yaml -o json', 'what would kubectl apply do?'],
    ['sluice plan --delete cudnbgprouting/prod', 'what would be withdrawn?'],
    ['sluice plan --lose node/worker-3 && kubectl drain worker-3', 'only if nobody is left over'],
  ],
  run: async (_, options) => {
    const { plan: run, requireChange } = await import('./plan.ts');
    const ask = {
      lose: words(options, 'lose'),
      label: words(options, 'label'),
      unlabel: words(options, 'unlabel'),
      delete: words(options, 'delete'),
      files: words(options, 'file'),
      output: options['output'] === 'json' ? 'json' : 'table',
      settings: settingsOf(options),
    } as const;
    requireChange(ask);
    return withLog(options, terminal, (log) => run(log, ask, terminal));
  },
});

function words(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value.map(String) : [];
}
