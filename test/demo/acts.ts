/** The three acts of the demo on one control plane, with the same rooms and one tail. */
import type { Aws } from '../aws/open.ts';
import type { ControlPlane } from '../controlplane/controlplane.ts';
import type { Rooms } from '../controlplane/rooms.ts';
import { openFrr } from '../frrk8s/daemon.ts';
import { findGround } from '../real/bgp/ground.ts';
import { region, replaceNode } from './aws.ts';
import { advertise } from './bgp.ts';
import type { DemoCluster } from './cluster.ts';
import { openRouters } from './routers.ts';
import { announce, bgpStatus, heading } from './screen.ts';
import { followSpeakers } from './speakers.ts';
import { newStep } from './step.ts';
import { befall } from './steps.ts';

export interface Stage {
  readonly plane: ControlPlane;
  readonly cluster: DemoCluster;
  readonly rooms: Rooms;
  readonly aws: Aws;
  /** For `sluice`. */
  readonly env: NodeJS.ProcessEnv;
}

const step = newStep(announce);

/** Plays all three; throws when something that should happen does not. */
export async function playAll(stage: Stage): Promise<void> {
  await befall(stage.cluster, stage.rooms, step);
  await secondAct(stage);
  await thirdAct(stage);
}

async function secondAct({ plane, env }: Stage): Promise<void> {
  heading('The second act: a network of pods, advertised over BGP');
  const routers = await openRouters(plane, await findGround());
  announce(`the routers: ${routers.what}`);
  try {
    await advertise(plane, routers, step, (theirs) => show(theirs, env));
  } finally {
    await routers.stop();
  }
}

async function thirdAct({ plane, aws, env }: Stage): Promise<void> {
  heading('The third act: the neighbors are a Route Server in an emulated AWS');
  const frr = await openFrr(plane, { reloadMs: 500, connectMs: 1_000 });
  const stop = await followSpeakers(plane, aws, region);
  try {
    await replaceNode(plane.api, aws, frr, step, (theirs) => show(theirs, env));
  } finally {
    stop();
    await frr.stop();
  }
}

/** What the other side says, and ours beneath. */
async function show(theirs: string, env: NodeJS.ProcessEnv): Promise<void> {
  const tables = [theirs, await bgpStatus(env)].filter((table) => table !== '');
  console.log(`\n${tables.join('\n\n')}\n`);
}
