/** The option `-o`: in which form a command answers. */
import type { OptionSpec } from '../edge/command.ts';

/** The first form is the one without the option. */
export function output(initial: string, ...others: string[]): OptionSpec {
  return {
    flags: '-o, --output <format>',
    description: 'how it is written',
    initial,
    choices: [initial, ...others],
  };
}
