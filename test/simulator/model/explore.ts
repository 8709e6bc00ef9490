/** Goes through the states of a small world with the assigner as it ships, and judges each step. */
import { must } from '../../../core/assert.ts';
import type { Event, Heard, Speaker } from '../../../core/event.ts';
import type { Fact } from '../../../core/fact.ts';
import { topicOf } from '../../../core/subject.ts';
import { assigner } from '../../../services/assigner/room.ts';
import type { World } from '../../../services/assigner/world.ts';
import { draw } from '../draw.ts';
import { type Homes, judge } from './judge.ts';
import { egressIPFact, type Land, nodeFact, type State } from './land.ts';

const room = assigner({ excluded: undefined });

/** An assigner, and what is left on the log of all that it heard and said. */
class Life {
  readonly world: World = room.fresh();
  readonly log: Map<string, Heard>;
  #sequence = 0;

  constructor(log: ReadonlyMap<string, Heard>) {
    this.log = new Map(log);
    for (const heard of log.values()) {
      this.#sequence = Math.max(this.#sequence, heard.sequence);
      room.fold(this.world, heard);
    }
  }

  hear(fact: Fact): void {
    this.#learn('watcher', fact);
  }

  /** How much it had to say. */
  decide(): number {
    for (let said = 0; ; ) {
      const turn = room.decide(this.world);
      said += turn.says.length;
      for (const { event } of turn.says) this.#learn('assigner', event);
      if (!turn.more) return said;
    }
  }

  #learn(stream: Speaker, event: Event): void {
    const { kind, name } = topicOf(event);
    const sequence = ++this.#sequence;
    const heard = { stream, sequence, atMs: 1_000_000, causes: [], said: '', event };
    this.log.delete(`${stream} ${kind} ${name}`);
    this.log.set(`${stream} ${kind} ${name}`, heard);
    room.fold(this.world, heard);
  }

  homes(): Homes {
    const homes = new Map<string, string>();
    for (const { event } of this.log.values())
      if (event.kind === 'EgressIPDecided')
        for (const { address, node } of event.placements)
          homes.set(`${event.name} ${address}`, node);
    return homes;
  }
}

function begin(land: Land): Life {
  const life = new Life(new Map());
  const platform = land.cloud ? 'AWS' : 'None';
  life.hear({ kind: 'PlatformSeen', platform, infrastructureName: '' });
  const kinds = ['nodes', 'egressips', 'cloudprivateipconfigs'];
  life.hear({ kind: 'Synced', kinds, probing: 'off' });
  life.decide();
  return life;
}

/** One node or one EgressIP becomes something else. */
interface Step {
  readonly what: 'nodes' | 'egressIPs';
  readonly index: number;
  readonly choice: number;
}

const beginning = (land: Land): State => ({
  nodes: land.nodes.map(() => 0),
  egressIPs: land.egressIPs.map(() => 0),
});

function stepsOf(land: Land): readonly Step[] {
  const nodes = land.nodes.flatMap((_, index) =>
    land.nodeChoices.map((__, choice): Step => ({ what: 'nodes', index, choice })),
  );
  const egressIPs = land.egressIPs.flatMap((_, index) =>
    land.wishes.map((__, choice): Step => ({ what: 'egressIPs', index, choice })),
  );
  return [...nodes, ...egressIPs];
}

const after = (state: State, { what, index, choice }: Step): State => ({
  ...state,
  [what]: state[what].with(index, choice),
});

const factOf = (land: Land, { what, index, choice }: Step): Fact =>
  what === 'nodes'
    ? nodeFact(land, index, land.nodeChoices[choice])
    : egressIPFact(land, index, land.wishes[choice]);

function keyOf({ nodes, egressIPs }: State, homes: Homes): string {
  const seats = [...homes].map(([key, node]) => `${key.replace('10.', '')}${node}`).sort();
  return `${nodes.join('')}${egressIPs.join('')}${seats.join()}`;
}

export interface Explored {
  readonly states: number;
  readonly steps: number;
}

function take(land: Land, life: Life, state: State, step: Step): { state: State; homes: Homes } {
  const before = life.homes();
  life.hear(factOf(land, step));
  life.decide();
  const next = after(state, step);
  const homes = life.homes();
  const problem = judge(land, next, before, homes);
  if (problem === undefined) return { state: next, homes };
  const told = JSON.stringify({ state, step, before: [...before], homes: [...homes] });
  throw new Error(`${land.name}: ${problem}; ${told}`);
}

/** Every state that can be reached, and from each every step; each life begins with a restart. */
export function exhaust(land: Land): Explored {
  const first = begin(land);
  const state = beginning(land);
  const known = new Set([keyOf(state, first.homes())]);
  const open = [{ state, log: first.log as ReadonlyMap<string, Heard> }];
  const all = stepsOf(land);
  let steps = 0;
  for (let at = 0; at < open.length; at++) {
    const { state: here, log } = must(open[at], 'a state');
    for (const step of all) {
      if (here[step.what][step.index] === step.choice) continue;
      const life = new Life(log);
      if (life.decide() > 0) throw new Error(`${land.name}: a restart says something`);
      const { state: next, homes } = take(land, life, here, step);
      steps++;
      const key = keyOf(next, homes);
      if (known.has(key)) continue;
      known.add(key);
      open.push({ state: next, log: life.log });
    }
  }
  return { states: known.size, steps };
}

/** So many steps to states that are known: there are hardly any others. */
const MOST_IDLE = 200_000;

/**
 * A walk that prefers steps not tried before, until it has met so many states; `onState` is told
 * how many these are. Throws when there are not so many.
 */
export function wander(
  land: Land,
  states: number,
  seed: number,
  onState: (met: number) => void = () => undefined,
): Explored {
  const chance = draw(seed, land.name);
  const tried = new Map<string, number>();
  const all = stepsOf(land);
  let life = begin(land);
  let state = beginning(land);
  let key = keyOf(state, life.homes());
  for (let steps = 0, idle = 0; ; steps++, idle++) {
    if (tried.size >= states) return { states: tried.size, steps };
    if (idle > MOST_IDLE) throw new Error(`${land.name}: there are ${tried.size} states, no more`);
    if (!tried.has(key)) {
      idle = 0;
      onState(tried.size + 1);
    }
    const done = tried.get(key) ?? 0;
    const fresh = all.filter(
      ({ what, index, choice }, at) => state[what][index] !== choice && (done & (1 << at)) === 0,
    );
    const step = chance.one(fresh.length > 0 ? fresh : all);
    tried.set(key, done | (1 << (all.indexOf(step) % 31)));
    if (chance.chance(0.01)) life = new Life(life.log);
    if (life.decide() > 0) throw new Error(`${land.name}: it does not rest`);
    const taken = take(land, life, state, step);
    state = taken.state;
    key = keyOf(state, taken.homes);
  }
}
