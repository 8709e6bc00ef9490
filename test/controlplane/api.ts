/** A plain client of a kube-apiserver for tests and the demo: one call, one answer. */
import { Agent, request as httpsRequest } from 'node:https';

/** Where an API server is, and how to speak to it. `ca` is PEM. */
export interface ApiAddress {
  readonly server: string;
  readonly token: string;
  readonly ca: () => string;
}

export interface ApiAnswer {
  readonly status: number;
  // oxlint-disable-next-line no-explicit-any -- objects of any kind are read here, by tests
  readonly body: any;
}

export interface Api {
  /** One call; rejects only when there is no answer within 10 s. */
  call(method: string, path: string, body?: unknown, contentType?: string): Promise<ApiAnswer>;
  /** The body of a successful GET; throws with the server's message otherwise. */
  get(path: string): Promise<ApiAnswer['body']>;
  /** Server-side apply of a whole object, as `kubectl apply --server-side --force-conflicts`. */
  apply(object: ApiObject): Promise<ApiAnswer['body']>;
  /** A merge patch; throws when it is refused. */
  patch(path: string, body: unknown): Promise<ApiAnswer['body']>;
  delete(path: string): Promise<void>;
  close(): void;
}

export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

const json = 'application/json';
const mergePatch = 'application/merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';

/** Opens a client that keeps its connections and checks the server's certificate. */
export function openApi(address: ApiAddress): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const call: Api['call'] = (method, path, body, contentType = json) =>
    oneCall(address, agent, { method, path, body, contentType });
  const must = async (
    method: string,
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<ApiAnswer['body']> => {
    const answer = await call(method, path, body, contentType);
    if (answer.status < 300) return answer.body;
    const why = answer.body?.message ?? JSON.stringify(answer.body);
    throw new Error(`${method} ${path}: ${answer.status} ${why}`);
  };
  return {
    call,
    get: (path) => must('GET', path),
    apply: (object) =>
      must('PATCH', `${pathOf(object)}?fieldManager=test&force=true`, object, applyPatch),
    patch: (path, body) => must('PATCH', path, body, mergePatch),
    delete: async (path) => void (await must('DELETE', path)),
    close: () => agent.destroy(),
  };
}

/** The path of an object; the plural is the kind with an s, or the kind where it ends in one. */
export function pathOf(object: ApiObject): string {
  const { apiVersion, kind, metadata } = object;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  const plural = kind.endsWith('s') ? kind : `${kind}s`;
  return `${root}${scope}/${plural.toLowerCase()}/${metadata.name}`;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly contentType: string;
}

function oneCall(address: ApiAddress, agent: Agent, call: Call): Promise<ApiAnswer> {
  const data = call.body === undefined ? undefined : JSON.stringify(call.body);
  const headers = {
    authorization: `Bearer ${address.token}`,
    accept: json,
    ...(data === undefined ? {} : { 'content-type': call.contentType }),
  };
  return new Promise((resolve, reject) => {
    const url = new URL(call.path, address.server);
    const options = { method: call.method, headers, agent, ca: address.ca(), timeout: 10_000 };
    const sent = httpsRequest(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: parsed(text) });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`${call.method} ${call.path}: no answer`)));
    sent.on('error', reject);
    sent.end(data);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
