/** What one line of a watch says. */
import type { Collection, Sighting } from '../../core/door.ts';
import { field, kubeObject, parse, text } from './json.ts';

export type WatchEvent =
  | { readonly kind: 'Seen'; readonly sighting: Sighting; readonly version: string }
  /** Nothing new up to this version. */
  | { readonly kind: 'Bookmark'; readonly version: string }
  /** The server cannot go on from the version that it was given. */
  | { readonly kind: 'Error'; readonly code: number; readonly message: string }
  | { readonly kind: 'Unreadable'; readonly line: string };

/** Never throws: a line may be anything, and hurts only itself. */
export function watchEvent(collection: Collection, line: string): WatchEvent {
  const json = parse(line);
  const type = text(json, 'type');
  const version = text(json, 'object', 'metadata', 'resourceVersion');
  if (type === 'BOOKMARK' && version !== '') return { kind: 'Bookmark', version };
  if (type === 'ERROR') {
    const code = field(json, 'object', 'code');
    const message = text(json, 'object', 'message');
    return { kind: 'Error', code: typeof code === 'number' ? code : 0, message };
  }
  const sighting = sightingOf(collection, type, field(json, 'object'));
  if (sighting === undefined) return { kind: 'Unreadable', line: line.slice(0, 120) };
  return { kind: 'Seen', sighting, version };
}

function sightingOf(collection: Collection, type: string, value: unknown): Sighting | undefined {
  const object = kubeObject(value);
  if (object === undefined) return undefined;
  if (type === 'ADDED' || type === 'MODIFIED') return { kind: 'Put', collection, object };
  const { name, uid } = object.metadata;
  return type === 'DELETED' ? { kind: 'Gone', collection, name, uid } : undefined;
}
