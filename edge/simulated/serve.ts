/** Serves one write as kube-apiserver does: preconditions, patches, validation, no-ops. */
import type { Collection, KubeAnswer, KubeObject, KubeRequest } from '../../core/door.ts';
import { isObject, type JsonObject, property, textOf } from '../../core/json.ts';
import { admit, problemOf, withDefaults } from './admission.ts';
import { failure, type Place, placeOf, success } from './answer.ts';
import { splitsStatus } from './kinds.ts';
import { jsonPatch, mergePatch, PatchError } from './patch.ts';
import type { Store } from './store.ts';

const nameForm = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** What a webhook answers to an object that is about to be stored; undefined = it may be. */
export type Review = (
  collection: Collection,
  object: JsonObject,
  before: KubeObject | undefined,
) => KubeAnswer | undefined;

const waved: Review = () => undefined;

/** `statusSubresource`: whether EgressIP has one. */
export function serve(
  store: Store,
  statusSubresource: boolean,
  request: KubeRequest,
  review: Review = waved,
): KubeAnswer {
  const place = placeOf(request.path);
  if (place === undefined) return failure(404, 'the server could not find the requested resource');
  const { collection } = place;
  const split = splitsStatus(collection, statusSubresource);
  if (place.subresource !== '' && !(split && place.subresource === 'status'))
    return failure(404, 'the server could not find the requested resource');
  if (request.method === 'POST') return create(store, place, split, request.body, review);
  const object = store.get(place.collection, place.name);
  if (object === undefined) return failure(404, `${kindOf(place)} "${place.name}" not found`);
  if (request.method === 'GET') return success(200, object);
  if (request.method === 'DELETE') return remove(store, place, object, request.body);
  return patch(store, place, split, object, request, review);
}

const kindOf = ({ collection }: Place): string => collection.split('/').at(-1) ?? '';

function create(
  store: Store,
  place: Place,
  split: boolean,
  body: unknown,
  review: Review,
): KubeAnswer {
  if (place.name !== '') return failure(405, 'the server does not allow this method here');
  if (!isObject(body)) return failure(400, 'the body of the request is no object');
  const name = nameFor(store, place.collection, body);
  if (!nameForm.test(name)) return failure(422, `metadata.name: Invalid value: "${name}"`);
  if (store.get(place.collection, name) !== undefined)
    return failure(409, `${kindOf(place)} "${name}" already exists`, 'AlreadyExists');
  const object = withDefaults(place.collection, split ? admit({}, body, 'object') : body);
  const problem = problemOf(place.collection, object);
  if (problem !== undefined)
    return failure(422, `${kindOf(place)} "${name}" is invalid: ${problem}`);
  const named = { ...object, metadata: { ...(property(object, 'metadata') as object), name } };
  const denied = review(place.collection, named, undefined);
  if (denied !== undefined) return denied;
  return success(201, store.create(place.collection, name, object));
}

function nameFor(store: Store, collection: Collection, body: JsonObject): string {
  const metadata = property(body, 'metadata');
  const name = textOf(property(metadata, 'name'));
  const prefix = textOf(property(metadata, 'generateName'));
  return name === '' && prefix !== '' ? `${prefix}${store.list(collection).length}` : name;
}

function remove(store: Store, place: Place, object: KubeObject, body: unknown): KubeAnswer {
  const conflict = conflictOf(object, property(body, 'preconditions'));
  if (conflict !== undefined) return conflict;
  return success(200, store.delete(place.collection, object));
}

/** The uid and the version that the writer believes the object to have. */
function conflictOf(object: KubeObject, believed: unknown): KubeAnswer | undefined {
  const { uid, resourceVersion } = object.metadata;
  const theirs = property(believed, 'uid') ?? uid;
  if (theirs !== uid)
    return failure(
      409,
      `Precondition failed: UID in precondition: ${textOf(theirs)}, UID in object meta: ${uid}`,
    );
  if ((property(believed, 'resourceVersion') ?? resourceVersion) === resourceVersion)
    return undefined;
  return failure(
    409,
    'the object has been modified; please apply your changes to the latest version',
  );
}

function patch(
  store: Store,
  place: Place,
  split: boolean,
  object: KubeObject,
  request: KubeRequest,
  review: Review,
): KubeAnswer {
  const patched = apply(object, request);
  if (!isObject(patched)) return patched === undefined ? unsupported(request) : refused(patched);
  const conflict = conflictOf(object, property(patched, 'metadata'));
  if (conflict !== undefined) return conflict;
  const writes = place.subresource === 'status' ? 'status' : split ? 'object' : 'all';
  const next = withDefaults(place.collection, admit(object, patched, writes));
  const problem = problemOf(place.collection, next);
  if (problem !== undefined)
    return failure(422, `${kindOf(place)} "${place.name}" is invalid: ${problem}`);
  const denied = writes === 'status' ? undefined : review(place.collection, next, object);
  return denied ?? success(200, store.update(place.collection, object, next));
}

/** The object as patched; undefined for an unknown content type; a text says why it is refused. */
function apply(object: KubeObject, { contentType, body }: KubeRequest): unknown {
  try {
    switch (contentType) {
      case 'application/merge-patch+json':
        return mergePatch(object, body);
      case 'application/json-patch+json':
        return jsonPatch(object, body);
      default:
        return undefined;
    }
  } catch (error) {
    if (error instanceof PatchError) return error.message;
    throw error;
  }
}

const unsupported = ({ contentType }: KubeRequest): KubeAnswer =>
  failure(415, `the body of the request was in an unknown format: ${contentType}`);

const refused = (why: unknown): KubeAnswer =>
  failure(422, `the server rejected our request due to an error in our request: ${textOf(why)}`);
