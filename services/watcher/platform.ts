/** Where the cluster runs: a cloud has a say in where addresses are (`spec/egressip.md` 1.6). */
import type { KubeObject, Sighting } from '../../core/door.ts';
import { property, textOf } from '../../core/json.ts';

/** What stands for the absence of a platform. */
const NONE = 'None';

const NAME = 'cluster';

/**
 * The platform after a sighting of `infrastructures`; undefined = this says nothing. That the kind
 * is not served is no proof that it never was: a starting API server answers 404 for a while. Hence
 * what is known, or was told before, is kept.
 */
export function platformAfter(
  seen: Sighting,
  known: string | undefined,
  told: string | undefined,
): string | undefined {
  switch (seen.kind) {
    case 'Listed':
      return platformOf(seen.objects.find(({ metadata }) => metadata.name === NAME));
    case 'Put':
      return seen.object.metadata.name === NAME ? platformOf(seen.object) : known;
    case 'Gone':
      return seen.name === NAME ? NONE : known;
    case 'NotServed':
      return known ?? told ?? NONE;
  }
}

/** `status.infrastructureName` after a sighting: known or told before, it is kept as above. */
export function nameAfter(
  seen: Sighting,
  known: string | undefined,
  told: string | undefined,
): string {
  switch (seen.kind) {
    case 'Listed':
      return nameOf(seen.objects.find(({ metadata }) => metadata.name === NAME));
    case 'Put':
      return seen.object.metadata.name === NAME ? nameOf(seen.object) : (known ?? '');
    case 'Gone':
      return seen.name === NAME ? '' : (known ?? '');
    case 'NotServed':
      return known ?? told ?? '';
  }
}

const nameOf = (infrastructure: KubeObject | undefined): string =>
  textOf(property(property(infrastructure, 'status'), 'infrastructureName'));

/** `status.platformStatus.type`, in old clusters `status.platform`. */
function platformOf(infrastructure: KubeObject | undefined): string {
  const status = property(infrastructure, 'status');
  const type = textOf(property(property(status, 'platformStatus'), 'type'));
  return type || textOf(property(status, 'platform')) || NONE;
}
