/** What the cloud controller has seen: which nodes there are, and every CloudPrivateIPConfig. */
import type { Collection, KubeObject, Sighting } from '../../core/door.ts';
import { NODES } from './admission.ts';

export class CloudBook {
  readonly nodes = new Set<string>();
  readonly claims = new Map<string, KubeObject>();
  /** Uids of objects that were let go: what is heard of them afterwards is old. */
  readonly #gone = new Set<string>();

  see(sighting: Sighting): void {
    switch (sighting.kind) {
      case 'NotServed':
        return undefined;
      case 'Listed':
        return this.#list(sighting.collection, sighting.objects);
      case 'Put':
        return this.put(sighting.collection, sighting.object);
      case 'Gone': {
        const { collection, name, uid } = sighting;
        if (collection === NODES) this.nodes.delete(name);
        else if (this.claims.get(name)?.metadata.uid === uid) this.claims.delete(name);
      }
    }
  }

  #list(collection: Collection, objects: readonly KubeObject[]): void {
    if (collection === NODES) this.nodes.clear();
    else this.claims.clear();
    for (const object of objects) this.put(collection, object);
  }

  /** What the controller wrote itself may come back late: it is newer than what is seen then. */
  put(collection: Collection, object: KubeObject): void {
    const { name, uid, resourceVersion } = object.metadata;
    if (collection === NODES) return void this.nodes.add(name);
    if (this.#gone.has(uid)) return;
    const known = this.claims.get(name)?.metadata;
    const late = known?.uid === uid && BigInt(known.resourceVersion) > BigInt(resourceVersion);
    if (!late) this.claims.set(name, object);
  }

  /** The object is gone, whatever is still to be heard of it. */
  forget(object: KubeObject): void {
    const { name, uid } = object.metadata;
    this.#gone.add(uid);
    if (this.claims.get(name)?.metadata.uid === uid) this.claims.delete(name);
  }
}
