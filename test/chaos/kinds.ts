/** What befalls the servers in a round, each kind from the first harm to the last repair. */
import { rmSync } from 'node:fs';
import { flipByte, truncateFile } from './damage.ts';
import {
  away,
  childrenOf,
  copyNow,
  deleted,
  frozen,
  goOn,
  lost,
  oneOf,
  pause,
  restored,
  type Stage,
  traffic,
} from './harm.ts';
import { twoPublishers } from './two-publishers.ts';
import { streams } from './site.ts';

export interface Kind {
  /**
   * What the log loses: `none` that was acknowledged by a majority, an `older` copy takes its
   * place, or `all` of it is gone. A `part` may be lost on a server or in a stream.
   */
  readonly loses: 'none' | 'part' | 'older' | 'all';
  /** Harms and repairs; returns what was done in particular, or ''. */
  readonly befall: (stage: Stage) => Promise<string>;
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
  'leading publisher frozen': {
    loses: 'none',
    befall: (s) => twoPublishers(s, { how: 'frozen', slow: false }),
  },
  'leading publisher frozen before slow answers': {
    loses: 'none',
    befall: (s) => twoPublishers(s, { how: 'frozen', slow: true }),
  },
  'leading publisher terminated': {
    loses: 'none',
    befall: (s) => twoPublishers(s, { how: 'terminated', slow: true }),
  },
  'leading publisher killed': {
    loses: 'none',
    befall: (s) => twoPublishers(s, { how: 'killed', slow: true }),
  },
} satisfies Record<string, Kind> as Readonly<Record<string, Kind>>;
