/** The words and options of `sluice history`. */
import type { CommandSpec } from '../edge/command.ts';
import { connectionOptions, excludedOption, settingsOf, withLog } from './connection.ts';
import { output } from './output.ts';
import { sinceOf } from './since.ts';
import type { Terminal } from './terminal.ts';

export const history = (terminal: Terminal): CommandSpec => ({
  name: 'history',
  summary: 'tell the life of an object, or how it was at some time',
  description:
    'Tells the life of an object as the log knows it, a sentence a line, and beneath each the ' +
    'events that led to it. With --at, how it was then: what was seen, decided and written, and ' +
    'for an EgressIP or a CUDNBgpRouting the answer that "sluice why" would have given.',
  operands: [['<target>', 'egressip/NAME, cudnbgprouting/NAME or node/NAME']],
  options: [
    { flags: '--since <time>', description: 'begin there: 90s, 1h30m, 2d or a time (UTC)' },
    { flags: '--at <time>', description: 'how it was then; the same forms' },
    output('text', 'json'),
    excludedOption,
    ...connectionOptions,
  ],
  examples: [
    ['sluice history egressip/prod-web', 'its whole life'],
    ['sluice history node/worker-1 --since 2d', 'what happened to a node since the day before'],
    ["sluice history egressip/prod-web --at '2026-11-29 10:14'", 'where it was then, and why'],
  ],
  run: async ([operand = ''], options) => {
    const [{ history: run }, { targetOf }] = await Promise.all([
      import('./history.ts'),
      import('./history-target.ts'),
    ]);
    const nowMs = terminal.nowMs();
    const ask = {
      target: targetOf(operand),
      sinceMs: sinceOf(options['since'], nowMs),
      atMs: sinceOf(options['at'], nowMs, '--at'),
      output: options['output'] === 'json' ? 'json' : 'text',
      settings: settingsOf(options),
    } as const;
    return withLog(options, terminal, (log) => run(log, ask, terminal));
  },
});
