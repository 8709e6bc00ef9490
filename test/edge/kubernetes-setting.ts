/** A cluster door in front of an API that is played by hand, and one reader of a collection. */
import assert from 'node:assert/strict';
import type { Sighting } from '../../core/door.ts';
import { type OpenCluster, openCluster } from '../../edge/kubernetes/cluster.ts';
import type { ClusterOptions } from '../../edge/kubernetes/options.ts';
import { ApiserverDouble } from './apiserver-double.ts';

export const egressIPs = '/apis/k8s.ovn.org/v1/egressips';

export interface Setting {
  readonly api: ApiserverDouble;
  readonly cluster: OpenCluster;
  /** What the door complained of. */
  readonly troubles: string[];
  /** Ends the reader. */
  readonly control: AbortController;
  /** What the reader sees next; undefined when its iteration is over. */
  next(): Promise<readonly Sighting[] | undefined>;
  stop(): Promise<void>;
}

/** Quick to try again, so that a test of a failure takes no longer than it must. */
export async function setting(options: Partial<ClusterOptions> = {}): Promise<Setting> {
  const api = await ApiserverDouble.start();
  const troubles: string[] = [];
  const cluster = openCluster({
    server: api.url,
    backoffMs: 1,
    absentMs: 10,
    onTrouble: (sentence) => void troubles.push(sentence),
    ...options,
  });
  const control = new AbortController();
  const reader = cluster.watch(egressIPs, control.signal)[Symbol.asyncIterator]();
  return {
    api,
    cluster,
    troubles,
    control,
    next: async () => {
      const step = await reader.next();
      return step.done === true ? undefined : step.value;
    },
    stop: async () => {
      control.abort();
      await cluster.close();
      await api.stop();
    },
  };
}

/** The setting's reader has been given a list at version 10 and its watch is open. */
export async function watching(options: Partial<ClusterOptions> = {}) {
  const here = await setting(options);
  const listed = here.next();
  (await here.api.next()).list('10', []);
  await listed;
  const next = here.next();
  const watch = await here.api.next();
  return { ...here, seen: next, watch: watch.open() };
}

/** `Put web 11`, `Gone uid-web`, `Listed 2`, `NotServed`: what a test wants to compare. */
export function brief(sightings: readonly Sighting[] | undefined): readonly string[] {
  assert.ok(sightings, 'the reader goes on');
  return sightings.map((sighting) => {
    if (sighting.kind === 'Listed') return `Listed ${sighting.objects.length}`;
    if (sighting.kind === 'NotServed') return 'NotServed';
    if (sighting.kind === 'Gone') return `Gone ${sighting.uid}`;
    const { name, resourceVersion } = sighting.object.metadata;
    return `Put ${name} ${resourceVersion}`;
  });
}
