/** Which collections are watched for BGP routing, and when: nothing that nobody needs. */
import assert from 'node:assert/strict';
import type { Clock, Cluster, Sighting } from '../../core/door.ts';
import { watcherSenses } from '../../services/watcher/doors.ts';
import {
  ADVERTISEMENTS,
  CONFIGS,
  CUDNS,
  FRR_CONFIGURATIONS,
  FRR_PODS,
  NAMESPACES,
  NETWORKS,
  ROUTINGS,
  SESSIONS,
} from './watcher-bgp-objects.ts';
import {
  infrastructure,
  INFRASTRUCTURES,
  listed,
  noProbes,
  notServed,
  Watched,
} from './watcher-bench.ts';

const routingCollections = [
  ...[NETWORKS, FRR_CONFIGURATIONS, CUDNS, ADVERTISEMENTS, FRR_PODS, NAMESPACES, SESSIONS],
];
const breathe = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The watches of the watcher, fed by the test; what comes through is kept. */
class Door {
  readonly stop = new AbortController();
  readonly watched = new Set<string>();
  readonly seen: Sighting[] = [];
  readonly #feeds = new Map<string, (sightings: readonly Sighting[]) => void>();
  #sleepers: { dueMs: number; resolve: () => void }[] = [];
  #nowMs = 0;

  constructor() {
    const clock: Clock = {
      nowMs: () => this.#nowMs,
      breathe,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve());
          this.#sleepers.push({ dueMs: this.#nowMs + ms, resolve });
        }),
    };
    const cluster: Pick<Cluster, 'watch'> = { watch: (collection) => this.#watch(collection) };
    const settings = { ...noProbes, platform: 'None' };
    const all = watcherSenses(cluster as Cluster, clock, settings)(this.stop.signal);
    for (const one of all) void this.#read(one as AsyncIterable<readonly Sighting[]>);
  }

  async #read(watch: AsyncIterable<readonly Sighting[]>): Promise<void> {
    for await (const sightings of watch) this.seen.push(...sightings);
  }

  async *#watch(collection: string): AsyncGenerator<readonly Sighting[]> {
    this.watched.add(collection);
    const { signal } = this.stop;
    while (!signal.aborted) {
      const next = new Promise<readonly Sighting[]>((resolve) => {
        this.#feeds.set(collection, resolve);
        signal.addEventListener('abort', () => resolve([]));
      });
      yield await next;
    }
  }

  async tell(...sightings: readonly Sighting[]): Promise<void> {
    for (const one of sightings) {
      this.#feeds.get(one.collection)?.([one]);
      for (let turns = 0; turns < 5; turns++) await breathe();
    }
  }

  async pass(ms: number): Promise<void> {
    this.#nowMs += ms;
    for (const { dueMs, resolve } of this.#sleepers) if (dueMs <= this.#nowMs) resolve();
    this.#sleepers = this.#sleepers.filter(({ dueMs }) => dueMs > this.#nowMs);
    for (let turns = 0; turns < 5; turns++) await breathe();
  }

  countOf(collection: string): number {
    return this.seen.filter((one) => one.collection === collection).length;
  }
}

describe('the watches of BGP routing', () => {
  let door: Door;
  beforeEach(async () => {
    door = new Door();
    await breathe();
  });
  afterEach(() => door.stop.abort());

  const watchedOf = (): readonly string[] =>
    routingCollections.filter((one) => door.watched.has(one));

  it('are two looks where neither resource is served', async () => {
    await door.tell(notServed(CONFIGS), notServed(ROUTINGS));
    await door.pass(600_000);
    assert.deepEqual(watchedOf(), []);
    assert.ok(door.watched.has(CONFIGS) && door.watched.has(ROUTINGS));
  });

  for (const resource of [CONFIGS, ROUTINGS])
    it(`are all opened as soon as ${resource.split('/').at(-1)} are served`, async () => {
      await door.tell(notServed(CONFIGS), notServed(ROUTINGS), listed(resource, []));
      assert.deepEqual(watchedOf(), routingCollections);
    });

  it('look a second time at a kind that is missing, and no third time', async () => {
    await door.tell(listed(CONFIGS, []), notServed(CUDNS));
    assert.equal(door.countOf(CUDNS), 1);
    await door.pass(29_000);
    assert.equal(door.countOf(CUDNS), 1);
    await door.pass(1_000);
    await door.pass(300_000);
    assert.equal(door.countOf(CUDNS), 2);
    await door.tell(listed(CUDNS, []));
    assert.equal(door.countOf(CUDNS), 3, 'and go on watching');
  });

  it('forget their doubt when the kind is served in the meantime', async () => {
    await door.tell(listed(CONFIGS, []), notServed(CUDNS), listed(CUDNS, []));
    await door.pass(60_000);
    assert.deepEqual(
      door.seen.filter(({ collection }) => collection === CUDNS).map(({ kind }) => kind),
      ['NotServed', 'Listed'],
    );
  });

  it('include the Infrastructure of the cluster, although the platform is set', () => {
    assert.ok(door.watched.has(INFRASTRUCTURES));
  });
});

describe('the name of the cluster', () => {
  const named = { infrastructureName: 'demo-x7k2p', platform: 'AWS' };
  const platformOf = (one: Watched): unknown => {
    const fact = one.log.get('platform/cluster');
    return fact?.kind === 'PlatformSeen' && [fact.platform, fact.infrastructureName];
  };

  it('is told with the platform', () => {
    const one = new Watched(noProbes).sense(listed(INFRASTRUCTURES, [infrastructure(named)]));
    assert.deepEqual(platformOf(one), ['AWS', 'demo-x7k2p']);
  });

  it('is told beside a platform that is set, and kept over restarts and absences', () => {
    const one = new Watched({ ...noProbes, platform: 'None' });
    assert.deepEqual(platformOf(one), ['None', '']);
    one.sense(listed(INFRASTRUCTURES, [infrastructure(named)]));
    assert.deepEqual(platformOf(one), ['None', 'demo-x7k2p']);
    const before = one.said.length;
    one.restart().sense(notServed(INFRASTRUCTURES));
    one.restart().sense(listed(INFRASTRUCTURES, [infrastructure(named)]));
    assert.equal(one.said.length, before);
  });
});
