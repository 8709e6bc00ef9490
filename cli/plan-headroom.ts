/** The HEADROOM lines of `sluice status`: who would be homeless without one node or zone. */
import { count, list } from '../core/say.ts';
import { isPictured } from '../services/assigner/decide.ts';
import type { Picture } from '../services/assigner/explain-picture.ts';
import { Headroom, type Homeless } from '../services/assigner/headroom.ts';
import { rest, whole } from '../services/assigner/plan-rest.ts';

/** A node or zone that somebody would miss. */
export interface Loss {
  /** `node/worker-5`, `zone/eu-1b`. */
  readonly lost: string;
  readonly homeless: readonly Homeless[];
}

export interface HeadroomReport {
  /** The worst first. */
  readonly losses: readonly Loss[];
  /** Whether nodes have zones at all. */
  readonly zones: boolean;
  /** Nodes and zones that were not computed in time. */
  readonly pending: number;
}

/** People wait in front of the screen: so long it may take in the largest cluster. */
const PATIENCE_MS = 2_000;

/** Undefined while the first complete picture of the cluster is not on the log. */
export function headroomOf(picture: Picture): HeadroomReport | undefined {
  if (!isPictured(picture.world)) return undefined;
  const world = picture.fold(picture);
  whole(rest(world));
  const headroom = new Headroom(world);
  const endMs = performance.now() + PATIENCE_MS;
  for (let more = true; more && performance.now() < endMs; ) more = headroom.step();
  const losses = [...headroom.losses].map(([lost, homeless]) => ({ lost, homeless }));
  losses.sort((a, b) => b.homeless.length - a.homeless.length || (a.lost < b.lost ? -1 : 1));
  return { losses, zones: headroom.zones > 0, pending: headroom.pending };
}

/** A line for nodes, one for zones where there are any. */
export function headroomText(report: HeadroomReport | undefined): string {
  if (report === undefined) return '';
  const { pending } = report;
  const lines = (report.zones ? ['node', 'zone'] : ['node']).map((kind) => lineOf(report, kind));
  if (pending > 0) lines.push(`${count(pending, 'loss', 'losses')} not computed within 2 s`);
  return lines.map((line) => `HEADROOM  ${line}\n`).join('');
}

function lineOf({ losses }: HeadroomReport, kind: string): string {
  const head = `any one ${kind} lost:`;
  const own = losses.filter(({ lost }) => lost.startsWith(`${kind}/`));
  const [worst] = own;
  if (worst === undefined) return `${head} every address would find another node`;
  const most = worst.homeless.length;
  const [first] = worst.homeless;
  const name = ({ lost }: Loss): string => lost.slice(lost.indexOf('/') + 1);
  const details =
    own.length === 1 && most === 1
      ? `${first?.egressIP} ${first?.address} if ${name(worst)} goes`
      : list(own.map((loss) => `${loss.homeless.length} if ${name(loss)} goes`));
  const upTo = own.length === 1 ? '' : 'up to ';
  return `${head} ${upTo}${count(most, 'address', 'addresses')} would have no node (${details})`;
}
