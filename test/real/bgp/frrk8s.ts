/** The three programs of frr-k8s on one node: reloader, controller and status exporter. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { newChild, type Child } from '../../controlplane/child.ts';
import { FRR_NAMESPACE } from '../../frrk8s/objects.ts';
import type { Box } from './box.ts';
import { systemPath, type Ground } from './ground.ts';

export interface FrrK8s {
  readonly reloader: Child;
  readonly controller: Child;
  readonly status: Child;
}

/** The name of the daemon's Pod on a node; the exporter wants the object to exist. */
export const podName = (node: string): string => `frr-k8s-${node}`;

/** Paths of what a node's box must be given to run frr-k8s. */
export const frrK8sPrograms = (ground: Ground): string[] => [
  join(ground.source, 'frr-tools', 'reloader', 'frr-reloader.sh'),
  ground.controller,
  ground.frrStatus,
];

/** Starts them in a node's box; `pollMs` is how often sessions are looked at. */
export async function startFrrK8s(
  box: Box,
  options: { readonly kubeconfig: string; readonly pollMs: number },
): Promise<FrrK8s> {
  copyFileSync(options.kubeconfig, join(box.folder, 'reloader', 'kubeconfig'));
  const pidFile = join(box.folder, 'reloader', 'reloader.pid');
  const reloader = program(box, 'network', ['bash', '/run/programs/frr-reloader.sh'], async () =>
    existsSync(pidFile),
  );
  const daemon = [`--node-name=${box.name}`, `--namespace=${FRR_NAMESPACE}`];
  const controller = program(box, 'files', [
    '/run/programs/frr-k8s-controller',
    ...daemon,
    '--metrics-bind-address=0',
  ]);
  const status = program(box, 'files', [
    '/run/programs/frr-status',
    ...daemon,
    `--pod-name=${podName(box.name)}`,
    `--poll-interval=${options.pollMs}ms`,
  ]);
  // The controller reads the reloader's process id once it has something to load.
  await reloader.start();
  await Promise.all([controller.start(), status.start()]);
  return { reloader, controller, status };
}

function program(
  box: Box,
  place: 'network' | 'files',
  command: readonly string[],
  ready: () => Promise<boolean> = async () => true,
): Child {
  const name =
    command
      .at(place === 'network' ? 1 : 0)
      ?.split('/')
      .at(-1) ?? '';
  // nsenter waits outside for what runs inside: without this, killing it would leave that alive.
  const [first, ...args] = box.command(place, ['setpriv', '--pdeathsig', 'KILL', ...command]);
  const env = {
    PATH: systemPath,
    KUBECONFIG: '/etc/frr_reloader/kubeconfig',
    FRR_CONFIG_FILE: '/etc/frr_reloader/frr.conf',
    FRR_RELOADER_PID_FILE: '/etc/frr_reloader/reloader.pid',
  };
  const logFile = join(box.folder, `${name}.log`);
  return newChild({
    name: `${name} of ${box.name}`,
    command: first,
    args,
    env,
    logFile,
    ready,
    readyWithinMs: 20_000,
  });
}
