/** What befalls the servers in a round, each kind from the first harm to the last repair. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../controlplane/child.ts';
import type { NatsMember } from '../controlplane/nats-cluster.ts';
import { eventually } from '../controlplane/wait.ts';
import type { Draw } from '../simulator/draw.ts';
import { flipByte, truncateFile } from './damage.ts';
import { type Site, streams } from './site.ts';

export interface Stage {
  readonly site: Site;
  readonly draw: Draw;
  /** The longest that a server is frozen or away, in milliseconds. */
  readonly longestMs: number;
}

export interface Kind {
  /**
   * What the log loses: `none` that was acknowledged by a majority, an `older` copy takes its
   * place, or `all` of it is gone. A `part` may be lost on a server or in a stream.
   */
  readonly loses: 'none' | 'part' | 'older' | 'all';
  /** Harms and repairs; returns what was done in particular, or ''. */
  readonly befall: (stage: Stage) => Promise<string>;
}

const all = (children: readonly Child[], how: 'kill' | 'start' | 'stop'): Promise<unknown> =>
  Promise.all(children.map((child) => child[how]()));

const childrenOf = ({ site }: Stage): Child[] => site.nats.members.map(({ child }) => child);
const oneOf = ({ site, draw }: Stage): NatsMember => draw.one(site.nats.members);
const traffic = ({ site, draw }: Stage, steps = 4): Promise<void> => site.traffic.run(draw, steps);

/** From a quarter of the longest time to the whole of it. */
async function pause({ draw, longestMs }: Stage): Promise<string> {
  const ms = draw.between(longestMs / 4, longestMs);
  await sleep(ms);
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Some servers away while `meanwhile` happens to their files. */
async function away(
  stage: Stage,
  children: readonly Child[],
  meanwhile: () => Promise<string> | string = () => '',
): Promise<string> {
  await all(children, 'kill');
  const note = await meanwhile();
  await traffic(stage);
  await all(children, 'start');
  return note;
}

async function frozen(stage: Stage, children: readonly Child[], work = true): Promise<string> {
  for (const child of children) child.freeze();
  if (work) await traffic(stage);
  const note = await pause(stage);
  for (const child of children) child.thaw();
  return note;
}

/** The stores as they are now, of servers that stand still meanwhile. */
function copyNow(stage: Stage, members: readonly NatsMember[]): () => void {
  const children = childrenOf(stage);
  for (const child of children) child.freeze();
  const putBack = stage.site.nats.copy(members, 'older');
  for (const child of children) child.thaw();
  return putBack;
}

/** Says enough that each stream goes on behind the copy, and waits until that has been noted. */
async function goOn(stage: Stage, noted: boolean): Promise<void> {
  const { site } = stage;
  const lasts = async (): Promise<number[]> =>
    (await Promise.all(streams.map((stream) => site.nats.last(stream)))).map((last) => last ?? 0);
  const before = await lasts();
  const withinMs = 60_000;
  await eventually('all streams have grown', { withinMs }, async () => {
    await traffic(stage);
    return (await lasts()).every((last, index) => last > (before[index] ?? 0));
  });
  if (!noted) return;
  await eventually('the publisher has noted it', { withinMs }, async () => {
    const { marks = {} } = await site.book();
    return (marks['assigner']?.sequence ?? 0) > (before[1] ?? 0);
  });
}

/** An older copy of all stores is put back, with the rooms alive or not. */
async function restored(stage: Stage, how: { noted: boolean; rooms: boolean }): Promise<string> {
  const { site } = stage;
  const putBack = copyNow(stage, site.nats.members);
  await goOn(stage, how.noted);
  if (!how.rooms) await site.killRooms();
  await away(stage, childrenOf(stage), () => {
    putBack();
    return '';
  });
  if (!how.rooms) await site.startRooms();
  return '';
}

/** All stores are gone. */
async function lost(stage: Stage, rooms: boolean): Promise<string> {
  if (!rooms) await stage.site.killRooms();
  const note = await away(stage, childrenOf(stage), () => {
    for (const { store } of stage.site.nats.members) rmSync(store, { recursive: true });
    return '';
  });
  if (!rooms) await stage.site.startRooms();
  return note;
}

async function deleted({ site }: Stage, which: readonly string[]): Promise<string> {
  for (const stream of which) await site.nats.ask(`STREAM.DELETE.${stream}`);
  return which.length === 1 ? (which[0] ?? '') : '';
}

const everyStream = ['SLUICE_HISTORY', ...streams];

/** By name; the order is part of what a seed means. */
export const kinds = {
  'one server killed': { loses: 'none', befall: (s) => away(s, [oneOf(s).child], () => pause(s)) },
  'all servers killed': { loses: 'none', befall: (s) => away(s, childrenOf(s)) },
  'one server restarted': {
    loses: 'none',
    befall: async (s) => {
      const { child, name } = oneOf(s);
      await child.stop();
      await child.start();
      return name;
    },
  },
  'one server frozen': { loses: 'none', befall: (s) => frozen(s, [oneOf(s).child]) },
  'all servers frozen': { loses: 'none', befall: (s) => frozen(s, childrenOf(s)) },
  'all stores restored': {
    loses: 'older',
    befall: (s) => restored(s, { noted: true, rooms: true }),
  },
  'all stores restored at once': {
    loses: 'older',
    befall: (s) => restored(s, { noted: false, rooms: true }),
  },
  'all stores restored while rooms are down': {
    loses: 'older',
    befall: (s) => restored(s, { noted: true, rooms: false }),
  },
  'one store restored': {
    loses: 'part',
    befall: async (s) => {
      const one = oneOf(s);
      const putBack = copyNow(s, [one]);
      await goOn(s, false);
      return away(s, [one.child], () => {
        putBack();
        return one.name;
      });
    },
  },
  'one store lost': {
    loses: 'part',
    befall: (s) => {
      const { child, store, name } = oneOf(s);
      return away(s, [child], () => {
        rmSync(store, { recursive: true });
        return name;
      });
    },
  },
  'all stores lost': { loses: 'all', befall: (s) => lost(s, true) },
  'all stores lost while rooms are down': { loses: 'all', befall: (s) => lost(s, false) },
  'one stream deleted': { loses: 'part', befall: (s) => deleted(s, [s.draw.one(everyStream)]) },
  'all streams deleted': { loses: 'all', befall: (s) => deleted(s, everyStream) },
  'one byte flipped': {
    loses: 'part',
    befall: (s) => {
      const { child, store } = oneOf(s);
      return away(s, [child], () => flipByte(store, s.draw));
    },
  },
  'one byte flipped while all are down': {
    loses: 'part',
    befall: (s) => away(s, childrenOf(s), () => flipByte(oneOf(s).store, s.draw)),
  },
  'one file truncated': {
    loses: 'part',
    befall: (s) => {
      const { child, store } = oneOf(s);
      return away(s, [child], () => truncateFile(store, s.draw));
    },
  },
  'API server frozen': {
    loses: 'none',
    befall: async (s) => {
      await traffic(s);
      return frozen(s, [s.site.plane.apiserver], false);
    },
  },
  'API server killed': {
    loses: 'none',
    befall: async (s) => {
      const { apiserver } = s.site.plane;
      await traffic(s);
      await apiserver.kill();
      await apiserver.start();
      return '';
    },
  },
  'all rooms and one server killed': {
    loses: 'none',
    befall: async (s) => {
      await s.site.killRooms();
      const note = await away(s, [oneOf(s).child]);
      await s.site.startRooms();
      return note;
    },
  },
} satisfies Record<string, Kind> as Readonly<Record<string, Kind>>;
