/** The assigner and bgp as they ship, on a log and a clock in memory; the test is its watcher. */
import type { Fact } from '../../core/fact.ts';
import type { Heard, Saying, Speaker } from '../../core/event.ts';
import { must } from '../../core/assert.ts';
import type { Readable } from '../../cli/read.ts';
import { verify, type VerifyAsk } from '../../cli/verify.ts';
import { decode, encode } from '../../edge/protobuf.ts';
import { live } from '../../edge/run.ts';
import { SimulatedWorld, type Tenant } from '../../edge/simulated/world.ts';
import { freshVitals } from '../../edge/vitality.ts';
import { wakePerform } from '../../edge/wake.ts';
import { assigner } from '../../services/assigner/room.ts';
import { bgp } from '../../services/bgp/room.ts';
import { logOf, screenAt } from './stage.ts';

const never = new AbortController().signal;

/** The rooms whose decisions are verified, as their processes run them. */
const tenants: readonly Tenant[] = [
  {
    name: 'assigner',
    live: ({ log, clock }, signal) => {
      const doors = { log, clock, perform: wakePerform(clock), paceMs: 15 };
      return live(assigner({ excluded: undefined }), doors, freshVitals(), signal);
    },
  },
  {
    name: 'bgp',
    live: ({ log, clock }, signal) => {
      const doors = { log, clock, perform: wakePerform(clock), paceMs: 15 };
      return live(bgp(), doors, freshVitals(), signal);
    },
  },
];

export class Bench {
  readonly world = new SimulatedWorld({ tenants });
  /** Everything that was said, in the order of saying. */
  readonly heard: Heard[] = [];

  constructor() {
    this.world.log.onHeard = (heard) => void this.heard.push(heard);
    this.world.start();
  }

  /** Puts it on the log; who hears it has not thought about it yet. */
  async say(speaker: Speaker, ...says: readonly Saying[]): Promise<void> {
    const { log } = this.world;
    await log.speak(speaker, says, log.events(speaker).length, never);
  }

  /** The watcher says these at once. */
  tell(...facts: readonly Fact[]): Promise<void> {
    return this.say('watcher', ...facts.map((event) => ({ event, causes: [], said: event.kind })));
  }

  /** The same, and the assigner thinks about it. */
  async see(...facts: readonly Fact[]): Promise<this> {
    await this.tell(...facts);
    await this.world.advance(20);
    return this;
  }

  get decisions(): readonly Heard[] {
    return this.heard.filter(({ stream }) => stream === 'assigner');
  }

  /** `sluice verify` on the log as it is, or on another one. */
  verify(heard: readonly Heard[] = this.heard, more: Partial<VerifyAsk> = {}): Promise<Answer> {
    return verified(logOf(heard), this.world.clock.nowMs(), more);
  }

  /** The same where the history has forgotten the first so many events. */
  verifyWithout(forgotten: number): Promise<Answer> {
    const [all, late] = [logOf(this.heard), logOf(this.heard.slice(forgotten))];
    const log: Readable = {
      read: (options, signal) =>
        (options.streams.includes('history') ? late : all).read(options, signal),
    };
    return verified(log, this.world.clock.nowMs());
  }
}

export interface Answer {
  readonly code: number;
  readonly text: string;
}

export async function verified(
  log: Readable,
  nowMs: number,
  more: Partial<VerifyAsk> = {},
): Promise<Answer> {
  const settings = { excluded: undefined };
  const ask = {
    sinceMs: undefined,
    output: 'text',
    settings,
    cluster: undefined,
    pause: async () => undefined,
    ...more,
  } as const;
  const screen = screenAt(nowMs);
  const code = await verify(log, ask, screen);
  return { code, text: screen.text() };
}

/** The log with the last such letters of one message exchanged, as on a disk that lies. */
export function withByte(
  heard: readonly Heard[],
  changed: Heard,
  from: string,
  to: string,
): readonly Heard[] {
  const text = Buffer.from(encode(changed)).toString('latin1');
  const at = text.lastIndexOf(from);
  const bytes = Buffer.from(text.slice(0, at) + to + text.slice(at + to.length), 'latin1');
  const { stream, sequence } = changed;
  const other = { stream, sequence, ...must(decode(bytes), 'a readable message') };
  return heard.map((one) => (one === changed ? other : one));
}
