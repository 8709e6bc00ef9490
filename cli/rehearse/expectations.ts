/** Reads what a step expects. */
import { parseAddress } from '../../core/address.ts';
import { readClaim } from './claim.ts';
import type { Names } from './names.ts';
import type { Place } from './place.ts';
import type { Check, Wanted } from './script.ts';

const kinds = ['status', 'events', 'writes', 'probed', 'marks', 'claims', 'said'];

export function readChecks(place: Place, names: Names): readonly Check[] {
  return place.known('expect', kinds).flatMap(([kind, inside]): readonly Check[] => {
    const position = inside.keyPosition;
    switch (kind) {
      case 'status':
        return inside.entries('status').map(([name, items]) => readStatus(name, items, names));
      case 'events':
        return inside.entries('events').flatMap(([on, list]) => readEvents(on, list, names));
      case 'claims':
        return inside.entries('claims').map(([address, claim]) => ({
          of: 'claim',
          position: claim.keyPosition,
          claim: readClaim(address, claim),
        }));
      case 'writes':
        return [{ of: 'writes', position, count: inside.count('writes') }];
      case 'probed':
        return [{ of: 'probed', position, nodes: readNodes(inside, names).toSorted() }];
      case 'marks':
        return inside.entries('marks').map(([name, mark]) => readMark(name, mark, names));
      default:
        return inside.items().map((item) => ({
          of: 'said',
          position: item.position,
          text: item.text('what is said'),
        }));
    }
  });
}

const failKey = (place: Place) => (message: string) => place.failKey(message);
const fail = (place: Place) => (message: string) => place.fail(message);

function readNodes(place: Place, names: Names): string[] {
  if (place.value === 'none') return [];
  return place.items().map((item) => names.defined('node', item.text('a node'), fail(item)).name);
}

function readMark(name: string, place: Place, names: Names): Check {
  names.defined('egressip', name, failKey(place));
  return { of: 'mark', position: place.keyPosition, name, mark: place.text('a mark') };
}

/** `none`, or address → a node, some nodes, `any` or `none`. */
function readStatus(name: string, place: Place, names: Names): Check {
  const { name: known } = names.refer(name, 'egressip', failKey(place));
  const entries = place.value === 'none' ? [] : place.entries(`the status of ${known}`);
  const items = entries.map(([address, nodes]) => readWanted(address, nodes, names));
  return { of: 'status', position: place.keyPosition, name: known, items };
}

function readWanted(text: string, place: Place, names: Names): Wanted {
  const address = parseAddress(text)?.text;
  if (address === undefined) return place.failKey(`"${text}" is no IP address`);
  const { value } = place;
  if (value === 'any' || value === 'none') return { address, nodes: value };
  return { address, nodes: readNodes(place, names) };
}

/** `Moved`, `Moved: part of the note`, several of them, or `none`. */
function readEvents(on: string, place: Place, names: Names): readonly Check[] {
  const object = names.refer(on, 'egressip', failKey(place));
  if (place.value === 'none')
    return [{ of: 'event', position: place.position, on: object, reason: undefined, note: '' }];
  return place.items().map((item) => {
    const text = item.text('an event');
    const [, reason, note = ''] = /^([A-Za-z]+)(?::\s*(.+))?$/.exec(text) ?? [];
    if (reason === undefined) return item.fail(`"${text}" is neither "Reason" nor "Reason: note"`);
    return { of: 'event', position: item.position, on: object, reason, note };
  });
}
