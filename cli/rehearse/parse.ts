/** Reads a rehearsal: YAML documents, each a Kubernetes object or a step (docs/rehearsal.md). */
import { listOf, textOf } from '../../core/json.ts';
import { parseYamlDocuments, YamlError } from '../../edge/yaml.ts';
import { readActions, readObject, verbs } from './actions.ts';
import { Names } from './names.ts';
import { nearest, Place, ScriptError } from './place.ts';
import type { Action, Script, Step } from './script.ts';
import { readSettings } from './settings.ts';

/** What only says how the cluster is; before the first real step, it is what Sluice finds. */
const describing = ['nodes', 'egressips', 'apply'];

/** @throws ScriptError with line and column at the first thing that cannot be understood. */
export function parseScript(text: string): Script {
  const lines = text.split('\n');
  const places = documentsOf(text).map((document) => new Place(document, lines));
  if (places.length === 0) throw new ScriptError('there is nothing in it', { line: 1, column: 1 });
  const names = new Names();
  const first = places[0];
  const settings = readSettings(first?.has('settings') === true ? first : undefined);
  const found: Action[] = [];
  const steps: Step[] = [];
  let objects: Action[] = [];
  const flush = (): void => {
    if (objects.length === 0) return;
    if (steps.length === 0) found.push(...objects);
    else steps.push({ title: '', actions: objects });
    objects = [];
  };
  for (const place of first?.has('settings') === true ? places.slice(1) : places) {
    if (place.has('kind') || place.has('apiVersion')) {
      objects.push(...objectsAt(place, names));
      continue;
    }
    const step = readStep(place, names);
    const describes = place.entries('a step').every(([key]) => describing.includes(key));
    if (describes && steps.length === 0) {
      objects.push(...step.actions);
      continue;
    }
    flush();
    steps.push(step);
  }
  flush();
  return { ...settings, found, steps };
}

function documentsOf(text: string): ReturnType<typeof parseYamlDocuments> {
  try {
    return parseYamlDocuments(text);
  } catch (error) {
    if (error instanceof YamlError) throw new ScriptError(error.message, error.position);
    throw error;
  }
}

/** An object, or what `kubectl get nodes,egressips -o yaml` prints: a List of them. */
function objectsAt(place: Place, names: Names): readonly Action[] {
  if (textOf(place.get('kind').value) !== 'List') return [readObject(place, names)];
  return listOf(place.get('items').value).map((_, index) =>
    readObject(place.get('items').get(index), names),
  );
}

function readStep(place: Place, names: Names): Step {
  const entries = place.entries('a document');
  for (const [key, inside] of entries) {
    if (key === 'settings') inside.failKey('settings stand in the first document');
    if (key !== 'step' && !verbs.includes(key))
      inside.failKey(`a step has no "${key}"${nearest(key, ['step', ...verbs])}`);
  }
  const title = place.has('step') ? place.get('step').text('the title of a step') : '';
  const acting = entries.filter(([key]) => key !== 'step');
  return { title, actions: acting.flatMap(([verb, inside]) => readActions(verb, inside, names)) };
}
