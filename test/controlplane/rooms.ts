/** The rooms as separate processes, as in a cluster, with handles to kill, freeze and restart. */
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { newChild, type Child } from './child.ts';
import { repository } from './go-module.ts';
import { answers, bodyOf } from './http.ts';
import { freePort } from './port.ts';
import { supervise } from './supervise.ts';
import { eventually } from './wait.ts';

/** Every room known so far, in the order in which they hear of each other. */
export const roomNames = ['watcher', 'assigner', 'aws-sync', 'bgp', 'publisher'] as const;
export type RoomName = (typeof roomNames)[number];

/** Room for young objects (MB): less CPU and shorter pauses when much happens at once. */
const heap = ['--min-semi-space-size=8', '--max-semi-space-size=8'];

export interface RoomsOptions {
  /** Where the logs go: a folder `log` is made in it. */
  readonly folder: string;
  readonly kubeconfig: string;
  readonly natsUrl: string;
  /** How nodes are probed; default `off`. */
  readonly probes?: 'off' | 'tcp' | 'grpc';
  readonly probePort?: number;
  readonly logLevel?: string;
  /** Which rooms; default all. */
  readonly names?: readonly RoomName[];
  /** More settings, such as `SLUICE_PROBE_TIMEOUT`. */
  readonly env?: NodeJS.ProcessEnv;
  /** What aws-sync alone is given: `AWS_…`. */
  readonly awsEnv?: NodeJS.ProcessEnv;
  /** Hears of deaths and restarts. When given, a room that died is started again after 1 s. */
  readonly supervisor?: (line: string) => void;
}

export interface Room extends Child {
  readonly name: RoomName;
  /** Where it answers `/readyz` and `/metrics`. */
  readonly healthUrl: string;
  /** Whether it has caught up. */
  isReady(): Promise<boolean>;
}

export interface Rooms {
  readonly all: readonly Room[];
  /** Throws when this room was not started. */
  room(name: RoomName): Room;
  /** Waits until every room has caught up; `waiting` hears every 2 s for which one, and why. */
  ready(withinMs: number, waiting?: (line: string) => void): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the rooms; resolves when each process answers on its health port. Await `ready` for the
 * moment when all have caught up.
 */
export async function startRooms(options: RoomsOptions): Promise<Rooms> {
  mkdirSync(join(options.folder, 'log'), { recursive: true });
  const all: Room[] = [];
  for (const name of options.names ?? roomNames) all.push(await newRoom(name, options));
  let stopping = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    await Promise.all(all.map((room) => room.stop()));
  };
  const { supervisor } = options;
  if (supervisor) for (const room of all) supervise(room, supervisor, () => stopping);
  try {
    await Promise.all(all.map((room) => room.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { all, stop, room: (name) => named(all, name), ready: (...how) => allReady(all, ...how) };
}

function named(all: readonly Room[], name: RoomName): Room {
  const room = all.find((candidate) => candidate.name === name);
  if (room === undefined) throw new Error(`the ${name} was not started`);
  return room;
}

/** PATH with the project's own programs first: its Node is the one that rooms run on. */
export const projectPath = (): string =>
  [join(repository, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);

async function newRoom(name: RoomName, options: RoomsOptions): Promise<Room> {
  const port = await freePort();
  const healthUrl = `http://127.0.0.1:${port}`;
  const child = newChild({
    name,
    command: join(repository, 'node_modules', '.bin', 'node'),
    args: [...heap, join(repository, 'services', name, 'main.ts')],
    env: {
      PATH: projectPath(),
      KUBECONFIG: options.kubeconfig,
      NATS_URL: options.natsUrl,
      SLUICE_HEALTH_PORT: String(port),
      // Restarted in its place, it need not wait for the end of its own lease.
      SLUICE_INSTANCE: `${name}-${port}`,
      SLUICE_PROBES: options.probes ?? 'off',
      SLUICE_PROBE_PORT: String(options.probePort ?? 9107),
      SLUICE_LOG_LEVEL: options.logLevel ?? 'info',
      ...options.env,
      ...(name === 'aws-sync' && options.awsEnv),
    },
    logFile: join(options.folder, 'log', `${name}.log`),
    ready: () => answers(`${healthUrl}/healthz`),
    readyWithinMs: 90_000,
  });
  const isReady = (): Promise<boolean> => answers(`${healthUrl}/readyz`);
  // Not a spread: `pid` is read anew each time.
  return Object.defineProperties({} as Room, {
    ...Object.getOwnPropertyDescriptors(child),
    healthUrl: { value: healthUrl },
    isReady: { value: isReady },
  });
}

async function allReady(
  all: readonly Room[],
  withinMs: number,
  waiting: (line: string) => void = () => {},
): Promise<void> {
  const began = Date.now();
  let next = began + 2_000;
  const detail = (): string => all.map((room) => `\n${room.name}:\n${room.logTail(8)}`).join('');
  await eventually('every room has caught up', { withinMs, everyMs: 50, detail }, async () => {
    const are = await Promise.all(all.map((room) => room.isReady()));
    const late = all.filter((_, index) => !are[index]);
    if (late.length > 0 && Date.now() > next) {
      next += 2_000;
      const seconds = Math.round((Date.now() - began) / 1000);
      for (const room of late) {
        const why = (await bodyOf(`${room.healthUrl}/readyz`)).trim().replaceAll('\n', '; ');
        waiting(`waiting for the ${room.name}, ${seconds} s: ${why}`);
      }
    }
    return late.length === 0;
  });
}
