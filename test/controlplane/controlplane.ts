/** A real control plane of its own for a test, the demo or `make up`: etcd, API server, NATS. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from './api.ts';
import type { Progress } from './build.ts';
import type { Child } from './child.ts';
import {
  applyCloudCrds,
  applyCrds,
  applyPlatformCrds,
  type CrdShape,
  type PlatformKind,
  platformKinds,
} from './crd.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { removeFolder, temporaryFolder } from './leftovers.ts';
import { etcd, kubeApiserver, nats, type Server, type User } from './server.ts';
import { findTools, type Tools } from './tools.ts';

export interface ControlPlaneOptions {
  /** etcd and kube-apiserver; default true. */
  readonly kubernetes?: boolean;
  /** nats-server; default true. */
  readonly nats?: boolean;
  /** Which CRDs to apply at the start; default `plain`. */
  readonly crd?: CrdShape | 'none';
  /** Whether there are the kinds of OpenShift on a cloud; default no. */
  readonly cloud?: boolean;
  /** Which kinds of frr-k8s, OVN-Kubernetes and OpenShift there are for BGP; default none. */
  readonly platform?: 'all' | readonly PlatformKind[];
  /** More users than the administrator. */
  readonly users?: readonly User[];
  /** The names of users whose changes the API server writes down: see `audit.ts`. */
  readonly audit?: readonly string[];
  /** More text for the configuration file of nats-server, such as accounts. */
  readonly natsConfig?: string;
  /** Hears of builds and waits; default stderr. */
  readonly progress?: Progress;
}

/** All files are in `folder`, which `stop` removes. No controllers run: make your own nodes. */
export interface ControlPlane {
  readonly folder: string;
  /** `https://127.0.0.1:…` */
  readonly server: string;
  /** The token of an administrator (group `system:masters`). */
  readonly token: string;
  /** The certificate that the API server's own is to be checked with, as PEM. */
  readonly ca: string;
  /** The path of a kubeconfig file for the administrator. */
  readonly kubeconfig: string;
  readonly natsUrl: string;
  readonly api: Api;
  readonly etcd: Child;
  readonly etcdUrl: string;
  readonly apiserver: Child;
  readonly nats: Child;
  /** Stops what runs and removes the folder. May be called twice. */
  stop(): Promise<void>;
}

type KubernetesPart = Pick<
  ControlPlane,
  'server' | 'token' | 'ca' | 'kubeconfig' | 'api' | 'etcd' | 'etcdUrl' | 'apiserver'
>;

/**
 * Starts the servers on free ports of 127.0.0.1 with data of their own, in about 3 s once the tools
 * are built. Throws with the end of the log of the server that did not come up. Reading a part that
 * was not asked for (`natsUrl` with `nats: false`) throws.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const tools = await findTools(namesOf(options), options.progress);
  const folder = temporaryFolder();
  const children: Child[] = [];
  const stop = async (): Promise<void> => {
    // The API server before etcd: it would complain for its whole time of grace.
    for (const child of children.toReversed()) await child.stop();
    removeFolder(folder);
  };
  const start = async <S extends Server>(server: S): Promise<S> => {
    children.push(server.child);
    await server.child.start();
    return server;
  };
  try {
    const [kube, log] = await Promise.all([
      options.kubernetes === false ? undefined : startKubernetes(tools, folder, options, start),
      options.nats === false
        ? undefined
        : nats(pathOf(tools, 'nats-server'), folder, options.natsConfig).then(start),
    ]);
    return joined(folder, kube, log, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

function namesOf(options: ControlPlaneOptions): string[] {
  return [
    ...(options.kubernetes === false ? [] : ['kube-apiserver', 'etcd']),
    ...(options.nats === false ? [] : ['nats-server']),
  ];
}

function pathOf(tools: Tools, name: string): string {
  const path = tools.get(name);
  if (path === undefined) throw new Error(`${name} was not asked for`);
  return path;
}

async function startKubernetes(
  tools: Tools,
  folder: string,
  options: ControlPlaneOptions,
  start: <S extends Server>(server: S) => Promise<S>,
): Promise<KubernetesPart> {
  const token = randomBytes(16).toString('hex');
  const admin: User = { name: 'admin', token, groups: ['system:masters'] };
  const users = [admin, ...(options.users ?? [])];
  const store = await start(await etcd(pathOf(tools, 'etcd'), folder));
  const command = pathOf(tools, 'kube-apiserver');
  const kube = await start(await kubeApiserver(command, folder, store.url, users, options.audit));
  if (options.crd !== 'none') await applyCrds(kube.api, options.crd ?? 'plain');
  if (options.cloud === true) await applyCloudCrds(kube.api);
  const { platform = [] } = options;
  await applyPlatformCrds(kube.api, platform === 'all' ? platformKinds : platform);
  const kubeconfig = join(folder, 'kubeconfig');
  const text = kubeconfigText({ server: kube.url, token, ca: kube.ca() });
  writeFileSync(kubeconfig, text, { mode: 0o600 });
  const { api, child } = kube;
  const parts = { server: kube.url, token, ca: kube.ca(), kubeconfig, api };
  return { ...parts, etcd: store.child, etcdUrl: store.url, apiserver: child };
}

function joined(
  folder: string,
  kube: KubernetesPart | undefined,
  log: Server | undefined,
  stop: () => Promise<void>,
): ControlPlane {
  const has = { folder, stop, ...kube, ...(log && { natsUrl: log.url, nats: log.child }) };
  // A part that was not started is missing: reading it is a mistake of the test, told at once.
  return new Proxy(has, {
    get(target, key) {
      if (key in target || typeof key === 'symbol' || key === 'then')
        return Reflect.get(target, key);
      throw new Error(`this control plane was started without ${key}`);
    },
  }) as ControlPlane;
}
