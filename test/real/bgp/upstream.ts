/** A router that the nodes speak BGP with: passive as a Route Server endpoint of AWS is. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBox, type Box } from './box.ts';
import type { Ground } from './ground.ts';
import { plugIn, setLink } from './wire.ts';

export interface UpstreamSpec {
  readonly name: string;
  /** In the /24 of its node. */
  readonly address: string;
}

/** What an upstream knows of its sessions: names and words are FRR's own. */
export interface NeighborState {
  readonly bgpState: string;
  readonly peerBfdInfo?: { readonly status: string };
}

export interface Upstream extends UpstreamSpec {
  /** `show bgp neighbors`: the address of each neighbour, with its state. */
  neighbors(): Promise<Readonly<Record<string, NeighborState>>>;
  /** The state of the only session: `Established`, `Active`, … */
  sessionState(): Promise<string>;
  /** `show bgp summary`, as a person at the router sees it. */
  summary(): Promise<string>;
  /** The prefixes learned from the node that are in the kernel's table, sorted. */
  routes(): Promise<string[]>;
  /** Ends it and all its state, as when the service replaces it: its connections are closed. */
  kill(): Promise<void>;
  /** Starts it anew, with the same address. */
  start(): Promise<void>;
  /** Pulls the cable, without a word to either side. */
  cut(): Promise<void>;
  /** Plugs it in again. */
  mend(): Promise<void>;
  stop(): Promise<void>;
}

export interface UpstreamOptions {
  readonly folder: string;
  /** The node that it hangs on, by its box, and the node's address. */
  readonly node: () => Box;
  readonly nodeAddress: string;
  readonly asn: number;
  readonly nodeAsn: number;
  /** What it offers to the nodes. */
  readonly network: string;
}

/** An upstream that is not switched on yet: call `start`. */
export function newUpstream(
  ground: Ground,
  spec: UpstreamSpec,
  options: UpstreamOptions,
): Upstream {
  const { folder } = options;
  const cable = `v-${spec.name}`;
  let box: Box | undefined;
  const show = async (command: string): Promise<string> => {
    if (box === undefined) throw new Error(`${spec.name} is switched off`);
    return await box.run('network', 'vtysh', '-c', command);
  };
  const neighbors = async (): Promise<Readonly<Record<string, NeighborState>>> =>
    JSON.parse(await show('show bgp neighbors json'));
  const off = async (): Promise<void> => {
    await box?.stop();
    box = undefined;
  };
  return {
    ...spec,
    neighbors,
    sessionState: async () => (await neighbors())[options.nodeAddress]?.bgpState ?? 'none',
    summary: () => show('show bgp summary'),
    routes: async () => installed(JSON.parse(await show('show ip route bgp json'))),
    kill: off,
    stop: off,
    async start() {
      const etc = join(folder, 'etc');
      mkdirSync(etc, { recursive: true });
      writeFileSync(join(etc, 'frr.conf'), configuration(spec, options));
      box = await startBox(ground, { name: spec.name, folder });
      await plugIn(ground, { cable, node: options.node(), box, address: spec.address });
    },
    cut: () => setLink(options.node(), cable, 'down'),
    mend: () => setLink(options.node(), cable, 'up'),
  };
}

type Routes = Readonly<Record<string, readonly { readonly installed?: boolean }[]>>;

const installed = (routes: Routes): string[] =>
  Object.keys(routes)
    .filter((prefix) => routes[prefix]?.some((route) => route.installed === true))
    .sort();

function configuration(spec: UpstreamSpec, options: UpstreamOptions): string {
  const { nodeAddress, asn, nodeAsn, network } = options;
  const lines = [
    `router bgp ${asn}`,
    ` bgp router-id ${spec.address}`,
    ' no bgp ebgp-requires-policy',
    ' no bgp network import-check',
    ` neighbor ${nodeAddress} remote-as ${nodeAsn}`,
    ` neighbor ${nodeAddress} passive`,
    ` neighbor ${nodeAddress} timers 3 9`,
    ` neighbor ${nodeAddress} bfd`,
    ' address-family ipv4 unicast',
    `  network ${network}`,
  ];
  return `${lines.join('\n')}\n`;
}
