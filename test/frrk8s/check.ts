/** Holds a webhook, the double or the real one, to one case of the table. */
import assert from 'node:assert/strict';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane } from '../controlplane/controlplane.ts';
import { frrConfigurations } from './objects.ts';
import type { Case } from './table.ts';

export interface Patience {
  /** Called when all is there, before the candidate is offered. */
  readonly settled?: () => Promise<void>;
  /** How long another answer than the expected one may come, in milliseconds; default none. */
  readonly withinMs?: number;
}

/**
 * Makes the nodes and what exists, offers the candidate by a dry run, and removes all of them. The
 * namespace of frr-k8s must be there, and no other nodes or FRRConfigurations. A real webhook looks
 * at the cluster through a cache, hence the patience.
 */
export async function check(
  plane: ControlPlane,
  each: Case,
  patience: Patience = {},
): Promise<void> {
  const { api } = plane;
  for (const [name, labels] of Object.entries(each.nodes))
    await api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
  try {
    for (const object of each.existing) {
      const { status, body } = await api.call('POST', frrConfigurations, object);
      assert.equal(status, 201, body.message);
    }
    await patience.settled?.();
    const deadline = Date.now() + (patience.withinMs ?? 0);
    let answer = await offer(plane, each);
    while (answer.status !== each.expected.status && Date.now() < deadline) {
      await sleep(50);
      answer = await offer(plane, each);
    }
    judgeAnswer(answer, each);
  } finally {
    await api.delete(frrConfigurations);
    for (const name of Object.keys(each.nodes)) await api.delete(`/api/v1/nodes/${name}`);
  }
}

function judgeAnswer({ status, message, warnings }: Offered, { expected }: Case): void {
  assert.equal(status, expected.status, message);
  const { ends = '', says = '', warning } = expected;
  assert.ok(message.endsWith(ends), message);
  assert.ok(message.includes(says), message);
  if (warning === undefined) return;
  assert.ok(
    warnings.some((text) => text.includes(warning)),
    `warned of: ${warnings.join('; ') || 'nothing'}`,
  );
}

interface Offered {
  readonly status: number;
  readonly message: string;
  /** The texts of the Warning headers, codes and all. */
  readonly warnings: readonly string[];
}

function offer({ server, token, ca }: ControlPlane, { candidate }: Case): Promise<Offered> {
  const url = new URL(`${frrConfigurations}?dryRun=All`, server);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, ca, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { message = '' } = JSON.parse(text) as { message?: string };
        const warnings = response.headersDistinct['warning'] ?? [];
        resolve({ status: response.statusCode ?? 0, message, warnings });
      });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(candidate));
  });
}
