/** Whether all that Sluice writes is in the cluster as the last decisions say. */
import { allDifferences, type Difference } from '../services/publisher/difference.ts';
import { NONE } from './table.ts';
import { awsFindings } from './verify-aws.ts';
import type { Finding } from './verify-finding.ts';
import { nobodys } from './verify-nobodys.ts';
import type { Picture } from './verify-picture.ts';

export interface Statuses {
  readonly findings: readonly Finding[];
  readonly egressIPs: number;
  /** CloudPrivateIPConfigs. */
  readonly claims: number;
  /** Custom resources of BGP routing, and what is made for them. */
  readonly routing: number;
  /** Decided, or seen, so shortly ago that the write may be on its way. */
  readonly underWay: number;
  /** Objects that are not ours to write yet. */
  readonly shadow: number;
}

/** So long a write may take before its absence is told. */
export const GRACE_MS = 10_000;

export function statusesOf(picture: Picture, nowMs: number): Statuses {
  const { world, shadow } = picture;
  const isOurs = (one: Difference): boolean => !isShadow(picture, one);
  const all = [...nobodys(picture), ...allDifferences(world)].filter(isOurs);
  const late = all.filter((one) => picture.latestMs(one) <= nowMs - GRACE_MS);
  const things = [...world.egressIPs.values()].filter(({ uid }) => uid !== '');
  const routed = [...world.routing.managed, ...world.routing.resources];
  const hasDecision = (one: (typeof routed)[number]): boolean =>
    one.seen !== undefined && ('wanted' in one ? one.wanted : one.current) !== undefined;
  return {
    findings: [...late.map((one) => found(picture, one)), ...awsFindings(picture, nowMs)],
    egressIPs: things.filter(({ name }) => !shadow.has(`egressip/${name}`)).length,
    claims: [...world.claims.all()].filter(({ seen }) => seen !== undefined).length,
    routing: routed.filter(hasDecision).length,
    underWay: all.length - late.length,
    shadow: shadow.size,
  };
}

/** Of claims nothing is said in shadow mode: they are like all else. */
function isShadow({ shadow, shadowed }: Picture, { kind, name }: Difference): boolean {
  return shadow.has(`${kind}/${name}`) || (kind === 'cloudprivateipconfig' && shadowed);
}

function found(picture: Picture, difference: Difference): Finding {
  const object = `${difference.kind}/${difference.name}`;
  const failure = picture.failureOn(object);
  const why = failure === '' ? '' : ` (the publisher: ${failure})`;
  const what = `${wordsOf(difference)}${why}`;
  return { kind: 'status', where: 'cluster', atMs: undefined, object, what };
}

function wordsOf({ what, cluster, sluice }: Difference): string {
  if (cluster === sluice) return what;
  return `${what}: the cluster has ${cluster || NONE}, decided is ${sluice || NONE}`;
}
