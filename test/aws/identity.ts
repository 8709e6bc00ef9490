/** Who calls, and what IAM lets them do. */
import { expired } from './fault.ts';
import { Refusal } from './refusal.ts';
import type { Account, Key, World } from './state.ts';

/** What the Authorization header of a signed call says. */
export interface Signed {
  readonly keyId: string;
  readonly region: string;
  readonly service: string;
}

const scope = /Credential=([^/,\s]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/;

export function signedBy(authorization: string): Signed | undefined {
  const [, keyId, region, service] = scope.exec(authorization) ?? [];
  if (keyId === undefined || region === undefined || service === undefined) return undefined;
  return { keyId, region, service };
}

/** The key of a call; throws as EC2 or STS does when it is none, not valid or past its time. */
export function authenticate(
  world: World,
  service: string,
  keyId: string,
  sessionToken: string,
  nowMs: number,
): Key {
  const key = world.keys.get(keyId);
  if (key === undefined || key.sessionToken !== sessionToken) throw notValid(service);
  if (key.expiresMs <= nowMs) throw expired(service);
  return key;
}

const notValid = (service: string): Refusal =>
  service === 'sts'
    ? new Refusal(
        'InvalidClientTokenId',
        'The security token included in the request is invalid.',
        403,
      )
    : new Refusal(
        'AuthFailure',
        'AWS was not able to validate the provided access credentials',
        401,
      );

/**
 * The permissions that a call needs: its own, and those of what it does besides. The service edits
 * the security group of the endpoint's interface for each peer (facts S4).
 */
export function permissionsOf(action: string, tagsGiven: boolean): string[] {
  const own = `ec2:${action}`;
  if (action === 'CreateRouteServerPeer') {
    const group = 'ec2:AuthorizeSecurityGroupIngress';
    return tagsGiven ? [own, group, 'ec2:CreateTags'] : [own, group];
  }
  if (action === 'DeleteRouteServerPeer') return [own, 'ec2:RevokeSecurityGroupIngress'];
  return [own];
}

/** Throws UnauthorizedOperation as EC2 words it, account id and encoded blob included. */
export function authorize(account: Account, key: Key, needed: readonly string[]): void {
  const lacking = needed.find((action) => account.denied.has(action));
  if (lacking === undefined) return;
  const blob = Buffer.from(`${account.id} ${key.arn} ${lacking}`.repeat(6)).toString('base64url');
  throw new Refusal(
    'UnauthorizedOperation',
    'You are not authorized to perform this operation. ' +
      `User: ${key.arn} is not authorized to perform: ${lacking} ` +
      `on resource: arn:aws:ec2:*:${account.id}:* ` +
      `because no identity-based policy allows the ${lacking} action. ` +
      `Encoded authorization failure message: ${blob}`,
    403,
  );
}
