/** Where a command writes, and what it may know of the place where it runs. */

export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `out` shows colours: a terminal, and NO_COLOR is not set. */
  readonly colours: boolean;
  /** Whether `out` is a screen that can be cleared. */
  readonly screen: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  /** Aborts when the person has had enough (Ctrl-C). */
  readonly signal: AbortSignal;
}

export type Paint = (text: string) => string;

const painted =
  (code: number): Paint =>
  (text) =>
    `\x1b[${code}m${text}\x1b[0m`;

export const paint = {
  dim: painted(2),
  red: painted(31),
  green: painted(32),
  yellow: painted(33),
  blue: painted(34),
  magenta: painted(35),
  cyan: painted(36),
} as const;

/** Clears the screen and goes to its upper left corner. */
export const CLEAR = '\x1b[2J\x1b[H';

/** One line without anything that moves a cursor: objects may hold any text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (letter) => {
    return `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}
