/** What is new in a fact about BGP routing, as a sentence. */
import type {
  BgpConfig,
  BgpRouting,
  FrrPod,
  SeenStatus,
  Session,
  UdnNamespace,
} from '../../core/bgp-fact.ts';
import type { ManagedObject, SeenCondition } from '../../core/managed.ts';
import { count, list } from '../../core/say.ts';
import { same } from '../../core/same.ts';
import { labelNews } from './words.ts';

interface Living {
  readonly uid: string;
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
}

/** How a thing came to be there, and with what; undefined when it was there before. */
const birth = (before: { uid: string } | undefined, uid: string, what: string) =>
  before?.uid === uid ? undefined : `${before === undefined ? 'appeared' : 'was replaced'}${what}`;

export function configNews(before: BgpConfig | undefined, now: BgpConfig): string {
  const where = now.aws === undefined ? count(now.zones.length, 'zone') : `AWS ${now.aws.region}`;
  const born = birth(before, now.uid, `: AS ${now.localASN}, ${where}`);
  if (before === undefined || born !== undefined) return born ?? '';
  // A deletion counts as a generation, but edits nothing.
  const dying = now.deleting && !before.deleting ? 1 : 0;
  const spec = now.generation - before.generation > dying ? ['its spec changed'] : [];
  const annotated = same(before.annotations, now.annotations) ? [] : ['its annotations changed'];
  return wordsOf([...spec, ...annotated, ...lifeNews(before, now), ...statusNews(before, now)]);
}

export function routingNews(before: BgpRouting | undefined, now: BgpRouting): string {
  const born = birth(before, now.uid, `: network ${now.network}, ${list(now.subnets)}`);
  if (before === undefined || born !== undefined) return born ?? '';
  const moved = same(before.subnets, now.subnets) ? [] : [`its subnets are ${list(now.subnets)}`];
  return wordsOf([...moved, ...lifeNews(before, now), ...statusNews(before, now)]);
}

export function managedNews(before: ManagedObject | undefined, now: ManagedObject): string {
  const born = birth(before, now.uid, '');
  if (before === undefined || born !== undefined) return born ?? '';
  const spec = before.spec === now.spec ? [] : ['its spec changed'];
  return wordsOf([
    ...spec,
    ...labelNews(before.labels, now.labels),
    ...lifeNews(before, now),
    ...conditionNews(before.conditions, now.conditions),
  ]);
}

export function podNews(before: FrrPod | undefined, now: FrrPod): string {
  const ready = now.ready ? 'ready' : 'not ready';
  const where = now.node === '' ? ' on no node yet' : ` on ${now.node}`;
  return birth(before, now.uid, `${where}, ${ready}`) ?? `is ${ready}${where}`;
}

export function namespaceNews(before: UdnNamespace | undefined, now: UdnNamespace): string {
  const primary = now.primary ? '' : ', without the label of a primary network';
  const what = ` for network ${now.network}${primary}`;
  if (now.deleting && before?.deleting === false) return 'is being deleted';
  return birth(before, now.uid, what) ?? `is${what}`;
}

export function sessionNews(_before: Session | undefined, now: Session): string {
  const bfd = now.bfdStatus === '' || now.bfdStatus === 'N/A' ? '' : `, BFD ${now.bfdStatus}`;
  return `${now.node} to ${now.peer}: ${now.bgpStatus || 'not known yet'}${bfd}`;
}

const wordsOf = (news: readonly string[]): string => news.join(', ') || 'changed';

function lifeNews(before: Living, now: Living): string[] {
  const got = now.finalizers.filter((one) => !before.finalizers.includes(one));
  const lost = before.finalizers.filter((one) => !now.finalizers.includes(one));
  return [
    ...(now.deleting && !before.deleting ? ['is being deleted'] : []),
    ...(got.length === 0 ? [] : [`got finalizer ${list(got)}`]),
    ...(lost.length === 0 ? [] : [`lost finalizer ${list(lost)}`]),
  ];
}

interface WithStatus {
  readonly status: SeenStatus;
}

function statusNews(before: WithStatus, now: WithStatus): string[] {
  if (before.status.phase !== now.status.phase) return [`its phase is ${now.status.phase}`];
  return same(before.status, now.status) ? [] : ['its status changed'];
}

function conditionNews(before: readonly SeenCondition[], now: readonly SeenCondition[]): string[] {
  const changed = now.filter((one) => {
    const known = before.find(({ type }) => type === one.type);
    return known?.status !== one.status || known.reason !== one.reason;
  });
  return changed.map(({ type, status, reason }) => `${type} is ${status} (${reason})`);
}
