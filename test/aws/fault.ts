/** Faults that a test orders: which call they hit, and what becomes of it. */
import type { Params } from './params.ts';
import { Refusal, throttled } from './refusal.ts';

export interface Fault {
  /** `DescribeRouteServerPeers`, or `*`. */
  readonly action: string;
  readonly kind: FaultKind;
  /** Parameters that the call must have, such as `{ NextToken: '*' }` for a further page. */
  readonly when?: Readonly<Record<string, string>>;
  /** Calls of one account or region only. */
  readonly account?: string;
  readonly region?: string;
  /** How many calls pass before the first that is hit; 0 at first. */
  skip?: number;
  /** How many calls are hit; 1 when nothing is said, Infinity until it is taken out. */
  times?: number;
  /** For `error`. */
  readonly code?: string;
  readonly message?: string;
  readonly status?: number;
  /** For `slow`: how long the reply takes, in milliseconds. */
  readonly ms?: number;
}

export type FaultKind =
  /** Refused without effect. */
  | 'throttle'
  | 'unavailable'
  | 'internal'
  | 'expired'
  | 'error'
  /** The connection is cut before anything happened; or no reply ever comes. */
  | 'cut'
  | 'hang'
  /** It took effect, and the client is told 500; or hears nothing and is cut; or waits for ever. */
  | 'fail-after-apply'
  | 'lost-reply'
  | 'hang-after-apply'
  | 'slow';

interface Hit {
  readonly account: string;
  readonly region: string;
  readonly action: string;
  readonly params: Params;
}

/** The first fault that hits the call; it is counted, and taken out when it is spent. */
export function faultFor(faults: Fault[], call: Hit): Fault | undefined {
  const fault = faults.find((one) => hits(one, call));
  if (fault === undefined) return undefined;
  if ((fault.skip ?? 0) > 0) {
    fault.skip = (fault.skip ?? 0) - 1;
    return undefined;
  }
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}

function hits(fault: Fault, call: Hit): boolean {
  if (fault.action !== '*' && fault.action !== call.action) return false;
  if ((fault.account ?? call.account) !== call.account) return false;
  if ((fault.region ?? call.region) !== call.region) return false;
  return Object.entries(fault.when ?? {}).every(([name, value]) => {
    const given = call.params.get(name);
    return value === '*' ? given !== undefined : given === value;
  });
}

/** What the call is refused with before anything happens; undefined: it goes on. */
export function refusalOf(fault: Fault | undefined, service: string): Refusal | undefined {
  switch (fault?.kind) {
    case 'throttle':
      return service === 'sts' ? new Refusal('Throttling', 'Rate exceeded') : throttled();
    case 'unavailable':
      return new Refusal(
        'Unavailable',
        'The server is overloaded and cannot handle the call.',
        503,
      );
    case 'internal':
      return new Refusal('InternalError', 'An internal error has occurred', 500);
    case 'expired':
      return expired(service);
    case 'error':
      return new Refusal(
        fault.code ?? 'InternalError',
        fault.message ?? 'Ordered by a test',
        fault.status ?? 400,
      );
    default:
      return undefined;
  }
}

/** Temporary credentials past their time: EC2 and STS have different words for it. */
export const expired = (service: string): Refusal =>
  service === 'sts'
    ? new Refusal('ExpiredToken', 'The security token included in the request is expired', 403)
    : new Refusal('RequestExpired', 'Request has expired.');
