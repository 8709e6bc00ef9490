/** Which BGP sessions a node has by the FRRConfigurations that select it: pure. */
import { parseAddress, sixGroups } from '../../core/address.ts';
import { convert } from './convert.ts';
import type { FrrConfiguration, Labels } from './objects.ts';
import { selects } from './rules.ts';
import { Unacceptable } from './unacceptable.ts';

export interface Session {
  readonly node: string;
  /** The neighbor's address or interface. */
  readonly peer: string;
  /** '' = the default one. */
  readonly vrf: string;
  readonly bfd: boolean;
}

/** Undefined where the objects do not go together: the node keeps the configuration it has. */
export function sessionsOf(
  node: string,
  labels: Labels,
  configs: readonly FrrConfiguration[],
): readonly Session[] | undefined {
  const own = configs.filter((config) => selects(config, labels));
  try {
    const routers = convert(own.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)));
    return routers.flatMap(({ vrf, neighbors }) =>
      neighbors.map(({ peer, bfdProfile }) => ({ node, peer, vrf, bfd: bfdProfile !== '' })),
    );
  } catch (error) {
    if (error instanceof Unacceptable) return undefined;
    throw error;
  }
}

export const keyOf = ({ node, peer, vrf }: Session): string => `${node} ${peer} ${vrf}`;

/** A peer as label and status have it: an IPv6 address in full, with hyphens. */
export function peerLabel(peer: string): string {
  const address = parseAddress(peer);
  if (address?.family !== 6) return peer;
  return sixGroups(address.value)
    .map((part) => part.toString(16).padStart(4, '0'))
    .join('-');
}
