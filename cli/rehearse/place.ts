/** A value in the text of a rehearsal, and where it stands: complaints name line and column. */
import { isObject } from '../../core/json.ts';
import type { Position, YamlDocument } from '../../edge/yaml.ts';
import { didYouMean } from '../failure.ts';

/** The file cannot be rehearsed as it stands: `story.yaml:14:7: node "worker-9" is not …`. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  readonly position: Position;

  constructor(message: string, position: Position) {
    super(message);
    this.position = position;
  }
}

export class Place {
  readonly value: unknown;
  readonly #document: YamlDocument;
  readonly #path: readonly (string | number)[];
  /** The lines of the whole text, to find where a key stands. */
  readonly #lines: readonly string[];

  constructor(
    document: YamlDocument,
    lines: readonly string[],
    path: readonly (string | number)[] = [],
    value: unknown = document.value,
  ) {
    this.#document = document;
    this.#lines = lines;
    this.#path = path;
    this.value = value;
  }

  get position(): Position {
    return this.#document.positionOf(this.#path);
  }

  /** Where the key of this value stands; the value's own place when it has none. */
  get keyPosition(): Position {
    const key = this.#path.at(-1);
    if (typeof key !== 'string') return this.position;
    let { line, column } = this.position;
    for (; line > 0; line--, column = Number.POSITIVE_INFINITY) {
      const found = (this.#lines[line - 1] ?? '').slice(0, column - 1).lastIndexOf(key);
      if (found >= 0) return { line, column: found + 1 };
    }
    return this.position;
  }

  fail(message: string): never {
    throw new ScriptError(message, this.position);
  }

  /** A complaint about the key rather than the value. */
  failKey(message: string): never {
    throw new ScriptError(message, this.keyPosition);
  }

  has(key: string): boolean {
    return isObject(this.value) && Object.hasOwn(this.value, key);
  }

  get(key: string | number): Place {
    const inside = (this.value as Record<string | number, unknown>)[key];
    return new Place(this.#document, this.#lines, [...this.#path, key], inside);
  }

  /** The entries of a mapping, as written. */
  entries(what: string): readonly (readonly [string, Place])[] {
    if (!isObject(this.value)) return this.fail(`${what} is a mapping, got ${kindOf(this.value)}`);
    return Object.keys(this.value).map((key) => [key, this.get(key)] as const);
  }

  /** The items of a list; a single value counts as a list of one. */
  items(): readonly Place[] {
    if (!Array.isArray(this.value)) return [this];
    return this.value.map((_, index) => this.get(index));
  }

  /** The entries of a mapping whose keys are known; others are refused with the nearest one. */
  known(what: string, keys: readonly string[]): readonly (readonly [string, Place])[] {
    const entries = this.entries(what);
    for (const [key, place] of entries)
      if (!keys.includes(key)) place.failKey(`${what} has no "${key}"${nearest(key, keys)}`);
    return entries;
  }

  text(what: string): string {
    if (typeof this.value === 'string') return this.value;
    if (typeof this.value === 'number') return String(this.value);
    return this.fail(`${what} is a text, got ${kindOf(this.value)}`);
  }

  flag(what: string): boolean {
    if (typeof this.value === 'boolean') return this.value;
    return this.fail(`${what} is true or false, got ${kindOf(this.value)}`);
  }

  count(what: string): number {
    const { value } = this;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
    return this.fail(`${what} is a whole number, got ${kindOf(value)}`);
  }

  /** `250ms`, `10s`, `5m`, `1h` in milliseconds. */
  duration(what: string): number {
    const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(String(this.value)) ?? [];
    if (number === undefined) return this.fail(`${what} is a time such as 10s, 250ms, 5m or 1h`);
    return Number(number) * (units[unit] ?? 1);
  }
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : JSON.stringify(value);
}

/** `; did you mean "worker-1"?` or what there is, when nothing is near. */
export function nearest(name: string, names: readonly string[]): string {
  const hint = didYouMean(name, names).trim();
  if (hint !== '') return `; ${hint.replace(/^D/, 'd')}`;
  return names.length === 0 || names.length > 20 ? '' : `; there is ${names.join(', ')}`;
}
