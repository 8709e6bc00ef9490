/** Finds the servers that tests and the demo need, and builds those that are not there yet. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { build, type Progress } from './build.ts';
import { toolSources, versionOf, type ToolSource } from './go-module.ts';
import { withLock } from './lock.ts';

/** Name to path, such as `etcd`. */
export type Tools = ReadonlyMap<string, string>;

/** Where built tools are kept: outside the work tree, so that every clone shares them. */
export function toolCache(env: NodeJS.ProcessEnv = process.env): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'sluice', 'tools');
}

/** The names of the tools that are of use where `exists` tells what is installed. */
export function toolsOfUse(exists: (path: string) => boolean = existsSync): string[] {
  const ofUse = ({ beside, onRequest }: ToolSource): boolean =>
    onRequest !== true && (beside === undefined || exists(beside));
  return toolSources.filter(ofUse).map((tool) => tool.name);
}

/**
 * Finds the named tools (all of use when none are named), building what is missing: tools of one Go
 * module one after the other, since they share packages, modules at the same time. Looks at
 * `TEST_ASSET_<NAME>`, `KUBEBUILDER_ASSETS/<name>` (the names that envtest knows), then the cache.
 * Throws an error that says what to do when one can be neither found nor built.
 */
export async function findTools(
  names: readonly string[] = toolsOfUse(),
  progress: Progress = toStderr,
): Promise<Tools> {
  const chains = Map.groupBy(names.map(sourceOf), (tool) => tool.module);
  const found = await Promise.all(
    [...chains.values()].map(async (chain) => {
      const paths: [string, string][] = [];
      for (const tool of chain) paths.push([tool.name, await findTool(tool, progress)]);
      return paths;
    }),
  );
  const paths = new Map(found.flat());
  return new Map(names.map((name) => [name, paths.get(name) ?? '']));
}

function sourceOf(name: string): ToolSource {
  const tool = toolSources.find((source) => source.name === name);
  if (tool === undefined) throw new Error(`"${name}" is no tool known here`);
  return tool;
}

/** The path of a tool that is there already; undefined when it would have to be built. */
export function toolAtHand(name: string): string | undefined {
  const tool = sourceOf(name);
  return [givenPath(tool, process.env), builtPath(tool)].find((path) => path && isExecutable(path));
}

const builtPath = (tool: ToolSource): string =>
  join(toolCache(), `${tool.name}-${versionOf(tool)}`, tool.name);

async function findTool(tool: ToolSource, progress: Progress): Promise<string> {
  const given = givenPath(tool, process.env);
  if (given !== undefined) return given;
  const version = versionOf(tool);
  const path = builtPath(tool);
  const folder = dirname(path);
  if (isExecutable(path)) return path;
  mkdirSync(toolCache(), { recursive: true });
  await withLock(`${folder}.lock`, waitingFor(`${tool.name} ${version}`, progress), async () => {
    // Whoever held the lock before us has most likely built it.
    if (!isExecutable(path)) await buildOrExplain(tool, version, path, progress);
  });
  return path;
}

/** The path that the environment names, or undefined. A named file that is missing is an error. */
export function givenPath(tool: ToolSource, env: NodeJS.ProcessEnv): string | undefined {
  const variable = variableOf(tool);
  const asset = env[variable];
  if (asset) {
    if (!isExecutable(asset)) throw new Error(`${variable}=${asset} is no executable file`);
    return asset;
  }
  const folders = [
    ...(env['KUBEBUILDER_ASSETS'] ? [env['KUBEBUILDER_ASSETS']] : []),
    ...(tool.fromPath ? (env['PATH'] ?? '').split(delimiter) : []),
  ];
  return folders.map((folder) => join(folder, tool.name)).find(isExecutable);
}

const variableOf = (tool: ToolSource): string =>
  `TEST_ASSET_${tool.name.toUpperCase().replaceAll('-', '_')}`;

async function buildOrExplain(
  tool: ToolSource,
  version: string,
  path: string,
  progress: Progress,
): Promise<void> {
  try {
    await build(tool, version, path, progress);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${tool.name} ${version} cannot be built: ${why}\n` +
        `Or set ${variableOf(tool)} to a binary that you have.`,
      { cause: error },
    );
  }
}

/** Says now and then, not at each look, that another run is building. */
function waitingFor(name: string, progress: Progress): (owner: string) => void {
  const began = Date.now();
  let next = 0;
  return (owner) => {
    const seconds = Math.round((Date.now() - began) / 1000);
    if (seconds < next) return;
    next = seconds + 10;
    progress(`waiting for ${name}: process ${owner} is building it, ${seconds} s`);
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
