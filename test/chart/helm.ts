/** Helm as the tests use it: renders the chart, installs it, and says what it complains about. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseYamlDocuments } from '../../edge/yaml.ts';
import type { ApiObject } from '../controlplane/api.ts';
import { repository } from '../controlplane/go-module.ts';
import { findTools, toolAtHand } from '../controlplane/tools.ts';

export const chart = join(repository, 'helm', 'sluice');

/** Values as Helm takes them by `--set-json`: path to value. */
export type Values = Readonly<Record<string, unknown>>;

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end; `env` on top of ours. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): Promise<Ran> {
  const child = spawn(command, [...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, out, err }));
  });
}

export class Helm {
  readonly name: string;
  readonly path: string;

  constructor(name: string, path: string) {
    this.name = name;
    this.path = path;
  }

  run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return run(this.path, args, { env });
  }

  template(values: Values = {}, release = 'sluice', namespace = 'sluice'): Promise<Ran> {
    return this.run(['template', release, chart, '--namespace', namespace, ...asArgs(values)]);
  }

  /** The objects of a rendering; throws what Helm says when it refuses. */
  async objects(values: Values = {}, release = 'sluice'): Promise<Rendered> {
    const { status, out, err } = await this.template(values, release);
    if (status !== 0) throw new Error(`${this.name} template: ${err}`);
    return new Rendered(objectsIn(out));
  }
}

export const asArgs = (values: Values): string[] =>
  Object.entries(values).flatMap(([path, value]) => [
    '--set-json',
    `${path}=${JSON.stringify(value)}`,
  ]);

export const objectsIn = (text: string): ApiObject[] =>
  parseYamlDocuments(text).map(({ value }) => value as ApiObject);

/** What Helm made, by kind and name. */
export class Rendered {
  readonly all: readonly ApiObject[];

  constructor(all: readonly ApiObject[]) {
    this.all = all;
  }

  of(kind: string): ApiObject[] {
    return this.all.filter((object) => object.kind === kind);
  }

  names(kind: string): string[] {
    return this.of(kind).map(({ metadata }) => metadata.name);
  }

  // oxlint-disable-next-line no-explicit-any -- objects of any kind are read here, by tests
  one(kind: string, name: string): any {
    const found = this.of(kind).find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
    return found;
  }
}

export async function helm3(): Promise<Helm> {
  return new Helm('Helm 3', (await findTools(['helm'])).get('helm') ?? '');
}

/** Helm 3, and Helm 4 where it has been built (`make tools`). */
export async function helms(): Promise<readonly Helm[]> {
  const four = toolAtHand('helm4');
  return [await helm3(), ...(four === undefined ? [] : [new Helm('Helm 4', four)])];
}
