/** What is invalid harms nobody else: without it, all others end in the same way. */
import type { KubeObject } from '../../../core/door.ts';
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import { ADVERTISEMENTS, CONFIGS, ROUTINGS } from '../../../edge/simulated/kinds.ts';
import { isLive } from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';
import { differences, endOf } from './end.ts';
import { faultsOf, isSelector, wrongRouting } from './invalid.ts';
import type { Last } from './memory.ts';
import { type Given, playAnew } from './play.ts';

type Lines = ReadonlyMap<string, readonly string[]>;

/** `fresh` = the world with all of them. Writes for what is invalid are told, too. */
export async function harmed(last: Last, fresh: Simulation): Promise<readonly string[]> {
  const written = writtenFor(last, fresh);
  const purged = { before: purge(last.before), after: purge(last.after) };
  const isSame =
    JSON.stringify(purged) === JSON.stringify({ before: last.before, after: last.after });
  // The deletion of a config waits for all routings, also for those that are no use (W-73).
  const isEnding = fresh.server.list(CONFIGS).some((one) => !isLive(one));
  if (isSame || isEnding) return written;
  const without = await playAnew(purged.before, purged.after);
  const kept = new Set([...purged.before, ...purged.after].map(({ name }) => name));
  const [a, b] = [fresh, without].map((world) => linesOf(world, fresh, kept));
  return [
    ...written,
    ...differences(a as Lines, b as Lines).map((line) => `what is invalid harms: ${line}`),
  ];
}

/** Routings that cannot be made, configs of another name, and addresses that nobody can host. */
function purge(givens: readonly Given[]): readonly Given[] {
  return givens.flatMap((given) => {
    const object = given.object as KubeObject;
    if (given.collection === CONFIGS) return given.name === 'cluster' ? [given] : [];
    if (given.collection === ROUTINGS) return isUseless(given) ? [] : [given];
    if (given.collection !== EGRESSIPS) return [given];
    const spec = object['spec'] as { egressIPs: readonly string[]; egressNodeSelector?: object };
    if (!isSelector(spec.egressNodeSelector)) return [];
    const texts = spec.egressIPs;
    const good = texts.filter((_, at) => {
      const [before, now] = [at, at + 1].map((end) => {
        return faultsOf({ ...object, spec: { ...spec, egressIPs: texts.slice(0, end) } }).length;
      });
      return before === now;
    });
    return [{ ...given, object: { ...object, spec: { ...spec, egressIPs: good } } }];
  });
}

/** It holds nothing from better days. */
function isUseless({ object }: Given): boolean {
  const { finalizers } = (object['metadata'] ?? {}) as { finalizers?: readonly string[] };
  return finalizers === undefined && wrongRouting(object as KubeObject) !== '';
}

/** Nothing but their status was written: no finalizer, and no network of theirs. */
function writtenFor({ before, after }: Last, { server }: Simulation): readonly string[] {
  const all = [...before, ...after];
  const useless = all.filter((one) => one.collection === ROUTINGS && isUseless(one));
  return useless.flatMap(({ name }) => {
    const routing = server.get(ROUTINGS, name);
    const { finalizers = [] } = (routing?.metadata ?? {}) as { finalizers?: readonly string[] };
    return finalizers.length > 0 ? [`${name} is no use, and has a finalizer`] : [];
  });
}

/** The lines of those that are in both worlds, without what is said of their own faults. */
function linesOf(world: Simulation, all: Simulation, kept: ReadonlySet<string>): Lines {
  const { server } = all;
  const isUsed = server.list(ROUTINGS).some((one) => isLive(one) && wrongRouting(one) === '');
  const shared = server.list(ADVERTISEMENTS).map(({ metadata }) => metadata.name);
  // Any routing at all keeps what all routings share (W-71).
  const isShared = (line: string): boolean =>
    !isUsed && shared.some((name) => line.startsWith(name));
  const lines = new Map<string, readonly string[]>();
  for (const [name, own] of endOf(world)) {
    if (name === 'made')
      lines.set(
        name,
        own.filter((line) => !isShared(line)),
      );
    else if (kept.has(name)) lines.set(name, withoutFaults(own, server.get(EGRESSIPS, name)));
  }
  return lines;
}

function withoutFaults(
  lines: readonly string[],
  object: KubeObject | undefined,
): readonly string[] {
  const faults = object === undefined ? [] : faultsOf(object);
  return lines.filter(
    (line) =>
      !faults.some(
        ([text, fault]) =>
          line === `${fault} ${text} ` || (fault !== 'Doubled' && line.includes(` ${text} `)),
      ),
  );
}
