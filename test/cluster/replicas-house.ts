/** Two replicas of a room beside each other: who leads, and since when. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodyOf } from '../controlplane/http.ts';
import { kubeconfigText } from '../controlplane/kubeconfig.ts';
import { type Room, type RoomName, type Rooms, startRooms } from '../controlplane/rooms.ts';
import { eventually } from '../controlplane/wait.ts';
import type { House } from './house.ts';

/** A room of its own beside the house's, with its own log file and, if given, its own API. */
export async function besides(
  house: House,
  name: RoomName,
  label: string,
  server?: string,
): Promise<Rooms> {
  const { plane } = house;
  const folder = join(plane.folder, label);
  mkdirSync(folder, { recursive: true });
  let { kubeconfig } = plane;
  if (server !== undefined) {
    kubeconfig = join(folder, 'kubeconfig');
    const text = kubeconfigText({ server, token: plane.token, ca: plane.ca });
    const open = text.replace(/certificate-authority-data: \S+/, 'insecure-skip-tls-verify: true');
    writeFileSync(kubeconfig, open);
  }
  return startRooms({ folder, kubeconfig, natsUrl: plane.natsUrl, names: [name] });
}

export async function leads(room: Room): Promise<boolean> {
  return /^sluice_leader(\{\})? 1$/m.test(await bodyOf(`${room.healthUrl}/metrics`));
}

/** Whether it leads and has heard all that there is. */
export async function speaks(room: Room): Promise<boolean> {
  return (await bodyOf(`${room.healthUrl}/readyz`)).includes('+ caught up: yes');
}

export async function standsBy(room: Room): Promise<boolean> {
  return (await bodyOf(`${room.healthUrl}/readyz`)).includes('+ leader: stands by for');
}

/** How many milliseconds until it speaks. */
export async function takesOver(room: Room): Promise<number> {
  const beganMs = Date.now();
  const detail = (): string => `\n${room.logTail()}`;
  const waiting = { withinMs: 30_000, everyMs: 10, detail };
  await eventually(`the other ${room.name} speaks`, waiting, () => speaks(room));
  return Date.now() - beganMs;
}

/** Waits until it says that it stands by for another. */
export async function until(room: Room, is: (room: Room) => Promise<boolean>): Promise<void> {
  const detail = (): string => `\n${room.logTail()}`;
  await eventually(`${room.name} ${is.name}`, { withinMs: 30_000, detail }, () => is(room));
}
