/** Who else writes what is ours, as `metadata.managedFields` tell. */
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import { listOf, property, textOf } from '../../core/json.ts';

const OURS = 'sluice';

/** What of an entry of `managedFields` is ours to write. */
type Ours = (fieldsV1: unknown) => boolean;

/** The field manager that wrote what is ours last and is not us; '' = none is known. */
export function foreignManager(object: unknown, isOurs: Ours = egressIPFields): string {
  const fields = listOf(property(property(object, 'metadata'), 'managedFields'));
  const strangers = fields
    .filter(
      (entry) => textOf(property(entry, 'manager')) !== OURS && isOurs(property(entry, 'fieldsV1')),
    )
    .map((entry) => ({
      manager: textOf(property(entry, 'manager')),
      time: textOf(property(entry, 'time')),
    }));
  strangers.sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  return strangers[0]?.manager ?? '';
}

/** The status and the mark. */
function egressIPFields(fields: unknown): boolean {
  if (property(fields, 'f:status') !== undefined) return true;
  const annotations = property(property(fields, 'f:metadata'), 'f:annotations');
  return property(annotations, `f:${EGRESSIP_MARK}`) !== undefined;
}

/** The spec and the labels: of the objects of BGP routing. */
export const managedFields: Ours = (fields) =>
  property(fields, 'f:spec') !== undefined ||
  property(property(fields, 'f:metadata'), 'f:labels') !== undefined;

/** The status: of the resources of BGP routing. */
export const statusFields: Ours = (fields) => property(fields, 'f:status') !== undefined;
