/** The door to the command line: commands as data in, an exit code out (package `commander`). */
import { Command, CommanderError, Option } from 'commander';

export interface OptionSpec {
  /** `-o, --output <format>`: as commander reads it; `<what...>` takes several and repeats. */
  readonly flags: string;
  readonly description: string;
  /** The environment variable that stands in for it. */
  readonly env?: string;
  readonly initial?: string;
  readonly choices?: readonly string[];
}

/** Options of the form `<what...>` are lists. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** More about it, for its own help. */
  readonly description?: string;
  /** `[filter...]` and what it is; at most one may be variadic, the last. */
  readonly operands: readonly (readonly [name: string, description: string])[];
  readonly options: readonly OptionSpec[];
  /** Command lines with what they do. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  /** Returns the exit code. */
  readonly run: (operands: readonly string[], options: Options) => Promise<number>;
}

export interface ProgramSpec {
  readonly name: string;
  readonly summary: string;
  readonly version: string;
  readonly examples: CommandSpec['examples'];
  readonly commands: readonly CommandSpec[];
}

export interface Writers {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** sysexits.h: EX_USAGE. */
export const USAGE = 64;

/** Runs the command that `argv` names (without the program's own name); help when it names none. */
export async function runProgram(
  spec: ProgramSpec,
  argv: readonly string[],
  writers: Writers,
): Promise<number> {
  let status = 0;
  const program = new Command(spec.name).description(spec.summary);
  program.version(spec.version, '-V, --version', 'print the version');
  dress(program, writers);
  for (const command of spec.commands)
    program.addCommand(commandOf(command, writers, (code) => (status = code)));
  program.addHelpText('after', examplesOf(spec));
  program.helpCommand('help [command]', 'print the help of a command');
  if (argv.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : USAGE;
  }
}

function commandOf(spec: CommandSpec, writers: Writers, done: (status: number) => void): Command {
  const command = new Command(spec.name).summary(spec.summary);
  command.description(spec.description ?? spec.summary);
  dress(command, writers);
  for (const [name, description] of spec.operands) command.argument(name, description);
  for (const option of spec.options) command.addOption(optionOf(option));
  command.addHelpText('after', examplesOf(spec));
  command.action(async () => {
    done(await spec.run(command.args, command.opts<Options>()));
  });
  return command;
}

function dress(command: Command, { out, err }: Writers): void {
  command.exitOverride();
  command.configureOutput({
    writeOut: out,
    writeErr: err,
    outputError: (text, write) => write(text.replace(/^error: /, 'sluice: ')),
  });
  command.showHelpAfterError(`Try: ${['sluice', command.name()].filter(isSub).join(' ')} --help`);
  command.helpOption('-h, --help', 'print this help');
}

const isSub = (word: string, index: number): boolean => index === 0 || word !== 'sluice';

function optionOf({ flags, description, env, initial, choices }: OptionSpec): Option {
  const option = new Option(flags, description);
  if (env !== undefined) option.env(env);
  if (initial !== undefined) option.default(initial);
  if (choices !== undefined) option.choices([...choices]);
  return option;
}

function examplesOf({ examples }: Pick<CommandSpec, 'examples'>): string {
  const width = Math.max(0, ...examples.map(([line]) => line.length));
  const lines = examples.map(([line, purpose]) => `  ${line.padEnd(width)}  ${purpose}`);
  return lines.length === 0 ? '' : `\nExamples:\n${lines.join('\n')}`;
}
