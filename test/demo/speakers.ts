/** FRR of the nodes as AWS sees it: each dials whom the FRRConfigurations tell it to. */
import type { Aws } from '../aws/open.ts';
import { type Seen, Watched } from '../cluster/watched.ts';
import type { ControlPlane } from '../controlplane/controlplane.ts';
import { type FrrConfiguration, frrConfigurations, type Labels } from '../frrk8s/objects.ts';
import { sessionsOf } from '../frrk8s/sessions.ts';

interface Node extends Seen {
  readonly metadata: Seen['metadata'] & { readonly labels?: Labels };
  readonly status?: { readonly addresses?: readonly { readonly address: string }[] };
}

/** Follows both from now on; returns how to end that. */
export async function followSpeakers(
  plane: ControlPlane,
  aws: Aws,
  region: string,
): Promise<() => void> {
  const nodes = new Watched<Node>(plane, '/api/v1/nodes');
  const configs = new Watched<FrrConfiguration & Seen>(plane, frrConfigurations);
  const speak = (): void => {
    const all = [...configs.objects.values()];
    for (const { metadata, status } of nodes.objects.values()) {
      const sessions = sessionsOf(metadata.name, metadata.labels ?? {}, all) ?? [];
      const asn = all[0]?.spec?.bgp?.routers?.[0]?.asn ?? 0;
      const speaker = { asn, neighbors: sessions.map(({ peer }) => peer) };
      for (const { address } of status?.addresses ?? [])
        aws.world.region(region).speaker(address, speaker);
    }
  };
  await Promise.all([nodes.start(), configs.start()]);
  for (const one of [nodes, configs]) one.onChange(speak);
  speak();
  return () => {
    nodes.stop();
    configs.stop();
  };
}
