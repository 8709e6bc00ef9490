/** The door to YAML: text to plain values with positions, and back. */
import { isNode, LineCounter, parseAllDocuments, stringify } from 'yaml';

/** A place in a text, counted from 1 as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A text that is no YAML, or says one thing twice. `position` is where. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  readonly position: Position;

  constructor(message: string, position: Position) {
    super(message);
    this.position = position;
  }
}

/** One document of a file. */
export interface YamlDocument {
  /** Plain JSON values. */
  readonly value: unknown;
  /** Where the value at a path stands, or the nearest of its parents that is there. */
  positionOf(path: readonly (string | number)[]): Position;
}

/**
 * The documents of a file, `---` between them; empty ones are left out. Throws YamlError on the
 * first error, duplicate keys among them: of two, a reader would not know which one counts.
 */
export function parseYamlDocuments(text: string): YamlDocument[] {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const documents: YamlDocument[] = [];
  for (const document of parseAllDocuments(text, { lineCounter: lines, prettyErrors: false })) {
    const [error] = document.errors;
    if (error !== undefined) throw new YamlError(error.message, at(error.pos[0]));
    const value: unknown = document.toJS();
    if (value === null || value === undefined) continue;
    const positionOf = (path: readonly (string | number)[]): Position => {
      for (let length = path.length; length >= 0; length -= 1) {
        const node = document.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range) return at(node.range[0]);
      }
      return at(0);
    };
    documents.push({ value, positionOf });
  }
  return documents;
}

/** The value of a text with one document; undefined when it is empty. Throws YamlError. */
export function parseYaml(text: string): unknown {
  const documents = parseYamlDocuments(text);
  if (documents.length > 1) throw new YamlError('one document expected', { line: 1, column: 1 });
  return documents[0]?.value;
}

/** Plain JSON values as YAML text, two spaces deep, long lines unbroken. */
export function stringifyYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
