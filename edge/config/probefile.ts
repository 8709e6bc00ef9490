/** The file with the settings of the probes: read at the start, and again when it changes. */
import { readFile } from 'node:fs/promises';
import type { Clock } from '../../core/door.ts';
import { parseYaml, YamlError } from '../yaml.ts';
import { probeFile, type Issue } from './schema.ts';

/** What may be changed without a restart. */
export interface ProbeSettings {
  readonly deadlineMs: number;
  readonly intervalMs: number;
  readonly failures: number;
  readonly recoveries: number;
  readonly isolationShare: number;
}

/** A mounted ConfigMap is late by a minute anyway; one small read a second costs nothing. */
const LOOK_MS = 1000;

/** What is wrong with the content of the file, as half a sentence. */
export class ProbeFileError extends Error {
  override readonly name = 'ProbeFileError';
}

/**
 * Yields the settings, and each change of them, until `signal` aborts. What the file does not name
 * is as in `usual`, and so is all of it while there is no file. A content that is not usable is
 * told once to `complain`, and what held before still holds.
 */
export async function* probeSettings(
  path: string,
  usual: ProbeSettings,
  clock: Clock,
  complain: (sentence: string) => void,
  signal: AbortSignal,
): AsyncGenerator<ProbeSettings> {
  let text = '';
  let told = JSON.stringify(usual);
  for (; !signal.aborted; await clock.sleep(LOOK_MS, signal)) {
    const now = await contentOf(path);
    if (now === text) continue;
    text = now;
    const read = settingsOf(now, usual);
    if ('problem' in read)
      complain(`${path} is not usable, the old settings hold: ${read.problem}`);
    else if (JSON.stringify(read) !== told) {
      told = JSON.stringify(read);
      yield read;
    }
  }
}

/** '' where there is no file (yet), or none that may be read. */
async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
}

function settingsOf(
  text: string,
  usual: ProbeSettings,
): ProbeSettings | { readonly problem: string } {
  try {
    return readProbeSettings(text, usual);
  } catch (error) {
    if (error instanceof ProbeFileError) return { problem: error.message };
    throw error;
  }
}

/**
 * The settings in a text, YAML or JSON: `timeout` and `interval` in seconds, `failures`,
 * `recoveries`, and `isolationShare` in percent.
 * @throws ProbeFileError naming everything that is wrong.
 */
export function readProbeSettings(text: string, usual: ProbeSettings): ProbeSettings {
  const read = probeFile.safeParse(valueOf(text) ?? {});
  if (!read.success) throw new ProbeFileError(read.error.issues.flatMap(describe).join('; '));
  const { timeout, interval, ...counts } = read.data;
  const given = { deadlineMs: timeout, intervalMs: interval, ...counts };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...usual, ...Object.fromEntries(named) };
}

function valueOf(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ProbeFileError(`line ${error.position.line}: ${error.message}`);
  }
}

function describe(issue: Issue): readonly string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${key} is no setting`);
  const key = String(issue.path[0] ?? '');
  if (!Object.hasOwn(probeFile.shape, key)) return ['it is no map of settings'];
  const { description } = probeFile.shape[key as keyof typeof probeFile.shape].unwrap();
  return [`${key} must be ${description}`];
}
