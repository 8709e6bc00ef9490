/** FRR on the nodes in the simulation: it runs what selects its node, and tells its sessions. */
import type { JsonObject } from '../../../core/json.ts';
import { NODES } from '../../../edge/simulated/admission.ts';
import { FRR_CONFIGURATIONS, FRR_PODS, SESSIONS } from '../../../edge/simulated/kinds.ts';
import type { FrrConfiguration, Labels } from '../../frrk8s/objects.ts';
import { selects } from '../../frrk8s/rules.ts';
import { type Session, sessionsOf } from '../../frrk8s/sessions.ts';
import type { ApiServer } from '../api-server.ts';
import { frrPod, podName } from './objects.ts';

const BY = 'frr-k8s';

/** What a node's FRR runs: the last configuration that it took. */
export interface Running {
  readonly asn: number;
  readonly sessions: readonly Session[];
}

export class Frr {
  readonly #server: ApiServer;
  /** Whether the other side answers: node, its neighbour, and the ASN that it speaks as. */
  readonly #answers: (node: string, peer: string, asn: number) => boolean;
  readonly running = new Map<string, Running>();

  constructor(server: ApiServer, answers: (node: string, peer: string, asn: number) => boolean) {
    this.#server = server;
    this.#answers = answers;
  }

  /** Each FRR that is alive takes its configuration and tells what became of it. */
  turn(): void {
    this.#deploy();
    const all = this.#server.list(FRR_CONFIGURATIONS) as unknown as readonly FrrConfiguration[];
    const wanted = new Map<string, JsonObject>();
    const silent = new Set<string>();
    for (const { metadata } of this.#server.list(NODES)) {
      const labels = (metadata as { labels?: Labels }).labels ?? {};
      if (!this.isReady(metadata.name)) silent.add(metadata.name);
      else {
        this.#take(metadata.name, labels, all);
        for (const [name, state] of this.#states(metadata.name)) wanted.set(name, state);
      }
    }
    this.#tell(wanted, silent);
  }

  /** As the DaemonSet has it: a pod for each node. */
  #deploy(): void {
    const nodes = new Set(this.#server.list(NODES).map(({ metadata }) => metadata.name));
    for (const node of nodes)
      if (this.#server.get(FRR_PODS, podName(node)) === undefined)
        this.#server.set(FRR_PODS, podName(node), frrPod(node, true), BY);
    for (const { metadata, spec } of this.#server.list(FRR_PODS)) {
      const { nodeName } = spec as { nodeName: string };
      const path = `${FRR_PODS}/${metadata.name}`;
      if (nodes.has(nodeName)) continue;
      this.#server.serve({ method: 'DELETE', path, contentType: '', body: undefined }, BY);
      this.running.delete(nodeName);
    }
  }

  isReady(node: string): boolean {
    const status = this.#server.get(FRR_PODS, podName(node))?.['status'];
    return JSON.stringify(status ?? {}).includes('"True"');
  }

  #take(node: string, labels: Labels, all: readonly FrrConfiguration[]): void {
    const sessions = sessionsOf(node, labels, all);
    if (sessions === undefined) return;
    const own = all.find((one) => selects(one, labels));
    const asn = own?.spec?.bgp?.routers?.[0]?.asn ?? 0;
    this.running.set(node, { asn, sessions });
  }

  #states(node: string): readonly (readonly [string, JsonObject])[] {
    const { asn = 0, sessions = [] } = this.running.get(node) ?? {};
    return sessions.map(({ peer, bfd }) => {
      const up = this.#answers(node, peer, asn);
      const name = `${node}-${peer.replaceAll('.', '-')}`;
      const labels = { 'frrk8s.metallb.io/node': node, 'frrk8s.metallb.io/peer': peer };
      const bgpStatus = up ? 'Established' : 'Active';
      const bfdStatus = bfd ? (up ? 'Up' : 'Down') : 'N/A';
      return [name, { metadata: { name, labels }, status: { node, peer, bgpStatus, bfdStatus } }];
    });
  }

  /** What a dead FRR said last stays; what nobody runs any more goes. */
  #tell(wanted: ReadonlyMap<string, JsonObject>, silent: ReadonlySet<string>): void {
    for (const [name, state] of wanted) {
      const known = this.#server.get(SESSIONS, name);
      const metadata = { ...known?.metadata, ...(state['metadata'] as object) };
      this.#server.set(SESSIONS, name, { ...known, ...state, metadata }, BY);
    }
    for (const { metadata, ...rest } of this.#server.list(SESSIONS)) {
      const node = String((rest['status'] as { node?: string } | undefined)?.node);
      if (wanted.has(metadata.name) || silent.has(node)) continue;
      const path = `${SESSIONS}/${metadata.name}`;
      this.#server.serve({ method: 'DELETE', path, contentType: '', body: undefined }, BY);
    }
  }
}
