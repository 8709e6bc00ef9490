/** What people do to the cluster without end, while something befalls a room. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Draw, draw } from '../simulator/draw.ts';
import type { Site } from './site.ts';

export class Work {
  /** The longest pause between two changes. */
  pauseMs = 20;
  #over = false;
  readonly #done: Promise<void>;

  constructor(site: Site, chance: Draw) {
    this.#done = this.#run(site, draw(chance.between(0, 1e9), 'work'));
    // It is heard of at the end.
    this.#done.catch(() => undefined);
  }

  async #run(site: Site, chance: Draw): Promise<void> {
    while (!this.#over) {
      await site.traffic.run(chance, 1);
      await sleep(chance.between(0, this.pauseMs));
    }
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#done;
  }
}
