/** A double of frr-k8s' validating webhook: an HTTPS server that the API server asks. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../controlplane/api.ts';
import { eventually } from '../controlplane/wait.ts';
import { loopbackCertificate } from './certificate.ts';
import { parseDuration } from './duration.ts';
import {
  type FrrConfiguration,
  frrConfiguration,
  frrConfigurations,
  type Labels,
} from './objects.ts';
import { judge, type Verdict } from './rules.ts';

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const name = 'frr-k8s-validating-webhook-configuration';
const group = 'frrk8s.metallb.io';
const path = '/validate-frrk8s-metallb-io-v1beta1-frrconfiguration';
/** Its webhook has no namespace selector, so that a dry run anywhere shows whether it is asked. */
const probed = `/apis/${group}/v1beta1/namespaces/default/frrconfigurations?dryRun=All`;
const probe = frrConfiguration('webhook-is-asked', {});

export interface WebhookOptions {
  /** How long the API server waits for an answer, in seconds; default 10 as Kubernetes'. */
  readonly timeoutSeconds?: number;
}

/** One question of the API server. */
export interface Asked {
  readonly operation: string;
  readonly name: string;
  readonly allowed: boolean;
}

export interface WebhookDouble {
  /** Every question so far, oldest first, dry runs too. */
  readonly asked: readonly Asked[];
  /** Nobody listens any more: the API server answers 500 to creates and updates. */
  down(): Promise<void>;
  /** Listens again, on the same port. */
  up(): Promise<void>;
  /** Waits before each answer; 0 = not any more. Beyond the timeout: 500. */
  slow(ms: number): void;
  /** Denies all with this text (403); undefined = judges by the rules again. */
  deny(text: string | undefined): void;
  /** Is not asked any more, and listens no more. */
  stop(): Promise<void>;
}

/**
 * Starts it and registers it as frr-k8s' manifests do, by URL. Resolves when the API server asks
 * it; where FRRConfigurations are not served yet, as soon as it is registered.
 */
export async function openWebhook(api: Api, options: WebhookOptions = {}): Promise<WebhookDouble> {
  const webhook = new Webhook(api);
  await webhook.up();
  await webhook.register(options.timeoutSeconds ?? 10);
  return webhook;
}

class Webhook implements WebhookDouble {
  readonly asked: Asked[] = [];
  readonly #api: Api;
  readonly #tls = loopbackCertificate();
  #server: Server | undefined;
  #port = 0;
  #slowMs = 0;
  #denial: string | undefined;

  constructor(api: Api) {
    this.#api = api;
  }

  async up(): Promise<void> {
    const { key, cert } = this.#tls;
    const server = createServer({ key, cert }, (request, response) => {
      void this.#answer(request, response).catch(() => response.destroy());
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  async down(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    // The API server keeps its connections, and would go on asking over them.
    server.closeAllConnections();
    await closed;
  }

  slow(ms: number): void {
    this.#slowMs = ms;
  }

  deny(text: string | undefined): void {
    this.#denial = text;
  }

  async stop(): Promise<void> {
    await this.#api.call('DELETE', `${configurations}/${name}`);
    await this.#until('the webhook is not asked any more', false);
    await this.down();
  }

  async register(timeoutSeconds: number): Promise<void> {
    const caBundle = Buffer.from(this.#tls.ca).toString('base64');
    const rule = {
      apiGroups: [group],
      apiVersions: ['v1beta1'],
      operations: ['CREATE', 'UPDATE'],
      resources: ['frrconfigurations'],
    };
    const webhook = {
      name: 'frrconfigurationsvalidationwebhook.metallb.io',
      clientConfig: { url: `https://127.0.0.1:${this.#port}${path}`, caBundle },
      rules: [rule],
      failurePolicy: 'Fail',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds,
    };
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const kind = 'ValidatingWebhookConfiguration';
    await this.#api.apply({ apiVersion, kind, metadata: { name }, webhooks: [webhook] });
    await this.#until('the webhook is asked', true);
  }

  /** The API server hears of a registration, and of its end, a moment later. */
  async #until(what: string, isAsked: boolean): Promise<void> {
    await eventually(what, { withinMs: 20_000 }, async () => {
      const before = this.asked.length;
      const object = { ...probe, metadata: { name: probe.metadata.name } };
      const { status } = await this.#api.call('POST', probed, object);
      return status === 404 || (status < 500 && this.asked.length > before === isAsked);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/healthz') return void response.end('{"status": "ok"}');
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const { request: question } = JSON.parse(text) as { request: Question };
    await sleep(this.#slowMs);
    const answer = await this.#judge(question);
    const { operation, object } = question;
    this.asked.push({ operation, name: object.metadata.name, allowed: answer.allowed });
    response.setHeader('content-type', 'application/json');
    const { apiVersion, kind } = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
    response.end(JSON.stringify({ apiVersion, kind, response: { uid: question.uid, ...answer } }));
  }

  async #judge({ object }: Question): Promise<Answer> {
    if (this.#denial !== undefined) return denied(403, this.#denial, []);
    const unreadable = unreadableIn(object);
    if (unreadable !== undefined) return denied(400, unreadable, []);
    const { refusal, warnings } = await this.#verdict(object);
    return refusal === undefined ? { allowed: true, warnings } : denied(403, refusal, warnings);
  }

  /** As the cluster is now; the original may look at it a moment late. */
  async #verdict(candidate: FrrConfiguration): Promise<Verdict> {
    const [nodes, configs] = await Promise.all([
      this.#api.get('/api/v1/nodes'),
      // It knows of no objects in other namespaces.
      this.#api.get(frrConfigurations),
    ]);
    const labels = (nodes.items as { metadata: { name: string; labels?: Labels } }[]).map(
      ({ metadata }) => [metadata.name, metadata.labels ?? {}] as const,
    );
    return judge(candidate, configs.items, Object.fromEntries(labels));
  }
}

interface Question {
  readonly uid: string;
  readonly operation: string;
  readonly object: FrrConfiguration;
}

interface Answer {
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly reason: string; readonly message: string };
  readonly warnings: readonly string[];
}

const denied = (code: 400 | 403, message: string, warnings: readonly string[]): Answer => ({
  allowed: false,
  status: { code, reason: code === 403 ? 'Forbidden' : 'BadRequest', message },
  warnings,
});

/** Times are plain text to the schema, and Go reads them before anything is judged. */
function unreadableIn({ spec }: FrrConfiguration): string | undefined {
  const neighbors = spec?.bgp?.routers?.flatMap((router) => router.neighbors ?? []) ?? [];
  const times = neighbors.flatMap((n) => [n.holdTime, n.keepaliveTime, n.connectTime]);
  const bad = times.find((time) => time !== undefined && parseDuration(time) === undefined);
  return bad === undefined ? undefined : `time: invalid duration "${bad}"`;
}
