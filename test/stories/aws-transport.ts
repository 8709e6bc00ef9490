/** Serves the SDK's own requests from the emulator without a socket: virtual time is enough. */
import { Readable } from 'node:stream';
import type { Clock } from '../../core/door.ts';
import type { AwsWorld } from '../aws/control.ts';
import { signedBy } from '../aws/identity.ts';
import { paramsOf } from '../aws/params.ts';
import { type Answer, step } from '../aws/step.ts';
import { ec2Failure, ec2Success, stsFailure, stsSuccess } from '../aws/xml.ts';

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** How the shell of the emulator behaves in a test. */
export interface Network {
  /** How long a call takes on the way, in milliseconds. */
  latencyMs: number;
  /** Nothing gets through. */
  isCut: boolean;
  /** Called before and after each call takes effect; what it throws is what the SDK sees. */
  onCall: (moment: 'before' | 'after', action: string) => void;
}

/** How long a client waits for an answer that never comes. */
const TIMEOUT_MS = 20_000;

/** The parts of the SDK's `RequestHandler` that clients use. */
export function transportOf(aws: AwsWorld, clock: Clock, network: Network) {
  const never = new AbortController().signal;
  const handle = async (request: Request) => {
    const { headers, body } = request;
    const params = paramsOf(String(body));
    const action = params.get('Action') ?? '';
    if (network.latencyMs > 0) await clock.sleep(network.latencyMs, never);
    network.onCall('before', action);
    if (network.isCut) throw socketError('ECONNREFUSED');
    const signed = signedBy(headers['authorization'] ?? '');
    const call = {
      service: signed?.service === 'sts' ? ('sts' as const) : ('ec2' as const),
      region: signed?.region ?? '',
      keyId: signed?.keyId ?? '',
      sessionToken: headers['x-amz-security-token'] ?? '',
      params,
      userAgent: '',
      attempt: 1,
    };
    const answer = step(aws.state, call, clock.nowMs());
    network.onCall('after', action);
    if (answer.afterMs > 0) await clock.sleep(answer.afterMs, never);
    if (answer.delivery === 'cut') throw socketError('ECONNRESET');
    if (answer.delivery === 'hang') {
      await clock.sleep(TIMEOUT_MS, never);
      throw Object.assign(new Error('timed out'), { name: 'TimeoutError' });
    }
    return { response: responseOf(answer) };
  };
  const metadata = { handlerProtocol: 'http/1.1' };
  const rest = { updateHttpClientConfig: () => {}, httpHandlerConfigs: () => ({}) };
  return { metadata, handle, destroy: () => {}, ...rest };
}

const socketError = (code: string): Error =>
  Object.assign(new Error(`the connection failed: ${code}`), { code });

function responseOf({ service, action, requestId, status, code, message, body }: Answer) {
  const xml =
    service === 'sts'
      ? code === ''
        ? stsSuccess(action, requestId, body)
        : stsFailure(requestId, status, code, message)
      : code === ''
        ? ec2Success(action, requestId, body)
        : ec2Failure(requestId, code, message);
  const headers = { 'content-type': 'text/xml;charset=UTF-8' };
  return { statusCode: status, headers, body: Readable.from([Buffer.from(xml)]) };
}
