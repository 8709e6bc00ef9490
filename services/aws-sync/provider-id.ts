/** What `spec.providerID` of a Node says of its instance (facts 1.4). */

export interface Instance {
  readonly id: string;
  /** '' where it is left out. */
  readonly zone: string;
}

/**
 * `aws:///zone/i-…`, `aws:////i-…`, `aws:///i-…`, `aws://zone/i-…` and a bare `i-…` are valid: only
 * the last part counts. Anything else is no EC2 instance, which concerns that node alone.
 */
export function instanceOf(providerID: string): Instance | undefined {
  const rest = providerID.startsWith('aws://') ? providerID.slice('aws://'.length) : providerID;
  if (rest === providerID && providerID.includes('/')) return undefined;
  const parts = rest.split('/').filter((part) => part !== '');
  const id = parts.at(-1) ?? '';
  if (!/^i-[0-9a-f]+$/.test(id) || parts.length > 2) return undefined;
  return { id, zone: parts.length === 2 ? (parts[0] ?? '') : '' };
}
