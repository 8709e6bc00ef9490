/**
 * The emulator's HTTP shell: Query form in, XML out; cuts, hangs and slow replies are made here.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../core/door.ts';
import { admin } from './admin.ts';
import type { AwsWorld } from './control.ts';
import { signedBy } from './identity.ts';
import { paramsOf, text } from './params.ts';
import type { Call } from './perform.ts';
import { type Answer, step } from './step.ts';
import { ec2Failure, ec2Success, stsFailure, stsSuccess } from './xml.ts';

export interface HttpServer {
  /** `http://127.0.0.1:41234`: the endpoint of EC2 and STS, of all accounts and regions. */
  readonly url: string;
  /** Cuts every connection and refuses new ones. */
  close(): Promise<void>;
}

/** Serves on the loopback address; `port` 0 = any that is free. */
export async function serveAws(aws: AwsWorld, clock: Clock, port: number): Promise<HttpServer> {
  const ending = new AbortController();
  const server = createServer((request, response) => {
    serve(aws, clock, ending.signal, request, response).catch((error: unknown) => {
      // A fault of the emulator itself must not look like one that was ordered.
      response.writeHead(599).end(String(error instanceof Error ? error.stack : error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: opened } = server.address() as AddressInfo;
  const close = (): Promise<void> => {
    ending.abort();
    return closed(server);
  };
  return { url: `http://127.0.0.1:${opened}`, close };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(
  aws: AwsWorld,
  clock: Clock,
  signal: AbortSignal,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  const path = request.url ?? '/';
  if (path !== '/') {
    const { status, json } = admin(aws, request.method ?? 'GET', path, body);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify(json, undefined, 2)}\n`);
    return;
  }
  const answer = step(aws.state, callOf(request, body), clock.nowMs());
  if (answer.afterMs > 0) await clock.sleep(answer.afterMs, signal);
  if (answer.delivery === 'hang') return;
  if (answer.delivery === 'cut') return void request.socket.destroy();
  response.writeHead(answer.status, { 'content-type': 'text/xml;charset=UTF-8' });
  response.end(xmlOf(answer));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The scope of the signature says region and service; only a web identity call is unsigned. */
function callOf(request: IncomingMessage, body: string): Call {
  const params = paramsOf(body);
  const signed = signedBy(request.headers.authorization ?? '');
  const host = /^(ec2|sts)\.([\w-]+)\.amazonaws\.com/.exec(request.headers.host ?? '');
  const unsigned = text(params, 'Version') === '2011-06-15' ? 'sts' : 'ec2';
  const attempt = /attempt=(\d+)/.exec(String(request.headers['amz-sdk-request'] ?? ''))?.[1];
  return {
    service: (signed?.service ?? host?.[1] ?? unsigned) === 'sts' ? 'sts' : 'ec2',
    region: signed?.region ?? host?.[2] ?? '',
    keyId: signed?.keyId ?? '',
    sessionToken: String(request.headers['x-amz-security-token'] ?? ''),
    params,
    userAgent: request.headers['user-agent'] ?? '',
    attempt: Number(attempt ?? 1),
  };
}

function xmlOf({ service, action, requestId, status, code, message, body }: Answer): string {
  if (service === 'sts')
    return code === ''
      ? stsSuccess(action, requestId, body)
      : stsFailure(requestId, status, code, message);
  return code === '' ? ec2Success(action, requestId, body) : ec2Failure(requestId, code, message);
}
