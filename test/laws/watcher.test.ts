/** Laws of the watcher: the log says what the cluster is, and says it once. */
import assert from 'node:assert/strict';
import type { KubeObject, Sighting } from '../../core/door.ts';
import type { Fact } from '../../core/fact.ts';
import { type Choose, every, seeded } from '../every.ts';
import {
  CLAIMS,
  claimObject,
  EGRESSIPS,
  egressIPObject,
  gone,
  INFRASTRUCTURES,
  infrastructure,
  listed,
  NODES,
  nodeObject,
  noProbes,
  notServed,
  put,
  usualProbes,
  Watched,
} from './watcher-bench.ts';

const T0 = Date.UTC(2026, 0, 5, 10);

/** One kind of the small world: how its only object is in version `v`, and what is told then. */
interface Sort {
  readonly collection: string;
  readonly topic: string;
  readonly name: string;
  object(uid: string, v: number): KubeObject;
  fact(uid: string, v: number): Fact;
}

const sorts: readonly Sort[] = [
  {
    collection: NODES,
    topic: 'node/a',
    name: 'a',
    object: (uid, v) => nodeObject('a', uid, v),
    fact: (uid, v) => {
      const annotations = { 'k8s.ovn.org/node-subnets': `{"default":"10.128.${v}.0/24"}` };
      const node = {
        name: 'a',
        uid,
        labels: { zone: `zone-${v}` },
        ready: true,
        annotations,
        providerID: '',
        internalIPs: [],
        drained: '' as const,
      };
      return { kind: 'NodeSeen', node };
    },
  },
  {
    collection: EGRESSIPS,
    topic: 'egressip/web',
    name: 'web',
    object: (uid, v) => egressIPObject('web', uid, `10.0.0.${v}`),
    fact: (uid, v) => ({
      kind: 'EgressIPSeen',
      egressIP: {
        name: 'web',
        uid,
        createdMs: T0,
        addresses: [`10.0.0.${v}`],
        nodeSelector: { matchLabels: {}, matchExpressions: [] },
        items: [],
        annotations: {},
      },
    }),
  },
  {
    collection: CLAIMS,
    topic: 'cloudprivateipconfig/10.0.0.1',
    name: '10.0.0.1',
    object: (uid, v) => claimObject('10.0.0.1', uid, `node-${v}`),
    fact: (uid, v) => ({
      kind: 'CloudClaimSeen',
      claim: {
        name: '10.0.0.1',
        uid,
        owner: 'web',
        node: `node-${v}`,
        statusNode: `node-${v}`,
        assigned: 'True',
        message: 'done',
        sinceMs: T0,
        deleting: false,
      },
    }),
  },
];

const steps = ['change', 'replace', 'delete', 'miss', 'list', 'not served', 'restart'] as const;

/** The cluster, and a reflector for each kind that delivers what happens once it has listed. */
class Small {
  readonly watched = new Watched(noProbes);
  readonly #there = new Map<Sort, { uid: string; v: number }>();
  readonly #following = new Set<Sort>();
  #count = 0;

  step(choose: Choose): void {
    const step = choose.one(steps);
    if (step === 'restart') {
      this.#following.clear();
      this.watched.restart();
    } else this.#befall(step, choose.one(sorts));
    for (const sort of this.#following) this.#check(sort);
  }

  #check(sort: Sort): void {
    const truth = this.#there.get(sort);
    const expected = truth && sort.fact(truth.uid, truth.v);
    assert.deepEqual(this.watched.facts.get(sort.topic), expected, sort.topic);
  }

  #befall(step: (typeof steps)[number], sort: Sort): void {
    const before = this.#there.get(sort);
    this.#count++;
    const now = { uid: before?.uid ?? `uid-${this.#count}`, v: this.#count % 200 };
    switch (step) {
      case 'list':
        return this.list(sort);
      case 'not served':
        return void this.watched.sense(notServed(sort.collection));
      case 'change':
        this.#there.set(sort, now);
        return this.#deliver(sort, put(sort.collection, sort.object(now.uid, now.v)));
      case 'replace': {
        const uid = `uid-${this.#count}`;
        this.#there.set(sort, { uid, v: now.v });
        this.#deliver(sort, put(sort.collection, sort.object(uid, now.v)));
        // The end of the old one is heard of late.
        return this.#deliver(sort, gone(sort.collection, sort.name, before?.uid ?? 'never'));
      }
      case 'delete':
        this.#there.delete(sort);
        return this.#deliver(sort, gone(sort.collection, sort.name, now.uid));
      case 'miss':
        // It goes while nobody watches: only the next list can tell.
        this.#there.delete(sort);
        return void this.#following.delete(sort);
      default:
        assert.equal(step, 'restart', 'that befalls the watcher, not a kind');
    }
  }

  #deliver(sort: Sort, sighting: Sighting): void {
    if (this.#following.has(sort)) this.watched.sense(sighting);
  }

  list(sort: Sort): void {
    const { uid, v } = this.#there.get(sort) ?? {};
    const objects = uid === undefined || v === undefined ? [] : [sort.object(uid, v)];
    this.watched.sense(listed(sort.collection, objects));
    this.#following.add(sort);
  }

  /** Every kind is listed: the log must say what there is. */
  conclude(order: readonly Sort[] = sorts): void {
    for (const sort of order) this.list(sort);
    for (const sort of sorts) this.#check(sort);
    this.watched.said = [];
    this.watched.restart();
    for (const sort of order.toReversed()) this.list(sort);
    assert.deepEqual(this.watched.said, [], 'a restart tells nothing that was told');
  }
}

describe('the watcher', () => {
  it('leaves on the log what the cluster is, after every small history', () => {
    const runs = every((choose) => {
      const small = new Small();
      if (choose.one([true, false])) for (const sort of sorts) small.list(sort);
      for (let step = 0; step < 3; step++) small.step(choose);
      small.conclude();
    });
    assert.equal(runs, 2 * (6 * 3 + 1) ** 3);
  }).timeout(60_000);

  it('leaves on the log what the cluster is, after long random lives', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const small = new Small();
      const choose = seeded(seed);
      for (let step = 0; step < 60; step++) small.step(choose);
      small.conclude();
    }
  }).timeout(60_000);

  it('says the same in whatever order the kinds are listed, probes and all', () => {
    const lists: readonly Sighting[] = [
      ...sorts.map((sort) => listed(sort.collection, [sort.object('u', 7)])),
      listed(INFRASTRUCTURES, [infrastructure({ platform: 'GCP' })]),
    ];
    const outcomes = new Set<string>();
    const runs = every((choose) => {
      const watched = new Watched(usualProbes);
      const left = [...lists];
      while (left.length > 0) {
        const next = choose.one(left);
        left.splice(left.indexOf(next), 1);
        watched.sense(next);
      }
      assert.equal(watched.acts.length, 1);
      answerAll(watched, true);
      outcomes.add(JSON.stringify([...watched.facts]));
      assert.equal(watched.said.at(-1)?.[0], 'sync/cluster');
    });
    assert.deepEqual([runs, outcomes.size], [24, 1]);
  });

  it('tells what is missing of a claim in words, and its end', () => {
    const watched = new Watched(noProbes);
    const bare = {
      metadata: { name: '10.0.0.1', uid: 'u', resourceVersion: '1' },
      spec: { node: 'a' },
    } as KubeObject;
    const metadata = { ...bare.metadata, deletionTimestamp: '2026-01-05T10:00:00Z' };
    watched.sense(listed(CLAIMS, [bare]), put(CLAIMS, bare));
    watched.sense(put(CLAIMS, claimObject('10.0.0.1', 'u', 'a')));
    watched.sense(put(CLAIMS, { ...claimObject('10.0.0.1', 'u', 'a'), metadata } as KubeObject));
    watched.sense(gone(CLAIMS, '10.0.0.1', 'u'));
    const topic = 'cloudprivateipconfig/10.0.0.1';
    assert.deepEqual(
      watched.sentences.filter((sentence) => sentence.startsWith(topic)),
      [
        `${topic} appeared: for nobody on a, not taken up yet`,
        `${topic} is for web, assigned on a`,
        `${topic} is for nobody, is being released`,
        `${topic} is gone`,
      ],
    );
  });
});

/** Answers every probe that was asked for so far. */
function answerAll(watched: Watched, reachable: boolean): void {
  for (const act of watched.acts.splice(0)) {
    if (act.kind !== 'Probe') continue;
    const { node } = act.request;
    watched.sense({ kind: 'Probed', node, ask: act.ask, reachable, because: 'it was asked' });
  }
}

describe('the watcher and the platform', () => {
  const both = [listed(NODES, []), listed(EGRESSIPS, [])];
  const clouds = ['AWS', 'Azure', 'GCP', 'OpenStack'];
  const synced = (watched: Watched): unknown => {
    const fact = watched.log.get('sync/cluster');
    return fact?.kind === 'Synced' ? fact.kinds : undefined;
  };
  const platform = (watched: Watched): unknown => {
    const fact = watched.log.get('platform/cluster');
    return fact?.kind === 'PlatformSeen' ? fact.platform : undefined;
  };

  for (const cloud of clouds) {
    it(`is synced on ${cloud} only when the CloudPrivateIPConfigs are listed, too`, () => {
      const watched = new Watched(noProbes).sense(...both);
      assert.equal(watched.waits, 'the platform of the cluster');
      const status = { platformStatus: { type: cloud }, platform: 'ignored' };
      watched.sense(listed(INFRASTRUCTURES, [infrastructure(status)]));
      assert.deepEqual([platform(watched), synced(watched)], [cloud, undefined]);
      watched.sense(notServed(CLAIMS));
      assert.deepEqual(
        [synced(watched), watched.waits],
        [undefined, 'the list of cloudprivateipconfigs'],
      );
      watched.sense(listed(CLAIMS, []));
      assert.deepEqual(synced(watched), ['nodes', 'egressips', 'cloudprivateipconfigs']);
      assert.equal(watched.waits, '');
    });
  }

  for (const other of ['aws', 'None', 'BareMetal', 'VSphere', 'External', '']) {
    it(`counts "${other}" as bare metal`, () => {
      const watched = new Watched(noProbes).sense(...both);
      watched.sense(listed(INFRASTRUCTURES, [infrastructure({ platform: other })]));
      assert.deepEqual(platform(watched), other || 'None');
      assert.deepEqual(synced(watched), ['nodes', 'egressips']);
    });
  }

  it('is told before everything is synced', () => {
    const watched = new Watched(noProbes).sense(...both, notServed(INFRASTRUCTURES));
    assert.deepEqual(
      watched.said.map(([topic]) => topic),
      ['platform/cluster', 'sync/cluster'],
    );
  });

  it('is None where the kind is not served, until it is', () => {
    const watched = new Watched(noProbes).sense(...both, notServed(INFRASTRUCTURES));
    assert.equal(platform(watched), 'None');
    const status = { platformStatus: { type: 'AWS' } };
    watched.sense(put(INFRASTRUCTURES, infrastructure({ platform: 'GCP' }, 'another')));
    assert.equal(platform(watched), 'None');
    watched.sense(listed(INFRASTRUCTURES, [infrastructure(status)]));
    assert.equal(platform(watched), 'AWS');
    assert.deepEqual(synced(watched), ['nodes', 'egressips'], 'until the claims are complete');
    watched.sense(listed(CLAIMS, []));
    assert.deepEqual(synced(watched), ['nodes', 'egressips', 'cloudprivateipconfigs']);
  });

  it('is not forgotten because a starting API server does not serve the kind yet', () => {
    const watched = new Watched(noProbes).sense(...both);
    watched.sense(listed(INFRASTRUCTURES, [infrastructure({ platform: 'AWS' })]));
    watched.sense(notServed(INFRASTRUCTURES));
    assert.equal(platform(watched), 'AWS');
    watched.restart().sense(notServed(INFRASTRUCTURES));
    assert.equal(platform(watched), 'AWS');
    watched.sense(gone(INFRASTRUCTURES, 'cluster', 'infra'));
    assert.equal(platform(watched), 'None');
  });

  it('is what the setting says, whatever the cluster does', () => {
    const watched = new Watched({ ...noProbes, platform: 'OpenStack' }).sense(...both);
    assert.deepEqual([platform(watched), synced(watched)], ['OpenStack', undefined]);
    watched.sense(listed(CLAIMS, []));
    assert.equal(watched.waits, '');
  });
});
