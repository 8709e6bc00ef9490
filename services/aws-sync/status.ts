/** `status.aws` of a CUDNBgpConfig. */
import type { AwsScope } from '../../core/bgp-fact.ts';
import { canonicalJson } from '../../core/canonical.ts';
import type { Region } from './region.ts';

/** As the seed defines it (`spec/bgp-operator.md` 2.1), canonical JSON: what serves, in order. */
export function statusOf({ routeServerIDs }: AwsScope, region: Region): string {
  const servers = routeServerIDs.toSorted().flatMap((id) => region.servers.get(id) ?? []);
  const routeServers = servers.map(({ id, asn }) => ({
    routeServerID: id,
    remoteASN: asn,
    endpoints: [...region.served.values()]
      .filter(({ endpoint }) => endpoint.server === id && region.endpoints.has(endpoint.id))
      .toSorted((a, b) => (a.endpoint.id < b.endpoint.id ? -1 : 1))
      .map(({ endpoint, zone }) => ({
        ...{ endpointID: endpoint.id, availabilityZone: zone, address: endpoint.address },
      })),
  }));
  return canonicalJson({ routeServers });
}
