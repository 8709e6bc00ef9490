/** Options and environment into how the log is reached and who asks. */
import type { Options } from '../edge/command.ts';
import type { LogOptions } from '../edge/nats/options.ts';
import { exit, Failure } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** Throws Failure 64 when an option or a variable cannot be read. */
export function logOptionsOf(options: Options, env: Terminal['env']): LogOptions {
  // A variable that is there but empty counts as absent, as for the rooms.
  const prefix = String(options['prefix'] || 'sluice');
  if (!/^[a-z0-9_-]{1,32}$/.test(prefix))
    throw new Failure(exit.usage, `--prefix ${prefix}: small letters, digits, _ and - are allowed`);
  const urls = String(options['server'] || 'nats://127.0.0.1:4222')
    .split(',')
    .map((text) => urlOf(text.trim()));
  const [first] = urls;
  const user = env['NATS_USER'] || decodeURIComponent(first?.username ?? '');
  const password = env['NATS_PASSWORD'] || decodeURIComponent(first?.password ?? '');
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    name: 'sluice-cli',
    prefix,
    ...(user !== '' && { user }),
    ...(password !== '' && { password }),
    ...(env['NATS_TOKEN'] && { token: env['NATS_TOKEN'] }),
    ...(env['NATS_CREDS'] && { credentials: env['NATS_CREDS'] }),
    ...(env['NATS_CA'] && { tls: tlsOf(env) }),
  };
}

function tlsOf(env: Terminal['env']): NonNullable<LogOptions['tls']> {
  const { NATS_CA: caFile, NATS_CERT: certFile, NATS_KEY: keyFile } = env;
  return {
    ...(caFile && { caFile }),
    ...(certFile && { certFile }),
    ...(keyFile && { keyFile }),
  };
}

function urlOf(text: string): URL {
  const url = URL.parse(text.includes('://') ? text : `nats://${text}`);
  if (url === null || !/^(nats|tls|ws|wss):$/.test(url.protocol) || url.hostname === '')
    throw new Failure(exit.usage, `--server ${text}: nats://HOST:PORT is needed`);
  if (url.port === '') url.port = '4222';
  return url;
}
