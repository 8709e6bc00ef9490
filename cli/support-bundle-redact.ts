/** Takes out of texts and objects what does not belong into other hands. */

const HIDDEN = '[redacted]';
/** Names of fields and variables that hold a secret; not those that only name a Secret. */
const telling =
  /pass(word|wd)?$|token$|secret$|credentials?$|authorization$|(access|private)_?key/i;
/** Kept by servers and clients for themselves; holds what was written once, secrets included. */
const copies = new Set(['managedFields', 'kubectl.kubernetes.io/last-applied-configuration']);

const patterns: readonly (readonly [RegExp, string])[] = [
  // A login in an address.
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, `$1${HIDDEN}@`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  // JSON web tokens, and keys of AWS.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  [/\b(AKIA|ASIA)[A-Z0-9]{16}\b/g, HIDDEN],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, HIDDEN],
  [/((?:password|passwd|token|secret)["']?\s*[=:]\s*["']?)(?!\[)[^\s"',}]+/gi, `$1${HIDDEN}`],
  // An account of AWS; the end of a uid may look like one.
  [/(?<![0-9a-f]{4}-|\d)\d{12}(?!\d)/g, '[account]'],
];

/** The text without passwords, tokens, keys and account ids. */
export function redactText(text: string): string {
  return patterns.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
}

/** The value as JSON would hold it, redacted by the names of its fields as well. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  // A variable of a container tells by its name what its value is.
  const name: unknown = Reflect.get(value, 'name');
  const isTelling = typeof name === 'string' && telling.test(name);
  const kept = fields
    .filter(([key]) => !copies.has(key))
    .map(([key, inner]) => [key, isHidden(key, inner, isTelling) ? HIDDEN : redact(inner)]);
  return Object.fromEntries(kept);
}

function isHidden(key: string, inner: unknown, isTelling: boolean): boolean {
  if (inner === '' || (typeof inner !== 'string' && typeof inner !== 'number')) return false;
  return telling.test(key) || (isTelling && key === 'value');
}
