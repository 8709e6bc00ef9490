/** The real admission webhook of frr-k8s, registered by its address on loopback. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { newChild, type Child } from '../../controlplane/child.ts';
import type { ControlPlane } from '../../controlplane/controlplane.ts';
import { freePort } from '../../controlplane/port.ts';
import { loopbackCertificate } from '../../frrk8s/certificate.ts';
import { FRR_NAMESPACE } from '../../frrk8s/objects.ts';
import type { Ground } from './ground.ts';

export interface Webhook {
  /** Kill it and the API server cannot reach it: with `failurePolicy: Fail` it answers 500. */
  readonly child: Child;
  /** Takes back the registration and ends the program. */
  stop(): Promise<void>;
}

const name = 'frr-k8s-validating-webhook-configuration';
const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${name}`;

/**
 * Starts the webhook and registers it; resolves when it serves. It needs no FRR, but it removes
 * FRRNodeStates of nodes without a Pod of frr-k8s.
 */
export async function startWebhook(ground: Ground, plane: ControlPlane): Promise<Webhook> {
  const folder = join(plane.folder, 'webhook');
  // The only place where it looks for its certificate; `--cert-dir` is for its rotation.
  const certificates = join(folder, 'k8s-webhook-server', 'serving-certs');
  const authority = writeCertificate(certificates);
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const child = newChild({
    name: 'statuscleaner',
    command: 'setpriv',
    args: [
      // It must not outlive a run that was killed.
      ...['--pdeathsig', 'KILL', ground.statuscleaner],
      `--namespace=${FRR_NAMESPACE}`,
      '--disable-cert-rotation',
      `--webhook-port=${port}`,
    ],
    env: { KUBECONFIG: plane.kubeconfig, TMPDIR: folder },
    logFile: join(folder, 'statuscleaner.log'),
    ready: () => isHealthy(url, authority),
    readyWithinMs: 30_000,
  });
  await child.start();
  await plane.api.apply(configuration(url, authority));
  return {
    child,
    stop: async () => {
      await plane.api.delete(path).catch(() => {});
      await child.stop();
    },
  };
}

/** Writes a certificate to where the webhook looks for it; its authority, as PEM. */
function writeCertificate(folder: string): string {
  const { ca, cert, key } = loopbackCertificate();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key, { mode: 0o600 });
  return ca;
}

function configuration(url: string, authority: string) {
  const kind = 'v1beta1-frrconfiguration';
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'frrconfigurationsvalidationwebhook.metallb.io',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        rules: [
          {
            apiGroups: ['frrk8s.metallb.io'],
            apiVersions: ['v1beta1'],
            resources: ['frrconfigurations'],
            operations: ['CREATE', 'UPDATE'],
          },
        ],
        clientConfig: {
          url: `${url}/validate-frrk8s-metallb-io-${kind}`,
          caBundle: Buffer.from(authority).toString('base64'),
        },
      },
    ],
  };
}

function isHealthy(url: string, ca: string): Promise<boolean> {
  return new Promise((resolve) => {
    // A connection each: nothing is to be left open.
    const agent = new Agent({ ca });
    const sent = request(`${url}/healthz`, { agent, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(false));
    sent.end();
  });
}
