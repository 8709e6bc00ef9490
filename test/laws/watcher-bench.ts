/** A watcher on a bench: it is given sightings and answers; what it says is kept as on the log. */
import assert from 'node:assert/strict';
import type { KubeObject, Sighting } from '../../core/door.ts';
import type { Fact } from '../../core/fact.ts';
import { topicOf } from '../../core/subject.ts';
import type { Act, Input, Settings } from '../../services/watcher/input.ts';
import { watcher } from '../../services/watcher/room.ts';
import { same } from '../../core/same.ts';

export const NODES = '/api/v1/nodes';
export const EGRESSIPS = '/apis/k8s.ovn.org/v1/egressips';
export const CLAIMS = '/apis/cloud.network.openshift.io/v1/cloudprivateipconfigs';
export const INFRASTRUCTURES = '/apis/config.openshift.io/v1/infrastructures';

/** What a room of a fresh installation has, without probes. */
export const noProbes: Settings = {
  probing: 'off',
  port: 9107,
  deadlineMs: 1000,
  intervalMs: 5000,
  failures: 4,
  recoveries: 1,
  excluded: undefined,
};

/** The probes of a fresh installation. */
export const usualProbes: Settings = {
  ...noProbes,
  probing: 'grpc',
  slots: 20,
  isolationShare: 50,
};

type Said = readonly [topic: string, fact: Fact];

export class Watched {
  /** The last fact on each topic, in the order of the first. */
  readonly log = new Map<string, Fact>();
  /** Everything that was said since this was emptied. */
  said: Said[] = [];
  sentences: string[] = [];
  acts: Act[] = [];
  readonly #settings: Settings;
  #room = watcher(noProbes);
  #world = this.#room.fresh();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.restart();
  }

  /** Another life: it knows what is on the log, as it is read back from there. */
  restart(settings = this.#settings): this {
    this.#room = watcher(settings);
    this.#world = this.#room.fresh();
    this.acts = [];
    const sequence = { stream: 'watcher', sequence: 1, atMs: 0, causes: [], said: '' } as const;
    for (const event of this.log.values())
      this.#room.fold(this.#world, { ...sequence, event: structuredClone(event) });
    return this.think();
  }

  /** Learns all of them, then thinks until it is at rest. */
  sense(...inputs: readonly Input[]): this {
    for (const input of inputs) this.#room.sense(this.#world, input);
    return this.think();
  }

  think(): this {
    for (let turns = 0; ; turns++) {
      assert.ok(turns < 1000, 'it comes to rest');
      const turn = this.#room.decide(this.#world);
      this.acts.push(...turn.does);
      for (const { event, said } of turn.says) this.#say(event as Fact, said);
      if (turn.says.length === 0 && !turn.more) return this;
    }
  }

  #say(fact: Fact, sentence: string): void {
    const { kind, name } = topicOf(fact);
    const topic = `${kind}/${name}`;
    assert.ok(!same(this.log.get(topic), fact), `${topic} is said twice: ${sentence}`);
    this.log.set(topic, fact);
    this.said.push([topic, fact]);
    this.sentences.push(`${topic} ${sentence}`);
  }

  get waits(): string {
    return this.#room.waits(this.#world);
  }

  /** The facts on the log without those that say that something is not there. */
  get facts(): ReadonlyMap<string, Fact> {
    const there = [...this.log].filter(([, { kind }]) => !/Gone$|Forgotten$/.test(kind));
    return new Map(there.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

export const listed = (collection: string, objects: readonly KubeObject[]): Sighting => ({
  kind: 'Listed',
  collection,
  objects,
});

export const put = (collection: string, object: KubeObject): Sighting => ({
  kind: 'Put',
  collection,
  object,
});

export const gone = (collection: string, name: string, uid: string): Sighting => ({
  kind: 'Gone',
  collection,
  name,
  uid,
});

export const notServed = (collection: string): Sighting => ({ kind: 'NotServed', collection });

/** A Ready node whose management address is 10.128.`subnet`.2. */
export function nodeObject(name: string, uid: string, subnet: number, ready = 'True'): KubeObject {
  const subnets = JSON.stringify({ default: `10.${128 + (subnet >> 8)}.${subnet & 255}.0/24` });
  return {
    metadata: {
      name,
      uid,
      resourceVersion: '1',
      labels: { zone: `zone-${subnet}` },
      annotations: { 'k8s.ovn.org/node-subnets': subnets, 'example.com/heartbeat': '17' },
    },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  } as KubeObject;
}

/** An EgressIP for every node. */
export function egressIPObject(name: string, uid: string, address: string): KubeObject {
  return {
    metadata: { name, uid, resourceVersion: '1', creationTimestamp: '2026-01-05T10:00:00Z' },
    spec: { egressIPs: [address], egressNodeSelector: {}, namespaceSelector: {} },
  } as KubeObject;
}

export function claimObject(name: string, uid: string, node: string): KubeObject {
  const conditions = [
    { type: 'Other', status: 'False' },
    {
      type: 'Assigned',
      status: 'True',
      message: 'done',
      lastTransitionTime: '2026-01-05T10:00:00Z',
    },
  ];
  return {
    metadata: {
      name,
      uid,
      resourceVersion: '1',
      annotations: { 'k8s.ovn.org/egressip-owner-ref': 'web' },
    },
    spec: { node },
    status: { node, conditions },
  } as KubeObject;
}

export function infrastructure(status: unknown, name = 'cluster'): KubeObject {
  return { metadata: { name, uid: 'infra', resourceVersion: '1' }, status } as KubeObject;
}
