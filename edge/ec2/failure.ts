/** What an error of the SDK means, and what of it may be told. */
import type { Failure, Trouble } from '../../core/cloud-door.ts';
import { property, textOf } from '../../core/json.ts';

/** Codes of EC2 and STS (facts 1.2); `Invalid….NotFound` and the like are found by their form. */
const troubles: Readonly<Record<string, Trouble>> = {
  UnauthorizedOperation: 'permission',
  AuthFailure: 'identity',
  InvalidClientTokenId: 'identity',
  ExpiredToken: 'identity',
  ExpiredTokenException: 'identity',
  RequestExpired: 'identity',
  SignatureDoesNotMatch: 'identity',
  InvalidIdentityToken: 'identity',
  InvalidIdentityTokenException: 'identity',
  IDPRejectedClaim: 'identity',
  IDPRejectedClaimException: 'identity',
  AccessDenied: 'identity',
  AccessDeniedException: 'identity',
  UnrecognizedClientException: 'identity',
  TokenProviderError: 'identity',
  Blocked: 'identity',
  IDPCommunicationError: 'network',
  IDPCommunicationErrorException: 'network',
  RequestLimitExceeded: 'throttled',
  Throttling: 'throttled',
  ThrottlingException: 'throttled',
  ThrottledException: 'throttled',
  EC2ThrottledException: 'throttled',
  TooManyRequestsException: 'throttled',
  SlowDown: 'throttled',
  OptInRequired: 'configuration',
  UnsupportedOperation: 'configuration',
  RegionDisabledException: 'configuration',
  RegionDisabled: 'configuration',
  InvalidAction: 'configuration',
  IncorrectState: 'state',
  TimeoutError: 'network',
  AbortError: 'network',
};

/** Errors of sockets and names; a name that is not found may be a region that does not exist. */
const network = /^(E(CONN\w+|PIPE|HOST\w+|NET\w+|TIMEDOUT|AI_AGAIN|PROTO)|ENOTFOUND|UND_ERR\w*)$/;

/** The class of an error, by its code and the status of the answer. */
export function troubleOf(code: string, status: number): Trouble {
  const known = Object.hasOwn(troubles, code) ? troubles[code] : undefined;
  if (known !== undefined) return known;
  if (network.test(code)) return 'network';
  if (code.endsWith('.NotFound') || code === 'InvalidID') return 'gone';
  if (/AlreadyExists|Duplicate/.test(code)) return 'exists';
  if (code.endsWith('LimitExceeded')) return 'quota';
  if (status >= 500) return 'server';
  // An answer that is no answer: cut off, or not what the parser expects.
  return status === 0 || status === 200 ? 'network' : 'refused';
}

/** A failure from whatever the SDK threw. `action` is the call's name without the service. */
export function failureOf(error: unknown, action: string, environment: boolean): Failure {
  const code = codeOf(error);
  const status = Number(property(property(error, '$metadata'), 'httpStatusCode') ?? 0);
  const message = textOf((error as { message?: unknown } | null)?.message);
  const service = action === 'GetCallerIdentity' ? 'sts' : 'ec2';
  const call = `${service}:${action}`;
  if (code === 'CredentialsProviderError')
    return {
      trouble: environment ? 'identity' : 'environment',
      ...{ action: call, code, message: redact(message) },
    };
  const trouble = troubleOf(code, status);
  return {
    trouble,
    action: trouble === 'permission' ? (missing(message) ?? call) : call,
    code,
    message: redact(message),
  };
}

function codeOf(error: unknown): string {
  const of = error as { Code?: unknown; code?: unknown; name?: unknown } | null;
  return textOf(of?.Code) || textOf(of?.code) || textOf(of?.name) || 'Unknown';
}

/** The action that EC2's message names: not always that of the call (facts S4). */
const missing = (message: string): string | undefined =>
  /perform: ([a-z0-9-]+:[A-Za-z]+)/.exec(message)?.[1];

const encoded = /\s*Encoded authorization failure message:\s*\S+/g;
const uuid = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/** Account ids, encoded messages and request ids are for no status, event or log (facts B85). */
export const redact = (text: string): string =>
  text
    .replaceAll(encoded, '')
    .replaceAll(/\s*\(?Request ?ID:? ?[\w-]+\)?/gi, '')
    .replaceAll(uuid, '…')
    .replaceAll(/\b\d{12}\b/g, '…')
    .replaceAll(/\b(AKIA|ASIA)[A-Z0-9]{12,}\b/g, '…')
    .trim();
