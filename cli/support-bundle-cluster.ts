/** What a support bundle holds of the cluster: objects, pods, their words and numbers. */
import { listOf, property, textOf } from '../core/json.ts';
import { type OpenCluster, openCluster } from '../edge/kubernetes/cluster.ts';
import { kubeconfig } from '../edge/kubeconfig.ts';
import { exit, Failure } from './failure.ts';
import type { Piece } from './support-bundle.ts';
import { redact, redactText } from './support-bundle-redact.ts';

/** Never Secrets; of namespaced kinds in the release's namespace only those that are named here. */
const kinds: readonly (readonly [file: string, path: string])[] = [
  ['egressips', '/apis/k8s.ovn.org/v1/egressips'],
  ['nodes', '/api/v1/nodes'],
  ['cloudprivateipconfigs', '/apis/cloud.network.openshift.io/v1/cloudprivateipconfigs'],
  ['cudnbgpconfigs', '/apis/networking.openshift.io/v1alpha1/cudnbgpconfigs'],
  ['cudnbgproutings', '/apis/networking.openshift.io/v1alpha1/cudnbgproutings'],
  ['clusteruserdefinednetworks', '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks'],
  ['routeadvertisements', '/apis/k8s.ovn.org/v1/routeadvertisements'],
  ['frrconfigurations', '/apis/frrk8s.metallb.io/v1beta1/frrconfigurations'],
  ['frrnodestates', '/apis/frrk8s.metallb.io/v1beta1/frrnodestates'],
  ['bgpsessionstates', '/apis/frrk8s.metallb.io/v1beta1/bgpsessionstates'],
  ['networks', '/apis/operator.openshift.io/v1/networks'],
  ['infrastructures', '/apis/config.openshift.io/v1/infrastructures'],
  ['events', '/apis/events.k8s.io/v1/namespaces/default/events'],
];

const own: readonly (readonly [file: string, rest: string])[] = [
  ['deployments', 'apis/apps/v1'],
  ['statefulsets', 'apis/apps/v1'],
  ['pods', 'api/v1'],
  ['configmaps', 'api/v1'],
];

/** A page at a time would be more polite; a bundle is asked for once. */
const LINES = 5_000;

/** Throws Failure 64 when the file cannot be read. */
export async function openFor(file: string): Promise<OpenCluster> {
  const options = await kubeconfig(file).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(exit.usage, `--kubeconfig ${file}: ${why}`);
  });
  return openCluster({ ...options, deadlineMs: 15_000 });
}

/** Kinds, and after a look at the pods of the release what each of them says of itself. */
export async function clusterPieces(
  cluster: OpenCluster,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Piece[]> {
  const objects = (file: string, path: string): Piece => ({
    name: `objects/${file}.json`,
    about: path,
    read: async () => `${JSON.stringify(redact(await answerOf(cluster, path, signal)), null, 1)}\n`,
  });
  const within = (kind: string, group: string): Piece =>
    objects(`${namespace}-${kind}`, `/${group}/namespaces/${namespace}/${kind}`);
  return [
    objects('version', '/version'),
    ...kinds.map(([file, path]) => objects(file, path)),
    ...own.map(([kind, group]) => within(kind, group)),
    ...(await podPieces(cluster, namespace, signal)),
  ];
}

async function podPieces(
  cluster: OpenCluster,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Piece[]> {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const selector = encodeURIComponent('app.kubernetes.io/part-of=sluice');
  const { body } = await cluster.get(`${pods}?labelSelector=${selector}`, signal);
  const names = listOf(property(body, 'items')).map((pod) =>
    textOf(property(property(pod, 'metadata'), 'name')),
  );
  const piece = (name: string, path: string): Piece => ({
    name: `pods/${name}`,
    about: path,
    read: async () => {
      const answer = await answerOf(cluster, path, signal);
      return redactText(typeof answer === 'string' ? answer : JSON.stringify(answer));
    },
  });
  const isRoom = (name: string): boolean => !/-nats-\d+$/.test(name);
  return names.flatMap((name) => [
    ...(isRoom(name) ? [piece(`${name}.metrics.txt`, `${pods}/${name}:8080/proxy/metrics`)] : []),
    ...(isRoom(name) ? [piece(`${name}.readyz.txt`, `${pods}/${name}:8080/proxy/readyz`)] : []),
    piece(`${name}.log`, `${pods}/${name}/log?tailLines=${LINES}`),
  ]);
}

/** The body, also of a room that is not ready: it says why. @throws Error with what went wrong. */
async function answerOf(cluster: OpenCluster, path: string, signal: AbortSignal): Promise<unknown> {
  const { status, body, message } = await cluster.get(path, signal);
  const isWord = status === 503 && path.endsWith('/readyz') && typeof body === 'string';
  if (status === 200 || isWord) return body;
  throw new Error(status === 404 ? 'not served, or not there' : message);
}
