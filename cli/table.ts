/** Tables as kubectl prints them: upper-case heads, columns by blanks, no borders. */

/** What stands where there is nothing to show. */
export const NONE = '–';

/**
 * One line per row, each ended by a line feed; `heads` undefined = no head line. Columns are two
 * blanks apart; nothing follows the last column.
 */
export function table(
  heads: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
): string {
  const all = heads === undefined ? rows : [heads, ...rows];
  const widths: number[] = [];
  for (const row of all)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, lengthOf(cell));
  return all.map((row) => `${lineOf(row, widths)}\n`).join('');
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - lengthOf(cell)));
  return cells.join('  ').trimEnd();
}

/** Code points, not UTF-16 units; names and sentences hold no double-width letters. */
const lengthOf = (cell: string): number => Array.from(cell).length;
