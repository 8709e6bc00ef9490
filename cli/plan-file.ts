/**
 * Files of Nodes, EgressIPs and resources of BGP routing, taken into the draft as `kubectl apply`
 * would.
 */
import { readFile } from 'node:fs/promises';
import type { KubeObject } from '../core/door.ts';
import type { Drained } from '../core/drained.ts';
import type { Node } from '../core/fact.ts';
import { isObject, type JsonObject, listOf, property, textOf } from '../core/json.ts';
import { EGRESSIPS, problemOf } from '../edge/simulated/admission.ts';
import { list } from '../core/say.ts';
import { parseYamlDocuments, YamlError } from '../edge/yaml.ts';
import { egressIPOf, nodeOf } from '../services/watcher/project.ts';
import { exit, Failure } from './failure.ts';
import type { Draft } from './plan-draft.ts';
import { applyRouting } from './plan-file-routing.ts';

/** `nowMs` is the age of what is new. Throws Failure 64, naming the file and the place in it. */
export async function applyFile(draft: Draft, file: string, nowMs: number): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw usage(`cannot read ${file} (${error instanceof Error ? error.message : String(error)})`);
  });
  applyText(draft, text, file, nowMs);
}

const routingKinds: readonly string[] = ['CUDNBgpConfig', 'CUDNBgpRouting'];
const played: readonly string[] = ['Node', 'EgressIP', ...routingKinds];

/** The same with the text of the file. */
export function applyText(draft: Draft, text: string, file: string, nowMs: number): void {
  for (const { value, place } of objectsOf(text, file)) {
    if (!isObject(value)) throw usage(`${place}: a Kubernetes object is a mapping`);
    const kind = textOf(value['kind']);
    const name = textOf(property(value['metadata'], 'name'));
    if (name === '') throw usage(`${place}: the object needs a metadata.name`);
    if (kind === 'Node') applyNode(draft, name, value);
    else if (kind === 'EgressIP') applyEgressIP(draft, name, value, place, nowMs);
    else if (routingKinds.includes(kind)) {
      const problem = applyRouting(draft, complete(value, name, undefined), nowMs);
      if (problem !== undefined) throw usage(`${place}: ${kind} ${name} is invalid: ${problem}`);
    } else throw usage(`${place}: "${kind}" plays no part here; ${list(played, 4)} do`);
  }
}

interface Found {
  readonly value: unknown;
  /** `file.yaml:14:7`. */
  readonly place: string;
}

/** Objects, and those in a List such as `kubectl get -o yaml` prints. */
function objectsOf(text: string, file: string): readonly Found[] {
  try {
    return parseYamlDocuments(text).flatMap((document) => {
      const { value } = document;
      const at = (path: readonly (string | number)[]): string => {
        const { line, column } = document.positionOf(path);
        return `${file}:${line}:${column}`;
      };
      if (property(value, 'kind') !== 'List') return [{ value, place: at([]) }];
      const items = listOf(property(value, 'items'));
      return items.map((item, index) => ({ value: item, place: at(['items', index]) }));
    });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { line, column } = error.position;
    throw usage(`${file}:${line}:${column}: ${error.message}`);
  }
}

/** Labels and annotations that are not given stay; so does the state, or a new node is Ready. */
function applyNode(draft: Draft, name: string, object: JsonObject): void {
  const known = draft.knownNode(name);
  const given = nodeOf(complete(object, name, known?.uid));
  const tells = property(object['status'], 'conditions') !== undefined;
  draft.putNode({
    ...given,
    labels: { ...known?.labels, ...given.labels },
    annotations: { ...known?.annotations, ...given.annotations },
    ready: tells ? given.ready : (known?.ready ?? true),
    drained: given.drained || staysDrained(known),
  });
}

/** What the watcher was told to look at, a cordon or a taint, is not known here. */
function staysDrained(known: Node | undefined): Drained {
  const { drained = '' } = known ?? {};
  return drained === 'annotation' ? '' : drained;
}

function applyEgressIP(
  draft: Draft,
  name: string,
  object: JsonObject,
  place: string,
  nowMs: number,
): void {
  const { status: _, ...bare } = object;
  const problem = problemOf(EGRESSIPS, bare);
  if (problem !== undefined) throw usage(`${place}: EgressIP ${name} is invalid: ${problem}`);
  const known = draft.knownEgressIP(name);
  const given = egressIPOf(complete(bare, name, known?.uid));
  draft.putEgressIP({
    ...given,
    createdMs: known?.createdMs ?? nowMs,
    items: known?.items ?? [],
    annotations: { ...known?.annotations, ...given.annotations },
  });
}

/** What the server adds by itself, as far as anybody here reads it. */
function complete(object: JsonObject, name: string, uid: string | undefined): KubeObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const added = { name, uid: uid ?? `planned-${name}`, resourceVersion: '' };
  return { ...object, metadata: { ...metadata, ...added } };
}

const usage = (message: string): Failure => new Failure(exit.usage, message);
