/** What the API server itself writes down of requests that change something: who, when, what. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request that was answered. */
export interface Audited {
  readonly user: string;
  /** When the API server had received it, and when it had answered, in milliseconds since 1970. */
  readonly atMs: number;
  readonly doneMs: number;
  readonly verb: string;
  readonly path: string;
  readonly status: number;
}

interface AuditEvent {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly requestURI: string;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly responseStatus?: { readonly code?: number };
}

/** Flags by which kube-apiserver audits what these users change; no flags without a user. */
export function auditArgs(folder: string, users: readonly string[]): string[] {
  if (users.length === 0) return [];
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [
      { level: 'None', verbs: ['get', 'list', 'watch'] },
      { level: 'Metadata', users },
      { level: 'None' },
    ],
  };
  const file = join(folder, 'audit-policy.json');
  writeFileSync(file, JSON.stringify(policy));
  return [`--audit-policy-file=${file}`, `--audit-log-path=${fileIn(folder)}`];
}

const fileIn = (folder: string): string => join(folder, 'audit.log');

/** All that was audited so far by the API server of this control plane, in order of answers. */
export function auditedIn({ folder }: { readonly folder: string }): Audited[] {
  // The last line may be half written.
  const lines = readFileSync(fileIn(folder), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const event = JSON.parse(line) as AuditEvent;
    return {
      user: event.user.username,
      atMs: Date.parse(event.requestReceivedTimestamp),
      doneMs: Date.parse(event.stageTimestamp),
      verb: event.verb,
      path: event.requestURI,
      status: event.responseStatus?.code ?? 0,
    };
  });
}
