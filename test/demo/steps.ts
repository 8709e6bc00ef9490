/** What befalls the cluster of the demo, one thing after the other, each seen to its end. */
import type { Rooms } from '../controlplane/rooms.ts';
import type { DemoCluster } from './cluster.ts';
import type { Step } from './step.ts';

const staging = '10.0.1.10';
const production = '10.0.2.10';
const sibling = '10.0.2.11';

/** Runs the story; throws when something that should happen does not within 30 s. */
export async function befall(cluster: DemoCluster, rooms: Rooms, step: Step): Promise<void> {
  await step('two tenants ask for egress IPs', () => bothAreMade(cluster));
  const host = await cluster.nodeOf(production);
  await step(`${host} loses its label tier=production`, async () => {
    await cluster.label(host, null);
    await moved(cluster, production, host);
  });
  await step(`${host} has its label again; nothing that is well placed moves back`, () =>
    cluster.label(host, 'production'),
  );
  await nodeFails(cluster, step);
  await probeFails(cluster, step);
  await selectorChanges(cluster, step);
  await roomDies(cluster, rooms, step);
}

async function bothAreMade(cluster: DemoCluster): Promise<void> {
  await cluster.egressIP('staging', [staging], 'staging');
  await cluster.egressIP('production', [production, sibling], 'production');
  for (const address of [staging, production, sibling]) {
    await cluster.until(
      `${address} has a node`,
      async () => (await cluster.nodeOf(address)) !== '',
    );
  }
}

/** Waits until an address is on a node, and not on the one that it was on. */
function moved(cluster: DemoCluster, address: string, from: string): Promise<void> {
  return cluster.until(`${address} has moved away from ${from}`, async () => {
    const node = await cluster.nodeOf(address);
    return node !== '' && node !== from;
  });
}

async function nodeFails(cluster: DemoCluster, step: Step): Promise<void> {
  const host = await cluster.nodeOf(staging);
  await step(`the kubelet of ${host} falls silent: NotReady`, async () => {
    await cluster.setReady(host, false);
    await moved(cluster, staging, host);
  });
  await step(`${host} is Ready again`, () => cluster.setReady(host, true));
}

async function probeFails(cluster: DemoCluster, step: Step): Promise<void> {
  const host = await cluster.nodeOf(sibling);
  await step(`the health port of ${host} closes; two probes in a row fail`, async () => {
    await cluster.health(host).close();
    await moved(cluster, sibling, host);
  });
  await step(`the health port of ${host} is open again`, () => cluster.health(host).open());
}

async function selectorChanges(cluster: DemoCluster, step: Step): Promise<void> {
  await step('staging asks for tier=canary, which no node has', async () => {
    await cluster.egressIP('staging', [staging], 'canary');
    const gone = async (): Promise<boolean> => (await cluster.nodeOf(staging)) === '';
    await cluster.until(`${staging} has no node`, gone);
  });
  await step('staging asks for tier=production instead', async () => {
    await cluster.egressIP('staging', [staging], 'production');
    await cluster.until(`${staging} is in the production pool`, async () =>
      (await cluster.nodeOf(staging)).startsWith('production-'),
    );
  });
}

async function roomDies(cluster: DemoCluster, rooms: Rooms, step: Step): Promise<void> {
  const before = await cluster.versions();
  const assigner = rooms.room('assigner');
  await step(
    'the assigner is killed (kill -9); once it is back, it has nothing to add',
    async () => {
      const { pid } = assigner;
      process.kill(pid, 'SIGKILL');
      await cluster.until('the assigner has caught up again', async () => {
        return assigner.pid !== 0 && assigner.pid !== pid && (await assigner.isReady());
      });
    },
  );
  const after = await cluster.versions();
  if (after.join() !== before.join()) {
    throw new Error(`the restart wrote: ${before.join(', ')} became ${after.join(', ')}`);
  }
}
