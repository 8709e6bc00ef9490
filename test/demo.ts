/** `make demo`: a rehearsal, then the same on a real control plane, then BGP, then AWS. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openAws } from './aws/open.ts';
import { startControlPlane, type ControlPlane } from './controlplane/controlplane.ts';
import { repository } from './controlplane/go-module.ts';
import { freePort } from './controlplane/port.ts';
import { startRooms } from './controlplane/rooms.ts';
import { findTools } from './controlplane/tools.ts';
import { playAll } from './demo/acts.ts';
import { makeCluster } from './demo/cluster.ts';
import { announce, ended, heading, sluice } from './demo/screen.ts';

const story = 'test/demo/story.yaml';

/** Lines about the build, held back while the rehearsal has the screen. */
const heldBack: string[] = [];
let rehearsing = true;

const started: { stop(): Promise<void> }[] = [];
const keeps = process.env['KEEP'] === '1';
// Ctrl-C is how KEEP=1 is meant to end.
process.on('SIGINT', () => void end(keeps ? 0 : 130));
process.chdir(repository);
try {
  await end(await demo());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}

async function demo(): Promise<number> {
  const building = findTools(undefined, progress);
  // Told below, when it is awaited.
  building.catch(() => {});
  heading('A rehearsal: the whole chain in one process, nothing real');
  const rehearsed = await ended(sluice(['rehearse', story], process.env));
  if (rehearsed !== 0) throw new Error(`the rehearsal ended with status ${rehearsed}`);
  rehearsing = false;
  heading('The same for real: etcd, kube-apiserver, nats-server, and each room a process');
  for (const line of heldBack) progress(line);
  await building;
  const plane = await startControlPlane({ platform: 'all', progress });
  started.push(plane);
  const env = { ...process.env, KUBECONFIG: plane.kubeconfig, NATS_URL: plane.natsUrl };
  await play(plane, env);
  heading('sluice status');
  const status = await ended(sluice(['status'], env));
  if (keeps) await keep(plane);
  return status;
}

/** The real part: rooms, the tail in the foreground, and three acts of what befalls the cluster. */
async function play(plane: ControlPlane, env: NodeJS.ProcessEnv): Promise<void> {
  const probePort = await freePort('127.64.1.2');
  // Quicker than the real one, whose peers are pending for a minute and more.
  const aws = await openAws({ manners: { pendingMs: 1_000, deletingMs: 1_000 } });
  started.push({ stop: () => aws.close() });
  const cluster = await makeCluster(plane.api, probePort);
  started.push({ stop: () => cluster.close() });
  const { folder, kubeconfig, natsUrl } = plane;
  const settings = { folder, kubeconfig, natsUrl, probes: 'grpc', probePort } as const;
  const rooms = await startRooms({ ...settings, awsEnv: aws.env, supervisor: announce });
  started.push(rooms);
  await rooms.ready(60_000, progress);
  const tail = sluice(['tail', '--since', '1h'], env);
  try {
    await playAll({ plane, cluster, rooms, aws, env });
  } catch (error) {
    for (const room of rooms.all) console.error(`\nthe ${room.name}:\n${room.logTail(8)}`);
    throw error;
  } finally {
    tail.kill('SIGTERM');
  }
}

async function keep(plane: ControlPlane): Promise<never> {
  console.log(`\nexport KUBECONFIG='${plane.kubeconfig}'\nexport NATS_URL='${plane.natsUrl}'`);
  console.log(`\nIt stays up until Ctrl-C; logs are in ${plane.folder}/log. Try, elsewhere:`);
  console.log('  kubectl get egressips -o wide; kubectl label node staging-1 tier-');
  // The servers are children and would not keep us alive.
  for (;;) await sleep(1_000_000);
}

async function end(status: number): Promise<never> {
  let worst = status;
  for (const part of started.splice(0).toReversed())
    try {
      await part.stop();
    } catch (error) {
      // The emulated AWS says so here when one of its laws was broken; the others end all the same.
      console.error(error instanceof Error ? error.message : error);
      worst ||= 1;
    }
  process.exit(worst);
}

function progress(line: string): void {
  if (rehearsing) heldBack.push(line);
  else process.stderr.write(`${line}\n`);
}
