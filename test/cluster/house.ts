/** The whole house on a real control plane: the rooms as processes, and what they have written. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startControlPlane } from '../controlplane/controlplane.ts';
import type { CrdShape } from '../controlplane/crd.ts';
import { bodyOf } from '../controlplane/http.ts';
import { type RoomName, type Rooms, type RoomsOptions, startRooms } from '../controlplane/rooms.ts';
import { stateOf } from '../edge/nats-by-hand.ts';
import { Cluster } from './cluster.ts';

export interface HouseOptions extends Partial<RoomsOptions> {
  readonly crd?: CrdShape;
  /** What exists before the rooms start. */
  readonly before?: (house: House) => Promise<void>;
}

/** Starts a control plane and the rooms; resolves when all have caught up. */
export async function openHouse({ crd, before, ...options }: HouseOptions = {}): Promise<House> {
  const plane = await startControlPlane({ crd: crd ?? 'plain' });
  const house = new House(plane);
  try {
    await house.watch();
    await before?.(house);
    const { folder, kubeconfig, natsUrl } = plane;
    house.rooms = await startRooms({ folder, kubeconfig, natsUrl, ...options });
    await house.rooms.ready(30_000);
    return house;
  } catch (error) {
    await house.stop();
    throw error;
  }
}

export class House extends Cluster {
  rooms: Rooms | undefined;

  async stop(): Promise<void> {
    this.unwatch();
    await this.rooms?.stop();
    await this.plane.stop();
  }

  override picture(): string {
    const logs = this.rooms?.all.map((room) => `\n${room.name}:\n${room.logTail(4)}`) ?? [];
    return [super.picture(), ...logs].join('');
  }

  /** How many writes the cluster has seen, and the last sequence of each stream of the log. */
  async written(): Promise<Record<string, number>> {
    const last = async (name: string): Promise<number> =>
      (await stateOf(this.plane.natsUrl, `SLUICE_${name}`)).last;
    return {
      egressIPs: this.egressIPs.history.length,
      nodes: this.nodes.history.length,
      events: this.events.history.length,
      watcher: await last('WATCHER'),
      assigner: await last('ASSIGNER'),
      publisher: await last('PUBLISHER'),
    };
  }

  /** Waits until nothing has been written for `ms`. Throws when that does not come in 30 s. */
  async rest(ms = 500): Promise<Record<string, number>> {
    let before = await this.written();
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
      await sleep(ms);
      const now = await this.written();
      if (JSON.stringify(now) === JSON.stringify(before)) return now;
      before = now;
    }
    throw new Error(`it never rests: ${JSON.stringify(before)}${this.picture()}`);
  }

  /** Asserts that not one write has come since `before`, nor comes for `ms`. */
  async silent(before: Record<string, number>, ms = 1_500): Promise<void> {
    await sleep(ms);
    assert.deepEqual(await this.written(), before, this.picture());
  }

  /** What a room says of itself to the kubelet. */
  readyz(name: RoomName): Promise<string> {
    return bodyOf(`${this.rooms?.room(name).healthUrl}/readyz`);
  }
}
