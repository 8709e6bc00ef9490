/** The commands of `sluice`: their words, their options, and what they run. */
import { readFileSync } from 'node:fs';
import type { CommandSpec, ProgramSpec } from '../edge/command.ts';
import { connectionOptions, excludedOption, placeOf, settingsOf, withLog } from './connection.ts';
import { diff } from './diff-command.ts';
import { history } from './history-command.ts';
import { output } from './output.ts';
import { plan } from './plan-command.ts';
import { supportBundleOf } from './support-bundle-command.ts';
import { tail } from './tail-command.ts';
import type { Terminal } from './terminal.ts';
import { verify } from './verify-command.ts';

const manifest = new URL('../package.json', import.meta.url);

export function programOf(terminal: Terminal): ProgramSpec {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return {
    name: 'sluice',
    summary: 'See which node hosts which egress IP, what is routed over BGP, and why.',
    version,
    examples: [
      ['sluice status', 'the rooms and all addresses'],
      ['sluice why prod-web', 'why it has its nodes, or none'],
      ['sluice tail', 'what happens, as it happens'],
    ],
    commands: [
      tail(terminal),
      status(terminal),
      why(terminal),
      history(terminal),
      diff(terminal),
      plan(terminal),
      verify(terminal),
      rehearse(terminal),
      supportBundleOf(terminal, version),
    ],
  };
}

const status = (terminal: Terminal): CommandSpec => ({
  name: 'status',
  summary: 'show how the rooms are, where each egress IP is, and what is routed',
  description:
    'Shows how the rooms are and where each egress IP is; where BGP routing is used, its zones, ' +
    'sessions and networks. Exit code 1 when an address has no node, or routing is not Ready. ' +
    'SAID counts all events ever said; BEHIND, what the rules ask for and is not there yet.',
  operands: [],
  options: [
    output('table', 'wide', 'json', 'yaml'),
    { flags: '-w, --watch', description: 'show it again whenever it changes' },
    { flags: '--no-headers', description: 'only the rows of the addresses, for scripts' },
    excludedOption,
    ...connectionOptions,
  ],
  examples: [
    ['sluice status', 'the rooms and all addresses'],
    ['sluice status -o wide', 'with marks, previous nodes and reasons'],
    ['sluice status --watch', 'again whenever something changes'],
    ['sluice status --no-headers | awk \'$4 == "–"\'', 'the addresses without a node'],
  ],
  run: async (_, options) => {
    const { status: run } = await import('./status.ts');
    const form = options['output'] as 'table' | 'wide' | 'json' | 'yaml';
    const [watch, headers] = [options['watch'] === true, options['headers'] !== false];
    const settings = settingsOf(options);
    const ask = { output: form, watch, headers, settings, place: placeOf(options) };
    return withLog(options, terminal, (log) => run(log, ask, terminal));
  },
});

const why = (terminal: Terminal): CommandSpec => ({
  name: 'why',
  summary: 'explain why an egress IP, or a routed network, is as it is',
  description:
    'Explains why an egress IP is where it is, or nowhere: for each node the rule that refuses ' +
    'it, and the single changes that would place it. Of BGP routing: each condition, what to do ' +
    'about it, and what led to it. Exit code 1 when an address has no node, or it is not Ready.',
  operands: [
    ['<target>', 'egressip/NAME, NAME, an address, cudnbgprouting/NAME, cudnbgpconfig/cluster'],
    ['[address]', 'one of its addresses; all without'],
  ],
  options: [
    output('text', 'json'),
    { flags: '--all', description: 'a row for each node, however many there are' },
    excludedOption,
    ...connectionOptions,
  ],
  examples: [
    ['sluice why egressip/prod-web', 'all addresses of an EgressIP'],
    ['sluice why prod-web 203.0.113.10', 'one of them'],
    ['sluice why 203.0.113.10', 'every EgressIP that asks for it'],
    ['sluice why cudnbgprouting/prod', 'a network that is routed, or not'],
  ],
  run: async ([target = '', address], options) => {
    const { why: run } = await import('./why.ts');
    const form = options['output'] === 'json' ? 'json' : 'text';
    const settings = settingsOf(options);
    const ask = { target, address, output: form, all: options['all'] === true, settings } as const;
    return withLog(options, terminal, (log) => run(log, ask, terminal));
  },
});

const rehearse = (terminal: Terminal): CommandSpec => ({
  name: 'rehearse',
  summary: 'try a change before the cluster does',
  description:
    'Runs the rooms in this process on a cluster, a log and a clock that a file plays; ' +
    'needs no server.',
  operands: [['<file>', 'the story']],
  options: [],
  examples: [['sluice rehearse story.yaml', 'exit code 1 when an expectation fails']],
  run: async ([file = '']) => {
    const { rehearseFile } = await import('./rehearse-file.ts');
    return rehearseFile(file, terminal);
  },
});
