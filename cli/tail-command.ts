/** The words and options of `sluice tail`. */
import type { CommandSpec } from '../edge/command.ts';
import { connectionOptions, withLog } from './connection.ts';
import { output } from './output.ts';
import { sinceOf } from './since.ts';
import type { Terminal } from './terminal.ts';

export const tail = (terminal: Terminal): CommandSpec => ({
  name: 'tail',
  summary: 'follow what is seen, decided and done, a sentence a line',
  description:
    'Follows what is seen, decided and done, a sentence a line; times are UTC. A FILTER is a ' +
    'speaker (watcher, assigner, bgp, aws-sync, publisher), a kind (egressip, node, ' +
    'cudnbgpconfig, cudnbgprouting, frrconfiguration, cudn, bgpsession, peer, …) or KIND/NAME ' +
    'with * and ?. ' +
    'Several of one sort widen; speakers and kinds narrow each other.',
  operands: [['[filter...]', 'what to show; everything without']],
  options: [
    { flags: '--since <time>', description: 'begin there: 90s, 1h30m, 2d or a time (UTC)' },
    { flags: '--no-follow', description: 'end at the end of the log; without --since, all of it' },
    output('text', 'json'),
    ...connectionOptions,
  ],
  examples: [
    ['sluice tail', 'everything, from now on'],
    ["sluice tail 'egressip/prod-*' --since 1h", 'what happened to some EgressIPs, and goes on'],
    ['sluice tail assigner node/worker-1', 'what the assigner says of a node'],
    ['sluice tail --since 5m --no-follow -o json', 'the last five minutes, one JSON object a line'],
  ],
  run: async (operands, options) => {
    const [{ tail: run }, { parseFilter }] = await Promise.all([
      import('./tail.ts'),
      import('./filter.ts'),
    ]);
    const filter = parseFilter(operands);
    const sinceMs = sinceOf(options['since'], terminal.nowMs());
    const form = options['output'] === 'json' ? 'json' : 'text';
    const ask = { filter, sinceMs, follow: options['follow'] !== false, output: form } as const;
    return withLog(options, terminal, (log) => run(log, ask, terminal));
  },
});
