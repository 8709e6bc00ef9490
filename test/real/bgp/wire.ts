/** The wire between boxes: a node's eth0 is a bridge, and its upstreams hang on it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Box } from './box.ts';
import { systemPath, type Ground } from './ground.ts';

const execute = promisify(execFile);

/** Gives a node its eth0 with an address. */
export async function newBridge(node: Box, address: string): Promise<void> {
  const lines = [
    'ip link add eth0 type bridge',
    `ip addr add ${address}/24 dev eth0`,
    'ip link set eth0 up',
  ];
  await node.run('network', 'sh', '-ec', lines.join('\n'));
}

export interface Plug {
  /** The name of the cable's end at the node; at most 15 characters. */
  readonly cable: string;
  readonly node: Box;
  readonly box: Box;
  readonly address: string;
}

/** Lays a cable between a box and the bridge of a node. */
export async function plugIn(ground: Ground, plug: Plug): Promise<void> {
  const { cable, node, box, address } = plug;
  const lay = [
    `ip link add ${cable} type veth peer name eth0 netns ${box.pid}`,
    `ip link set ${cable} master eth0 up`,
  ];
  // Only into the node's network: the kernel must read the process id as the host counts.
  const inside = ['nsenter', '-t', String(node.pid), '-n', 'sh', '-ec', lay.join('\n')];
  const [command = '', ...args] = [...ground.enter, ...inside];
  await execute(command, args, { env: { ...process.env, PATH: systemPath } });
  const own = [`ip addr add ${address}/24 dev eth0`, 'ip link set eth0 up'];
  await box.run('network', 'sh', '-ec', own.join('\n'));
}

/** Pulls a cable at the node's end, or plugs it in. */
export async function setLink(node: Box, cable: string, state: 'up' | 'down'): Promise<void> {
  await node.run('network', 'ip', 'link', 'set', cable, state);
}
