/** What a plan says of BGP routing, as tables and as a record for machines. */
import { count, list } from '../core/say.ts';
import type { ObjectShift, RoutingPlan } from './plan-routing.ts';
import { NONE, table } from './table.ts';
import { printable } from './terminal.ts';

export function routingText({ objects, phases }: RoutingPlan): string {
  if (objects.length + phases.length === 0) return 'Nothing of BGP routing changes.\n';
  const rows = [
    ...objects.map((one) => [one.object, whatOf(one), printable(one.because) || NONE]),
    ...phases.map(({ resource, from, to, because }) => [
      ...[resource, `${from || NONE} → ${to || NONE}`, printable(because) || NONE],
    ]),
  ];
  const head = `${count(objects.length, 'object')} of BGP routing would be written at once.`;
  const more = 'What waits for sessions, or for OVN-Kubernetes, follows when those are there.\n';
  const rest = objects.length === 0 ? '' : more;
  return `${head}\n${table(['OBJECT', 'WHAT', 'BECAUSE'], rows)}${rest}`;
}

function whatOf({ what, differing }: ObjectShift): string {
  if (differing.length === 0) return what;
  const [first] = differing;
  const paths = `${what}: ${list(differing.map(({ path }) => path))}`;
  if (differing.length > 1 || first === undefined) return printable(paths);
  const sides = `${shown(first.seen)} → ${shown(first.wanted)}`;
  return printable(sides.length > LONGEST ? paths : `${paths} ${sides}`);
}

/** Lists of neighbours are for `-o json`. */
const LONGEST = 60;

function shown(value: unknown): string {
  if (value === undefined) return NONE;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
