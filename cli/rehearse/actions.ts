/** Reads the verbs of a step. */
import { isObject, type JsonObject, textOf } from '../../core/json.ts';
import { problemOf } from '../../edge/simulated/admission.ts';
import { type CloudChange, readCloud } from './cloud.ts';
import { readChecks } from './expectations.ts';
import { type Names, roomsAt } from './names.ts';
import { conditionsOf, egressIPFrom, nodeFrom, textsOf } from './objects.ts';
import type { Place } from './place.ts';
import type { Action, Reference } from './script.ts';

export const verbs: readonly string[] = [
  'nodes',
  'egressips',
  'apply',
  'label',
  'annotate',
  'ready',
  'reachable',
  'patch',
  'delete',
  'cloud',
  'advance',
  'stop',
  'start',
  'restart',
  'lose',
  'expect',
];

/** What a verb of a step does, in the order as written. `verb` is one of `verbs`. */
export function readActions(verb: string, place: Place, names: Names): readonly Action[] {
  switch (verb) {
    case 'nodes':
      return place.entries(verb).flatMap(([name, node]) => nodeActions(name, node, names));
    case 'egressips':
      return place.entries(verb).map(([name, inside]) => {
        const object = egressIPFrom(name, inside);
        return apply(names.define('egressip', name), object, inside);
      });
    case 'apply':
      return place.items().map((item) => readObject(item, names));
    case 'label':
    case 'annotate':
      return metadataActions(verb, place, names);
    case 'ready':
    case 'reachable':
      return place.entries(verb).map(([name, value]) => healthAction(verb, name, value, names));
    case 'patch':
      return place.entries(verb).map(([text, body]) => {
        const on = names.refer(text, 'egressip', (message) => body.failKey(message));
        return patch(on, objectAt(body, 'a patch'), `patch ${JSON.stringify(body.value)}`, body);
      });
    case 'delete':
      return place.items().map((item) => {
        const fail = (message: string): never => item.fail(message);
        const on = names.refer(item.text('an object'), 'egressip', fail);
        return { do: 'delete', on, position: item.position };
      });
    case 'cloud':
      return readCloud(place).map((change) => cloudAction(change, place));
    case 'advance': {
      const ms = place.duration('advance');
      return [{ do: 'advance', ms, said: `${String(place.value)} later` }];
    }
    case 'expect':
      return [{ do: 'expect', checks: readChecks(place, names) }];
    default:
      return [{ do: verb as 'stop' | 'start' | 'restart' | 'lose', rooms: roomsAt(place) }];
  }
}

const cloudAction = (change: CloudChange, place: Place): Action => ({
  do: 'cloud',
  change,
  position: place.keyPosition,
});

function nodeActions(name: string, place: Place, names: Names): readonly Action[] {
  const object = nodeFrom(name, place, names.nodes);
  const put = apply(names.define('node', name), object, place);
  if (!place.has('reachable')) return [put];
  const reachable = place.get('reachable').flag('reachable');
  return [put, { do: 'answer', node: name, reachable }];
}

const kinds: Readonly<Record<string, Reference['kind']>> = {
  Node: 'node',
  EgressIP: 'egressip',
  CloudPrivateIPConfig: 'cloudprivateipconfig',
  Infrastructure: 'infrastructure',
};

/** A Kubernetes object as it would be given to kubectl. */
export function readObject(place: Place, names: Names): Action {
  const object = objectAt(place, 'a Kubernetes object');
  const kind = textOf(object['kind']);
  const known = kinds[kind];
  if (known === undefined)
    return place.fail(`objects of kind "${kind}" play no part here; Node and EgressIP do`);
  const metadata = place.get('metadata');
  const name = metadata.has('name') ? metadata.get('name').text('metadata.name') : '';
  if (name === '') return place.fail('the object needs a metadata.name');
  return apply(names.define(known, name), object, place);
}

function apply(on: Reference, object: JsonObject, place: Place): Action {
  const problem = problemOf(on.collection, object);
  if (problem !== undefined) return place.fail(`${on.kind} ${on.name} is invalid: ${problem}`);
  return { do: 'apply', on, object };
}

const patch = (on: Reference, body: JsonObject, said: string, place: Place): Action => ({
  do: 'patch',
  on,
  body,
  said,
  position: place.position,
});

function objectAt(place: Place, what: string): JsonObject {
  return isObject(place.value) ? place.value : place.fail(`${what} is a mapping`);
}

/** `label: {worker-1: {tier: production, old: null}}`: null takes it away. */
function metadataActions(verb: 'label' | 'annotate', place: Place, names: Names): Action[] {
  const key = verb === 'label' ? 'labels' : 'annotations';
  return place.entries(verb).map(([text, inside]) => {
    const on = names.refer(text, 'node', (message) => inside.failKey(message));
    const texts = textsOf(inside, key);
    const words = Object.entries(texts).map(([name, value]) =>
      value === null ? `${name}-` : `${name}=${value}`,
    );
    return patch(on, { metadata: { [key]: texts } }, `${verb} ${words.join(' ')}`, inside);
  });
}

function healthAction(verb: string, name: string, place: Place, names: Names): Action {
  const on = names.defined('node', name, (message) => place.failKey(message));
  if (verb === 'reachable') return { do: 'answer', node: name, reachable: place.flag(verb) };
  const conditions = conditionsOf(place);
  return patch(on, { status: { conditions } }, `condition Ready is ${String(place.value)}`, place);
}
