/** The one RouteAdvertisements that all networks share (`spec/bgp-operator.md` 4.4, W-13, W-71). */
import { ADVERTISED } from '../../core/annotation.ts';
import { canonicalJson } from '../../core/canonical.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { isAsWanted } from './comparison.ts';
import { bad, good, type Judged, notYet, underWay, type Waits } from './condition.ts';
import { crdOf } from './kinds.ts';
import {
  decidedOn,
  foreignWords,
  ROUTE_ADVERTISEMENTS_NAME as name,
  standingOf,
} from './ownership.ts';
import { reportOf } from './report.ts';
import type { Scene } from './scene.ts';
import { absent, EVERY, ownLabels, present, routingOwner, untouched, type Want } from './want.ts';
import type { World } from './world.ts';

export const TYPE = 'RouteAdvertisementsCreated';
const object = 'RouteAdvertisements';

const selected = { matchLabels: { [ADVERTISED]: 'true' } };

/** Only what carries our own label is selected: no one else's sessions, no one else's networks. */
const SPEC = canonicalJson({
  nodeSelector: {},
  frrConfigurationSelector: selected,
  networkSelectors: [
    {
      networkSelectionType: 'ClusterUserDefinedNetworks',
      clusterUserDefinedNetworkSelector: { networkSelector: selected },
    },
  ],
  advertisements: ['PodNetwork'],
});

const wanted = { labels: ownLabels, dropped: [], spec: SPEC };

/**
 * Another spec stays until all that it is to select carries our label: else everything would be
 * withdrawn for a moment when the original's object is taken over.
 */
function specNow(
  world: World,
  seen: ManagedObject | undefined,
  labelled: ReadonlySet<string>,
): string {
  if (seen === undefined || isAsWanted(wanted, seen)) return SPEC;
  const late = [...labelled].some((key) => {
    const one = world.objects.get(key);
    return one !== undefined && one.labels[ADVERTISED] !== 'true';
  });
  return late ? seen.spec : SPEC;
}

/**
 * It is made with the first network of a live claim, and stays while any routing is not
 * terminating (`docs/bgp.md`).
 */
export function wantRouteAdvertisements(
  world: World,
  { needed, live, labelled }: Pick<Scene, 'needed' | 'live' | 'labelled'>,
): Want | undefined {
  const { ours, foreign } = standingOf(world, object, name);
  const decided = decidedOn(world, object, name);
  const uid = ours?.uid ?? foreign?.uid ?? '';
  const about = { object, name, uid, ...routingOwner(EVERY, TYPE) } as const;
  const there = ours !== undefined || decided?.want === 'present';
  if (foreign !== undefined) {
    if (!needed && decided === undefined) return undefined;
    return untouched({ ...about, because: 'it is not ours' });
  }
  if (needed || (there && live))
    return present(
      { ...about, because: 'networks are advertised' },
      { labels: ownLabels, spec: specNow(world, ours, labelled) },
    );
  return there ? absent({ ...about, because: 'no network is advertised any more' }) : undefined;
}

/** Nothing of ours is there. */
export const isWithdrawn = (world: World): boolean =>
  standingOf(world, object, name).ours === undefined;

export function judgeRouteAdvertisements(world: World, waits: Waits): Judged {
  if (!world.isServed('routeadvertisements'))
    return notYet(TYPE, 'NotServed', `${crdOf[object]} is not served by this cluster (yet)`);
  const { ours: seen, foreign } = standingOf(world, object, name);
  if (foreign !== undefined) return bad(TYPE, 'ForeignObject', foreignWords(object, name));
  if (seen === undefined) return underWay(TYPE, 'Creating', `${name} is being created`);
  if (!isAsWanted(wanted, seen)) return underWay(TYPE, 'Applying', `${name} is being changed`);
  return accepted(seen, waits);
}

function accepted(seen: ManagedObject, waits: Waits): Judged {
  const verdict = reportOf(seen, 'Accepted', waits, TYPE, ['ConfigurationPending']);
  if (verdict.state === 'fine') return good(TYPE, 'Created', `${name} is accepted`);
  if (verdict.state === 'silent')
    return good(TYPE, 'Created', `${name} is created; OVN-Kubernetes has not reported on it`);
  const words = verdict.words === '' ? 'not reported on yet' : verdict.words;
  const make = verdict.state === 'bad' ? bad : underWay;
  return make(TYPE, 'NotAccepted', `${name} is not accepted: ${words}`);
}
