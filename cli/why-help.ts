/** The line "It would be placed if": single changes that were tried, the same ones put together. */
import type { Explanation } from '../services/assigner/explain.ts';
import type { Help } from '../services/assigner/explain-attempt.ts';
import { printable } from './terminal.ts';

/** So many nodes with the same change are named one by one. */
const NAMED = 3;

/** '' where the address has a node, or where the assigner is about to decide. */
export function helpText({ help, nodes, state, soon }: Explanation): string {
  if (state.kind === 'placed' || soon !== undefined) return '';
  if (help.length > 0) return `It would be placed if: ${printable(list(help))}.\n`;
  return nodes.length === 0 ? '' : 'No single change of a node or an EgressIP would place it.\n';
}

function list(help: readonly Help[]): string {
  const groups = Map.groupBy(help, ({ change }) => change);
  return [...groups].flatMap(([change, members]) => partsOf(change, members)).join('; or ');
}

function partsOf(change: string, members: readonly Help[]): readonly string[] {
  const names = members.map(({ kind, name }) => (kind === 'release' ? `EgressIP ${name}` : name));
  if (names.length <= NAMED) return names.map((name) => `${name} ${change}`);
  const some = names.slice(0, NAMED).join(', ');
  return [`one of ${names.length} nodes ${change} (${some}, …)`];
}
