/** Who else writes what is ours, as `metadata.managedFields` tell. */
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import { listOf, property, textOf } from '../../core/json.ts';

const OURS = 'sluice';

/** The field manager that wrote the status or the mark last and is not ours; '' = none is known. */
export function foreignManager(object: unknown): string {
  const fields = listOf(property(property(object, 'metadata'), 'managedFields'));
  const strangers = fields
    .filter((entry) => textOf(property(entry, 'manager')) !== OURS && isOurs(entry))
    .map((entry) => ({
      manager: textOf(property(entry, 'manager')),
      time: textOf(property(entry, 'time')),
    }));
  strangers.sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  return strangers[0]?.manager ?? '';
}

function isOurs(entry: unknown): boolean {
  const fields = property(entry, 'fieldsV1');
  if (property(fields, 'f:status') !== undefined) return true;
  const annotations = property(property(fields, 'f:metadata'), 'f:annotations');
  return property(annotations, `f:${EGRESSIP_MARK}`) !== undefined;
}
