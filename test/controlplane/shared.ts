/** One control plane for a whole run of tests, started when the first test asks for it. */
import { startControlPlane, type ControlPlane } from './controlplane.ts';

let started: Promise<ControlPlane> | undefined;

/**
 * The run's control plane, CRDs applied. Tests share it: each uses names of its own and removes
 * what it made. A test that kills or freezes servers for long starts its own instead. The first
 * caller waits about 3 s, so give the hook that calls this `this.timeout(60_000)`.
 */
export function controlPlane(): Promise<ControlPlane> {
  started ??= startControlPlane();
  return started;
}

/** Called by mocha once, after all files: without it the run would not end. */
export async function mochaGlobalTeardown(): Promise<void> {
  if (started === undefined) return;
  const running = await started.catch(() => undefined);
  await running?.stop();
}
