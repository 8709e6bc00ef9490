/**
 * The emulated AWS as a process of its own: prints how to reach it, runs until SIGTERM or SIGINT.
 * AWS_PORT names a port; AWS_TOPOLOGY={"nodes":3} fills us-east-1 before it serves.
 */
import { openAws } from './open.ts';
import { topology, type TopologySize } from './topology.ts';

const size = process.env['AWS_TOPOLOGY'];
const aws = await openAws({ port: Number(process.env['AWS_PORT'] ?? 0) });
if (size) {
  const made = topology(aws.world.region('us-east-1'), JSON.parse(size) as TopologySize);
  console.log(`# ${made.server.id} ${made.nodes.map(({ providerID }) => providerID).join(' ')}`);
}
for (const [name, value] of Object.entries(aws.env)) console.log(`export ${name}='${value}'`);

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    aws.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error instanceof Error ? error.message : error);
        process.exit(1);
      },
    );
  });
