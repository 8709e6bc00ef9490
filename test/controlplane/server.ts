/** How each server of the control plane is started, and how it is seen to serve. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApi, type Api } from './api.ts';
import { auditArgs } from './audit.ts';
import { newChild, type Child } from './child.ts';
import { answers } from './http.ts';
import { freePort } from './port.ts';

/** A user of the API server, known by a bearer token. */
export interface User {
  readonly name: string;
  readonly token: string;
  readonly groups: readonly string[];
}

/** A server that is known how to start. */
export interface Server {
  readonly url: string;
  readonly child: Child;
}

export interface KubeServer extends Server {
  /** PEM; readable once the server has started. */
  readonly ca: () => string;
  readonly api: Api;
}

/** etcd without fsync: its data need not survive a power cut. */
export async function etcd(command: string, folder: string): Promise<Server> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peers = `http://127.0.0.1:${await freePort()}`;
  const args = [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
    '--unsafe-no-fsync=true',
    '--log-level=warn',
  ];
  return { url, child: server('etcd', command, args, folder, () => answers(`${url}/health`)) };
}

/**
 * kube-apiserver with RBAC on; it makes its own certificate, which clients can check. `audit` names
 * the users whose changes are written down.
 */
export async function kubeApiserver(
  command: string,
  folder: string,
  etcdUrl: string,
  users: readonly User[],
  audit: readonly string[] = [],
): Promise<KubeServer> {
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const ca = (): string => readFileSync(join(folder, 'certs', 'apiserver.crt'), 'utf8');
  const token = users[0]?.token ?? '';
  const api = openApi({ server: url, token, ca });
  const args = [
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${port}`,
    ...apiserverArgs(folder, users),
    ...auditArgs(folder, audit),
  ];
  const ready = async (): Promise<boolean> => {
    try {
      return (await api.call('GET', '/readyz')).status === 200;
    } catch {
      return false;
    }
  };
  return { url, ca, api, child: server('kube-apiserver', command, args, folder, ready) };
}

function apiserverArgs(folder: string, users: readonly User[]): string[] {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const secret = join(folder, 'service-account.key');
  const publicKey = join(folder, 'service-account.pub');
  writeFileSync(secret, keys.privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  writeFileSync(publicKey, keys.publicKey.export({ type: 'spki', format: 'pem' }));
  const tokens = join(folder, 'tokens.csv');
  const rows = users.map(({ name, token, groups }) => {
    return `${token},${name},${name},"${groups.join(',')}"\n`;
  });
  writeFileSync(tokens, rows.join(''), { mode: 0o600 });
  return [
    '--bind-address=127.0.0.1',
    `--cert-dir=${join(folder, 'certs')}`,
    // A /24 runs out at some 250 Services.
    '--service-cluster-ip-range=10.0.0.0/16',
    '--authorization-mode=RBAC',
    `--token-auth-file=${tokens}`,
    '--disable-admission-plugins=ServiceAccount',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${publicKey}`,
    `--service-account-signing-key-file=${secret}`,
    // A loopback address may not stand in the Endpoints of the `kubernetes` Service.
    '--endpoint-reconciler-type=none',
    '--profiling=false',
  ];
}

/** nats-server with JetStream. `config` is more text for its configuration file. */
export async function nats(command: string, folder: string, config = ''): Promise<Server> {
  const port = await freePort();
  const monitor = await freePort();
  const file = join(folder, 'nats.conf');
  const lines = [
    `listen: "127.0.0.1:${port}"`,
    `http: "127.0.0.1:${monitor}"`,
    'server_name: "test"',
    `jetstream { store_dir: "${join(folder, 'nats')}" }`,
    config,
  ];
  writeFileSync(file, lines.join('\n'));
  const ready = (): Promise<boolean> => answers(`http://127.0.0.1:${monitor}/healthz`);
  const child = server('nats-server', command, ['-c', file], folder, ready);
  return { url: `nats://127.0.0.1:${port}`, child };
}

function server(
  name: string,
  command: string,
  args: readonly string[],
  folder: string,
  ready: () => Promise<boolean>,
): Child {
  const logs = join(folder, 'log');
  mkdirSync(logs, { recursive: true });
  const logFile = join(logs, `${name}.log`);
  return newChild({ name, command, args, logFile, ready, readyWithinMs: 60_000 });
}
