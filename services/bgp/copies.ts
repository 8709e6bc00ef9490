/**
 * The copies that OVN-Kubernetes makes of FRRConfigurations, one per node: as long as there is one,
 * frr-k8s refuses another session parameter in its source (`frr-ovn-aws-facts.md` 2.4).
 */
import { ROUTE_ADVERTISEMENTS } from '../../core/annotation.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { GENERATED } from '../../core/managed-object.ts';
import { Many } from '../../core/many.ts';

interface Copy {
  readonly source: string;
}

export const isCopy = ({ object, name }: Pick<ManagedObject, 'object' | 'name'>): boolean =>
  object === 'FRRConfiguration' && name.startsWith(GENERATED);

export class Copies {
  readonly #copies = new Map<string, Copy>();
  readonly #bySource = new Many<Copy>();

  /** Whether that is news of a source. */
  see({ name, annotations }: ManagedObject): boolean {
    // `<ra>/<source>/<node>`; none of the three contains a slash.
    const source = (annotations[ROUTE_ADVERTISEMENTS] ?? '').split('/')[1] ?? '';
    if (this.#copies.get(name)?.source === source) return false;
    this.lose(name);
    const copy = { source };
    this.#copies.set(name, copy);
    this.#bySource.add(source, copy);
    return true;
  }

  lose(name: string): boolean {
    const copy = this.#copies.get(name);
    if (copy === undefined) return false;
    this.#copies.delete(name);
    this.#bySource.delete(copy.source, copy);
    return true;
  }

  has(source: string): boolean {
    return this.#bySource.has(source);
  }
}
