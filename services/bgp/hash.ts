/** A short text that stands for a long one in the name of an object. */

/** FNV-1a, 32 bits, as eight hex digits: stable for ever, because names are made of it. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
