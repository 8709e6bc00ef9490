/** The health ports of the nodes, and what a prober learns of them. */
import type { Prober, ProbeAnswer, ProbeRequest } from '../../core/door.ts';
import type { Faults } from './faults.ts';
import type { Network } from './network.ts';
import type { Process } from './process.ts';

export class Ports {
  readonly #silent = new Set<string>();
  /** The prober's own network is gone until then. */
  cutOffUntilMs = 0;
  /** When a probe of the node failed last, whoever's fault it was. */
  readonly failedMs = new Map<string, number>();

  setReachable(node: string, reachable: boolean): void {
    if (reachable) this.#silent.delete(node);
    else this.#silent.add(node);
  }

  answers(node: string): boolean {
    return !this.#silent.has(node);
  }
}

export function proberOf(ports: Ports, process: Process, faults: Faults, network: Network): Prober {
  return {
    probe: (request) => probe(ports, process, faults, network, request),
    forget: () => undefined,
  };
}

async function probe(
  ports: Ports,
  process: Process,
  faults: Faults,
  network: Network,
  { node, port, deadlineMs, addresses }: ProbeRequest,
): Promise<ProbeAnswer> {
  await network.go(process, `probe ${node}`);
  const { nowMs } = process.scheduler;
  const lost = ports.cutOffUntilMs > nowMs || faults.befalls('probe lost');
  const reachable = ports.answers(node) && !lost && addresses.length > 0;
  if (!reachable) ports.failedMs.set(node, nowMs);
  await network.back(process, `probe ${node} ${reachable}`, reachable ? 0 : deadlineMs);
  if (reachable) return { reachable, because: `port ${port} answered` };
  return { reachable, because: `port ${port} silent for ${deadlineMs} ms` };
}
