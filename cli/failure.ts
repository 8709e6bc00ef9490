/** A failure that a person should read: the sentence, the exit code, the next step. */

/** Exit codes: what was asked about is not fine; wrong usage; the server cannot be reached. */
export const exit = { fine: 0, notFine: 1, usage: 64, unavailable: 69 } as const;

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  /** `message` is one line without a full name of the program before it. */
  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** ` Did you mean "web"?`, or '' when nothing is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const near = nearest(given, known);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}

/** The known word that a slip of the fingers away from the given one; ties go by name. */
function nearest(given: string, known: Iterable<string>): string | undefined {
  const most = Math.max(1, Math.floor(given.length / 3));
  let best: { word: string; distance: number } | undefined;
  for (const word of [...known].sort()) {
    if (Math.abs(word.length - given.length) > most) continue;
    const distance = distanceOf(given, word);
    if (distance <= most && (best === undefined || distance < best.distance))
      best = { word, distance };
  }
  return best?.word;
}

/** How many letters to insert, delete, replace or swap with the next (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let older: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      const isSwap = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swapped = isSwap ? (older[j - 1] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    [older, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
