/** A run for tests to kill: starts a control plane, says what it started, and waits for its end. */
import { startControlPlane } from './controlplane.ts';

const plane = await startControlPlane({ kubernetes: false });
console.log(JSON.stringify({ server: plane.nats.pid, folder: plane.folder }));
process.stdin.on('end', () => void plane.stop());
process.stdin.resume();
