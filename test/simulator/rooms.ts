/** The rooms as they ship, a row each: how one is joined to its doors, as its main.ts does it. */
import type { CloudProvider } from '../../core/cloud-door.ts';
import type { Clock, Cluster, Prober } from '../../core/door.ts';
import { must } from '../../core/assert.ts';
import type { Speaker } from '../../core/event.ts';
import type { Room } from '../../core/room.ts';
import type { Lease } from '../../edge/lease.ts';
import { lifeAfterLife, type Replica } from '../../edge/lives.ts';
import type { Logger } from '../../edge/log.ts';
import type { NatsLog } from '../../edge/nats/log.ts';
import { LogRecord } from '../../edge/record.ts';
import type { Doors } from '../../edge/run.ts';
import type { Vitals } from '../../edge/vitality.ts';
import { wakePerform } from '../../edge/wake.ts';
import { assigner } from '../../services/assigner/room.ts';
import { awsPerform } from '../../services/aws-sync/doors.ts';
import { awsSync } from '../../services/aws-sync/room.ts';
import { bgp } from '../../services/bgp/room.ts';
import { publisherPerform, publisherSenses } from '../../services/publisher/doors.ts';
import { publisher } from '../../services/publisher/room.ts';
import { watcherPerform, watcherSenses } from '../../services/watcher/doors.ts';
import type { Settings } from '../../services/watcher/input.ts';
import { watcher } from '../../services/watcher/room.ts';
import type { Shape } from './plan.ts';

/** Everything that any room can reach; each row takes what its room may have. */
export interface Reach {
  readonly log: NatsLog;
  readonly lease: Lease;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly cluster: Cluster;
  readonly prober: Prober;
  readonly cloud: CloudProvider | undefined;
  readonly shape: Shape;
  readonly vitals: Vitals;
}

/** Namespace and name of the ConfigMap in which the publisher keeps how far the log had come. */
export const RECORD = 'sluice/sluice-log';

export interface Row {
  readonly name: Speaker;
  /** One process: life after life until the signal aborts; throws what a bug throws. */
  run(reach: Reach, signal: AbortSignal): Promise<void>;
}

const rows: readonly Row[] = [
  row('watcher', ({ cluster, clock, prober, shape }) => {
    const settings = settingsOf(shape);
    return {
      room: watcher(settings),
      paceMs: 15,
      senses: watcherSenses(cluster, clock, settings),
      perform: watcherPerform(prober),
    };
  }),
  row('assigner', ({ clock }) => ({
    room: assigner({ excluded: undefined }),
    paceMs: 15,
    perform: wakePerform(clock),
  })),
  row('publisher', ({ cluster, clock, logger }) => {
    const record = new LogRecord(RECORD, cluster, logger);
    return {
      room: publisher({ mode: 'enforce', quietMs: 500 }),
      paceMs: 50,
      senses: publisherSenses(cluster, clock),
      perform: publisherPerform(record.watching(cluster), clock, Math.random),
      begin: (log, within) => record.check(log, within),
      last: () => record.close(),
    };
  }),
];

/** They have nothing to do where nobody routes by BGP. */
const routingRows: readonly Row[] = [
  row('bgp', ({ clock }) => ({ room: bgp(), paceMs: 15, perform: wakePerform(clock) })),
  row('aws-sync', ({ clock, cloud }) => ({
    room: awsSync(),
    paceMs: 50,
    perform: awsPerform(must(cloud, 'a cloud'), clock),
  })),
];

export const rowsOf = ({ routing }: Shape): readonly Row[] =>
  routing === 'none' ? rows : [...rows, ...routingRows];

/** Who lives in a world of the simulation. */
export const roomsOf = (shape: Shape): readonly Speaker[] => rowsOf(shape).map(({ name }) => name);

function settingsOf({ probing, cloud }: Shape): Settings {
  return {
    probing,
    port: 9107,
    deadlineMs: 1_000,
    intervalMs: 5_000,
    failures: 2,
    recoveries: 1,
    isolationShare: 50,
    excluded: undefined,
    slots: 5,
    ...(cloud ? {} : { platform: 'None' }),
  };
}

interface Joined<World, Input, Act> extends Omit<Doors<Input, Act>, 'log' | 'clock'> {
  readonly room: Room<World, Input, Act>;
  readonly begin?: Replica['begin'];
  readonly last?: () => Promise<void>;
}

function row<World, Input, Act>(
  name: Speaker,
  join: (reach: Reach) => Joined<World, Input, Act>,
): Row {
  return {
    name,
    // As `edge/serve.ts` does it.
    run: async (reach, signal) => {
      const { room, begin, last, ...doors } = join(reach);
      const { log, lease, vitals, logger } = reach;
      await lifeAfterLife(room, doors, { log, lease, vitals, logger, begin }, signal);
      await last?.();
      await lease.release();
    },
  };
}
