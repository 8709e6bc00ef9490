/**
 * Pods without a kubelet: the command line, environment, files and identity of a pod as the API
 * server holds it become a process of this machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Api } from '../controlplane/api.ts';
import { type Child, newChild } from '../controlplane/child.ts';
import type { ControlPlane } from '../controlplane/controlplane.ts';
import { answers } from '../controlplane/http.ts';
import { kubeconfigText } from '../controlplane/kubeconfig.ts';
import { freePort } from '../controlplane/port.ts';
import { projectPath } from '../controlplane/rooms.ts';

type Strings = Readonly<Record<string, string>>;

interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items?: readonly { key: string }[] };
  readonly configMap?: { readonly name: string };
}

export interface PodSpec {
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly containers: readonly [Container];
  readonly volumes: readonly Volume[];
}

/** A process for a pod; `port` is where it answers HTTP. */
export interface Pod {
  readonly child: Child;
  readonly url: string;
  readonly folder: string;
  readonly env: Strings;
}

export interface PodPlace {
  readonly plane: ControlPlane;
  readonly namespace: string;
  /** Texts of the pod's world (paths, hosts) → those of this machine. */
  readonly here: Strings;
}

/** The pod of a Deployment or StatefulSet, as the API server has it. */
export async function podOf(
  { plane, namespace }: PodPlace,
  kind: 'deployments' | 'statefulsets',
  name: string,
): Promise<PodSpec> {
  const path = `/apis/apps/v1/namespaces/${namespace}/${kind}/${name}`;
  return (await plane.api.get(path)).spec.template.spec as PodSpec;
}

/** Starts a room; its health port is a free one, and it has the token that its pod would have. */
export async function startRoom(place: PodPlace, room: string, pod: PodSpec): Promise<Pod> {
  const port = await freePort();
  const folder = join(place.plane.folder, 'pods', room);
  const mapped = await mount(place, pod, folder);
  const [container] = pod.containers;
  const given = await environment(place, container, `sluice-${room}-0`);
  const [program = '', ...args] = container.command;
  const env = {
    ...mapValues(given, mapped),
    ...(pod.automountServiceAccountToken && (await identity(place, pod, folder))),
    SLUICE_HEALTH_PORT: String(port),
  };
  const url = `http://127.0.0.1:${port}`;
  const child = process_(place, room, program, args.map(mapped), env, () =>
    answers(`${url}/healthz`),
  );
  return { child, url, folder, env };
}

/** Where the servers of a StatefulSet listen on this machine. */
export interface NatsPorts {
  readonly client: number;
  readonly monitor: number;
  readonly cluster: number;
}

export async function natsPorts(): Promise<NatsPorts> {
  return { client: await freePort(), monitor: await freePort(), cluster: await freePort() };
}

/** One nats-server of the StatefulSet, on ports of its own; it finds the others at theirs. */
export async function newNats(
  place: PodPlace,
  pod: PodSpec,
  server: string,
  all: readonly NatsPorts[],
  ordinal: number,
): Promise<Pod> {
  const { client = 0, monitor = 0, cluster = 0 } = all[ordinal] ?? {};
  const name = `sluice-nats-${ordinal}`;
  const folder = join(place.plane.folder, 'pods', name);
  const peers = all.map((ports, index) => {
    const host = `sluice-nats-${index}.sluice-nats-headless.${place.namespace}.svc:6222`;
    return [host, `127.0.0.1:${ports.cluster}`] as const;
  });
  const here = {
    '0.0.0.0:4222': `127.0.0.1:${client}`,
    '0.0.0.0:8222': `127.0.0.1:${monitor}`,
    '0.0.0.0:6222': `127.0.0.1:${cluster}`,
    ...Object.fromEntries(peers),
    ...place.here,
  };
  const mapped = await mount({ ...place, here }, pod, folder);
  const [container] = pod.containers;
  const env = mapValues(await environment(place, container, name), mapped);
  const [, ...args] = container.command;
  const url = `http://127.0.0.1:${monitor}/healthz?js-server-only=true`;
  const child = process_(place, name, server, args.map(mapped), env, () => answers(url));
  return { child, url: `tls://127.0.0.1:${client}`, folder, env };
}

function process_(
  { plane }: PodPlace,
  name: string,
  command: string,
  args: readonly string[],
  env: Strings,
  ready: () => Promise<boolean>,
): Child {
  const logFile = join(plane.folder, 'log', `pod-${name}.log`);
  // Nothing of ours leaks in: a pod has no KUBECONFIG and no login but its own.
  const clean = { KUBECONFIG: '', NATS_URL: '', NATS_USER: '', NATS_PASSWORD: '' };
  return newChild({
    name,
    command,
    args,
    env: { PATH: projectPath(), ...clean, ...env },
    logFile,
    ready,
    readyWithinMs: 60_000,
  });
}

/** Writes the volumes' files; returns how a text of the pod's world reads on this machine. */
async function mount(
  place: PodPlace,
  pod: PodSpec,
  folder: string,
): Promise<(text: string) => string> {
  const [container] = pod.containers;
  const mounts = container.volumeMounts.toSorted((a, b) => b.mountPath.length - a.mountPath.length);
  // The longest path first, and all at once: the new place of one may begin like another. Only at
  // the beginning of a word: a path may be a part of another one.
  const paths = new RegExp(
    `(?<![\\w/-])(${mounts.map((m) => m.mountPath).join('|')})(?=/|"|$)`,
    'g',
  );
  const mapped = (text: string): string => {
    const placed = text.replace(paths, (path) => join(folder, path));
    return Object.entries(place.here).reduce((t, [from, to]) => t.replaceAll(from, to), placed);
  };
  for (const { name, mountPath } of mounts) {
    mkdirSync(join(folder, mountPath), { recursive: true });
    const volume = pod.volumes.find((candidate) => candidate.name === name);
    for (const [file, text] of Object.entries(await filesOf(place, volume)))
      writeFileSync(join(folder, mountPath, file), mapped(text), { mode: 0o600 });
  }
  return mapped;
}

async function filesOf({ plane, namespace }: PodPlace, volume?: Volume): Promise<Strings> {
  if (volume?.configMap)
    return (await objectOf(plane.api, namespace, 'configmaps', volume.configMap.name)) ?? {};
  if (!volume?.secret) return {};
  const secret = await secretOf(plane.api, namespace, volume.secret.secretName);
  const keys = volume.secret.items?.map(({ key }) => key) ?? Object.keys(secret);
  return Object.fromEntries(keys.map((key) => [key, secret[key] ?? '']));
}

const objectOf = async (api: Api, namespace: string, kind: string, name: string) =>
  (await api.get(`/api/v1/namespaces/${namespace}/${kind}/${name}`)).data as Strings | undefined;

/** The decoded data of a Secret. */
export async function secretOf(api: Api, namespace: string, name: string): Promise<Strings> {
  const data = (await objectOf(api, namespace, 'secrets', name)) ?? {};
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
  );
}

async function environment(
  { plane, namespace }: PodPlace,
  { env = [], envFrom = [] }: Container,
  podName: string,
): Promise<Strings> {
  const all: Record<string, string> = {};
  for (const { configMapRef } of envFrom)
    Object.assign(all, await objectOf(plane.api, namespace, 'configmaps', configMapRef.name));
  for (const { name, value, valueFrom } of env) {
    const ref = valueFrom?.secretKeyRef;
    const secret = ref && (await secretOf(plane.api, namespace, ref.name))[ref.key];
    all[name] = value ?? secret ?? (valueFrom?.fieldRef ? podName : '');
  }
  return all;
}

const mapValues = (env: Strings, mapped: (text: string) => string): Strings =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, mapped(value)]));

/** The token that the kubelet would mount, in a kubeconfig: the files' usual place is not ours. */
async function identity(place: PodPlace, pod: PodSpec, folder: string): Promise<Strings> {
  const token = await tokenOf(place.plane.api, place.namespace, pod.serviceAccountName);
  const { server, ca } = place.plane;
  const file = join(folder, 'kubeconfig');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, kubeconfigText({ server, token, ca }), { mode: 0o600 });
  return { KUBECONFIG: file };
}

/** A token of a ServiceAccount, from the server itself. */
export async function tokenOf(api: Api, namespace: string, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { status, body } = await api.call('POST', path, request);
  if (status !== 201) throw new Error(`no token for ${account}: ${status} ${body?.message}`);
  return body.status.token as string;
}
