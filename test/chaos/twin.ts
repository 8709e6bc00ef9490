/** One of two publishers beside each other: a user of its own, perhaps behind a slow proxy. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordingProxy } from '../cluster/recording-proxy.ts';
import { speaks, standsBy } from '../cluster/replicas-house.ts';
import type { User } from '../controlplane/server.ts';
import { kubeconfigText } from '../controlplane/kubeconfig.ts';
import type { Room } from '../controlplane/rooms.ts';
import { eventually } from '../controlplane/wait.ts';
import type { Site } from './site.ts';

/** Two publishers beside each other are told apart by the API server: each is a user of its own. */
export const twins = ['left', 'right'].map((name) => {
  return { name, token: `token-of-${name}`, groups: ['system:masters'] };
});
export const twinsAreUsers = { users: twins, audit: twins.map(({ name }) => name) };

/** The longest that an answer is held back by a slow proxy, in milliseconds. */
const slowMs = 150;
const withinMs = 90_000;

export interface Twin {
  readonly user: string;
  readonly room: Room;
  /** How many of its requests a slow proxy has not answered yet. */
  unanswered(): number;
  stop(): Promise<void>;
}

/** Starts it; resolves when it speaks or stands by. */
export async function openTwin(site: Site, user: User, slow: boolean): Promise<Twin> {
  const { plane } = site;
  const folder = join(plane.folder, user.name);
  mkdirSync(folder, { recursive: true });
  const held: number[] = [];
  const proxy = slow ? await recordingProxy(plane) : undefined;
  if (proxy) {
    proxy.slow = () => {
      const ms = Math.random() * slowMs;
      held.push(Date.now() + ms);
      return ms;
    };
  }
  const kubeconfig = join(folder, 'kubeconfig');
  const access = { server: proxy?.url ?? plane.server, token: user.token, ca: plane.ca };
  const text = kubeconfigText(access);
  const open = text.replace(/certificate-authority-data: \S+/, 'insecure-skip-tls-verify: true');
  writeFileSync(kubeconfig, slow ? open : text);
  const rooms = await site.newRooms(['publisher'], { folder, kubeconfig });
  const room = rooms.room('publisher');
  const stop = async (): Promise<void> => {
    room.thaw();
    await rooms.stop();
    proxy?.stop();
  };
  const detail = (): string => `\n${room.logTail()}`;
  await eventually(`the ${user.name} publisher is ready`, { withinMs, detail }, async () => {
    return (await speaks(room)) || (await standsBy(room));
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    user: user.name,
    room,
    unanswered: () => {
      const open = proxy?.changes.filter(({ status }) => status === 0) ?? [];
      return open.length + held.filter((untilMs) => untilMs > Date.now()).length;
    },
    stop,
  };
}

/** Waits until one speaks and the other stands by. */
export async function rolesOf(twins: readonly Twin[]): Promise<{ old: Twin; next: Twin }> {
  const detail = (): string => twins.map(({ room }) => `\n${room.logTail(6)}`).join('');
  return eventually('one publisher leads', { withinMs, detail }, async () => {
    for (const old of twins) {
      const next = twins.find((twin) => twin !== old);
      if (next && (await speaks(old.room)) && (await standsBy(next.room))) return { old, next };
    }
    return undefined;
  });
}
