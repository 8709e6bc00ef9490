/** Whether an object is as it is wanted: what differs is listed, and all else is left alone. */
import { isObject, parseJson, property } from '../../core/json.ts';
import type { Labels } from '../../core/labels.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { isDefault } from './managed-defaults.ts';

/** What is wanted of the object, and how the server stored that before; '' = not known. */
export interface Wish {
  readonly labels: Labels;
  readonly dropped: readonly string[];
  readonly spec: string;
  readonly accepted: string;
}

/** A place that differs: `spec.bgp.routers[0].asn`, `label advertise`; undefined = not there. */
export interface Differing {
  readonly path: string;
  readonly wanted: unknown;
  readonly seen: unknown;
}

/** Empty = as wanted. */
export function differs(
  seen: Pick<ManagedObject, 'labels' | 'spec'>,
  wish: Wish,
): readonly Differing[] {
  return [...specDiffers(seen.spec, wish), ...labelsDiffer(seen.labels, wish)];
}

export function specDiffers(seen: string, { spec, accepted }: Wish): readonly Differing[] {
  if (seen === spec || (accepted !== '' && seen === accepted)) return [];
  const found = compare(parseJson(spec), parseJson(seen), 'spec');
  // It differs from what the server made of the same wish: whatever it is, somebody changed it.
  if (found.length === 0 && accepted !== '')
    return compare(parseJson(accepted), parseJson(seen), 'spec');
  return found;
}

export function labelsDiffer(seen: Labels, { labels, dropped }: Wish): readonly Differing[] {
  const wanted = Object.entries(labels).map(([key, value]) => ({ key, value }));
  const unwanted = dropped.map((key) => ({ key, value: undefined }));
  return [...wanted, ...unwanted]
    .filter(({ key, value }) => seen[key] !== value)
    .map(({ key, value }) => ({ path: `label ${key}`, wanted: value, seen: seen[key] }));
}

/** An extra field is no difference where the server would have added it by itself. */
function compare(wanted: unknown, seen: unknown, path: string): readonly Differing[] {
  if (Array.isArray(wanted)) return compareLists(wanted, seen, path);
  if (!isObject(wanted)) return wanted === seen ? [] : [{ path, wanted, seen }];
  if (!isObject(seen)) return [{ path, wanted, seen }];
  const own = Object.keys(wanted).flatMap((key) =>
    compare(wanted[key], property(seen, key), `${path}.${key}`),
  );
  const extra = Object.keys(seen).filter((key) => !Object.hasOwn(wanted, key));
  // Each entry of a selector narrows it: none of them can be a default.
  const strict = path.endsWith('.matchLabels');
  const added = extra.filter((key) => strict || !isDefault(`${path}.${key}`, seen[key]));
  const news = added.map((key) => ({
    path: `${path}.${key}`,
    wanted: undefined,
    seen: seen[key],
  }));
  return [...own, ...news];
}

function compareLists(
  wanted: readonly unknown[],
  seen: unknown,
  path: string,
): readonly Differing[] {
  if (!Array.isArray(seen) || seen.length !== wanted.length) return [{ path, wanted, seen }];
  return wanted.flatMap((one, index) => compare(one, seen[index], `${path}[${index}]`));
}
