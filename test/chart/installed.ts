/** The chart, installed by Helm into a real API server, and its pods started as processes. */
import { join } from 'node:path';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  startControlPlane,
} from '../controlplane/controlplane.ts';
import { repository } from '../controlplane/go-module.ts';
import { answers, bodyOf } from '../controlplane/http.ts';
import { findTools } from '../controlplane/tools.ts';
import { eventually } from '../controlplane/wait.ts';
import { asArgs, chart, type Helm, helm3, type Ran, run, type Values } from './helm.ts';
import {
  natsPorts,
  newNats,
  type NatsPorts,
  type Pod,
  type PodPlace,
  podOf,
  secretOf,
  startRoom,
} from './pods.ts';

export const namespace = 'sluice';

/**
 * One server: the other two would be the same process with other names. No probes: the nodes of
 * these tests have no health port.
 */
const trial: Values = { 'nats.replicas': 1, 'config.SLUICE_PROBES': 'off' };

export class Installed {
  readonly plane: ControlPlane;
  readonly helm: Helm;
  readonly rooms = new Map<string, Pod>();
  readonly servers: Pod[] = [];

  constructor(plane: ControlPlane, helm: Helm) {
    this.plane = plane;
    this.helm = helm;
  }

  /** `helm upgrade --install`; the first time it makes the namespace. */
  upgrade(values: Values = {}): Promise<Ran> {
    const what = ['upgrade', '--install', 'sluice', chart, '-n', namespace, '--create-namespace'];
    const env = { KUBECONFIG: this.plane.kubeconfig };
    return this.helm.run([...what, ...asArgs({ ...trial, ...values })], env);
  }

  get place(): PodPlace {
    return { plane: this.plane, namespace, here: {} };
  }

  /** Starts as many nats-servers as the StatefulSet has, with what it says. */
  async startNats(): Promise<Pod> {
    const server = (await findTools(['nats-server'])).get('nats-server') ?? '';
    const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets/sluice-nats`;
    const { replicas } = (await this.plane.api.get(path)).spec as { replicas: number };
    const pod = await podOf(this.place, 'statefulsets', 'sluice-nats');
    const ports: NatsPorts[] = [];
    while (ports.length < replicas) ports.push(await natsPorts());
    for (const ordinal of ports.keys())
      this.servers.push(await newNats(this.place, pod, server, ports, ordinal));
    await Promise.all(this.servers.map(({ child }) => child.start()));
    return this.nats;
  }

  /** The first server. */
  get nats(): Pod {
    const [first] = this.servers;
    if (first === undefined) throw new Error('NATS was not started');
    return first;
  }

  /** Starts every room that the chart deploys. */
  async startRooms(programs: string): Promise<void> {
    const nats = this.servers.map(({ url }) => url.replace('tls://', '')).join(',tls://');
    const here = {
      '/sluice/bin/': `${join(programs, 'bin')}/`,
      'sluice-nats.sluice.svc:4222': nats,
    };
    const { items } = await this.plane.api.get(`/apis/apps/v1/namespaces/${namespace}/deployments`);
    const names = (items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
    for (const name of names) {
      const room = name.replace(/^sluice-/, '');
      const place = { ...this.place, here };
      const pod = await startRoom(place, room, await podOf(place, 'deployments', name));
      this.rooms.set(room, pod);
    }
    await Promise.all([...this.rooms.values()].map(({ child }) => child.start()));
  }

  /** Waits until every room says that it has caught up. */
  async ready(): Promise<void> {
    for (const [room, { child, url }] of this.rooms) {
      let why = '';
      const detail = (): string => `: ${why}\n${child.logTail(8)}`;
      await eventually(`${room} is ready`, { withinMs: 60_000, everyMs: 100, detail }, async () => {
        why = await bodyOf(`${url}/readyz`);
        return answers(`${url}/readyz`);
      });
    }
  }

  password(user: string): Promise<string> {
    return secretOf(this.plane.api, namespace, `sluice-nats-${user}`).then(
      ({ password }) => password ?? '',
    );
  }

  async stop(): Promise<void> {
    for (const { child } of this.rooms.values()) await child.stop();
    await Promise.all(this.servers.map(({ child }) => child.stop()));
    await this.plane.stop();
  }
}

/** A control plane without NATS of its own, and Helm. */
export async function openInstalled(options: ControlPlaneOptions = {}): Promise<Installed> {
  return new Installed(await startControlPlane({ ...options, nats: false }), await helm3());
}

/** The rooms' programs as they are in the image. Throws with what the bundler says. */
export async function bundle(folder: string): Promise<string> {
  const { status, err } = await run('sh', [join(repository, 'tools', 'bundle.sh'), folder]);
  if (status !== 0) throw new Error(`the bundle cannot be made: ${err}`);
  return folder;
}
