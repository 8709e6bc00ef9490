/** Three nats-servers that form one cluster, each with handles to kill, freeze and restart it. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newChild, type Child } from './child.ts';
import { answers } from './http.ts';
import { type Answer, askAny, lastOf, quorum } from './jetstream.ts';
import { freePort } from './port.ts';

const size = 3;

export interface NatsMember {
  readonly name: string;
  readonly url: string;
  readonly child: Child;
  /** The folder of its JetStream; it may be changed while the server is dead or frozen. */
  readonly store: string;
}

export interface NatsCluster {
  readonly members: readonly NatsMember[];
  /** The addresses of all members, as `NATS_URL` takes them. */
  readonly urls: string;
  /** One request of JetStream's API to a member that answers; undefined when none does. */
  ask(subject: string, body?: object): Promise<Answer | undefined>;
  /** The last sequence of a stream; 0 when it does not exist, undefined without an answer. */
  last(stream: string): Promise<number | undefined>;
  /** Waits until each of the streams has a leader, or is known not to exist. */
  quorum(streams: readonly string[], withinMs: number): Promise<void>;
  /** The stores of some members as they are now; returns how to put them back (members dead). */
  copy(members: readonly NatsMember[], label: string): () => void;
  stop(): Promise<void>;
}

/**
 * Starts the cluster; resolves when each process serves (await `quorum` for the rest). Every write
 * is synced to disk, as the chart has it. `folder` receives configurations, stores and logs.
 */
export async function startNatsCluster(command: string, folder: string): Promise<NatsCluster> {
  const routes: number[] = [];
  while (routes.length < size) routes.push(await freePort());
  mkdirSync(join(folder, 'log'), { recursive: true });
  const members: NatsMember[] = [];
  for (let index = 0; index < size; index++)
    members.push(await member(command, folder, index, routes));
  const stop = async (): Promise<void> =>
    void (await Promise.all(members.map(({ child }) => child.stop())));
  try {
    await Promise.all(members.map(({ child }) => child.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  const ask = (subject: string, body: object = {}): Promise<Answer | undefined> =>
    askAny(members, subject, body);
  return {
    members,
    urls: members.map(({ url }) => url).join(','),
    ask,
    last: async (stream) => lastOf(await ask(`STREAM.INFO.${stream}`)),
    quorum: (streams, withinMs) => quorum(ask, streams, withinMs),
    copy: (some, label) => copyStores(some, join(folder, label)),
    stop,
  };
}

async function member(
  command: string,
  folder: string,
  index: number,
  routes: readonly number[],
): Promise<NatsMember> {
  const name = `nats-${index}`;
  const [port, monitor] = [await freePort(), await freePort()];
  const store = join(folder, name);
  const file = join(folder, `${name}.conf`);
  const others = JSON.stringify(routes.map((route) => `nats-route://127.0.0.1:${route}`));
  const listen = `127.0.0.1:${routes[index]}`;
  const lines = [
    `listen: "127.0.0.1:${port}"`,
    `http: "127.0.0.1:${monitor}"`,
    `server_name: "${name}"`,
    `cluster { name: "chaos", listen: "${listen}", routes: ${others} }`,
    `jetstream { store_dir: "${store}", sync_interval: always, max_mem: 64MB, max_file: 2GB }`,
  ];
  writeFileSync(file, lines.join('\n'));
  const child = newChild({
    name,
    command,
    args: ['-c', file],
    logFile: join(folder, 'log', `${name}.log`),
    // Alive, no more: whether there is a quorum depends on the others.
    ready: () => answers(`http://127.0.0.1:${monitor}/varz`),
    readyWithinMs: 60_000,
  });
  return { name, url: `nats://127.0.0.1:${port}`, child, store };
}

function copyStores(members: readonly NatsMember[], folder: string): () => void {
  rmSync(folder, { recursive: true, force: true });
  for (const { name, store } of members) cpSync(store, join(folder, name), { recursive: true });
  return () => {
    for (const { name, store } of members) {
      rmSync(store, { recursive: true, force: true });
      cpSync(join(folder, name), store, { recursive: true });
    }
  };
}
