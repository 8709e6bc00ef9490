/** One step of the demo: what is about to happen, its end awaited, and time to read. */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../controlplane/wait.ts';

export type Step = (title: string, act: () => Promise<void>) => Promise<void>;

/** Time to read, in milliseconds: nothing waits for it but you. */
const readMs = 800;

/** How to take a step: its title is announced first. */
export function newStep(announce: (line: string) => void): Step {
  return async (title, act) => {
    announce(title);
    await act();
    await sleep(readMs);
  };
}

/** Waits until it is so; throws with `what`, and with `detail`, when it is not within 45 s. */
export async function until(
  what: string,
  look: () => Promise<boolean>,
  detail: () => string = () => '',
): Promise<void> {
  await eventually(what, { withinMs: 45_000, everyMs: 50, detail }, look);
}
