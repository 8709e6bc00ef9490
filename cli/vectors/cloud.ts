/** The cloud in a vector: what its controller would do is said there, step by step. */
import { CLOUD_OWNER } from '../../core/annotation.ts';
import { listOf, property } from '../../core/json.ts';
import { CLOUD_CLAIMS, INFRASTRUCTURES } from '../../edge/simulated/admission.ts';
import { CLOUD_FINALIZER, finalizersOf } from '../../edge/simulated/cloud-protocol.ts';
import type { SimulatedWorld } from '../../edge/simulated/world.ts';
import type { Expectation, Vector } from './format.ts';

/** The cluster says where it runs, and has the objects of before start-up. */
export function openCloud({ cluster }: SimulatedWorld, vector: Vector): void {
  if (!vector.cloud) return;
  for (const collection of [CLOUD_CLAIMS, INFRASTRUCTURES]) cluster.setServed(collection, true);
  const type = vector.config?.platform ?? '';
  cluster.set(INFRASTRUCTURES, 'cluster', { status: { platformStatus: { type } } });
  for (const { name, annotations, spec, status } of vector.cloudPrivateIPConfigs ?? []) {
    const metadata = { annotations, finalizers: [CLOUD_FINALIZER] };
    cluster.set(CLOUD_CLAIMS, name, { metadata, spec, ...(status ? { status } : {}) });
  }
}

/** The cloud controller holds on to every new object, so that its deletion can be seen. */
export function holdNew({ cluster }: SimulatedWorld): void {
  for (const object of cluster.list(CLOUD_CLAIMS)) {
    if (finalizersOf(object).includes(CLOUD_FINALIZER)) continue;
    const metadata = { ...object.metadata, finalizers: [CLOUD_FINALIZER] };
    cluster.set(CLOUD_CLAIMS, object.metadata.name, { ...object, metadata });
  }
}

export function tellStatus({ cluster }: SimulatedWorld, name: string, status: object): void {
  const object = cluster.get(CLOUD_CLAIMS, name);
  if (object === undefined) throw new Error(`there is no CloudPrivateIPConfig ${name}`);
  cluster.set(CLOUD_CLAIMS, name, { ...object, status });
}

/** The cloud has released the address: the finalizer is taken off, whoever deleted the object. */
export function letGo({ cluster }: SimulatedWorld, name: string): void {
  const object = cluster.get(CLOUD_CLAIMS, name);
  if (object === undefined) throw new Error(`there is no CloudPrivateIPConfig ${name}`);
  const metadata = { ...object.metadata, finalizers: [] };
  cluster.set(CLOUD_CLAIMS, name, { ...object, metadata });
  const path = `${CLOUD_CLAIMS}/${name}`;
  if (cluster.get(CLOUD_CLAIMS, name) === undefined) return;
  cluster.act({ method: 'DELETE', path, contentType: '', body: undefined });
}

/** Each difference between the CloudPrivateIPConfigs that are expected and those that are there. */
export function compareCloud(expect: Expectation, { cluster }: SimulatedWorld): readonly string[] {
  const wrong = (expect.cloudPrivateIPConfigs ?? []).flatMap((want) => {
    const object = cluster.get(CLOUD_CLAIMS, want.name);
    if (object === undefined) return [`there is no CloudPrivateIPConfig ${want.name}`];
    const got = {
      specNode: property(object['spec'], 'node'),
      owner: property(property(object.metadata, 'annotations'), CLOUD_OWNER),
      deleting: isDeleting(object.metadata),
    };
    const keys = ['specNode', 'owner', 'deleting'] as const;
    return keys
      .filter((key) => want[key] !== undefined && want[key] !== got[key])
      .map((key) => `${want.name}: expected ${key} ${want[key]}, got ${String(got[key])}`);
  });
  const unwanted = listOf(expect.noCloudPrivateIPConfigs).filter((name) => {
    const object = cluster.get(CLOUD_CLAIMS, String(name));
    return object !== undefined && !isDeleting(object.metadata);
  });
  return [...wrong, ...unwanted.map((name) => `there is a CloudPrivateIPConfig ${String(name)}`)];
}

const isDeleting = (metadata: object): boolean =>
  property(metadata, 'deletionTimestamp') !== undefined;
