/** STS: who am I, and a role for a token of the cluster's identity provider. */
import { isObject, listOf, parseJson, property, textOf } from '../../../core/json.ts';
import type { Action, Ask } from '../ask.ts';
import { needed, text } from '../params.ts';
import { Refusal } from '../refusal.ts';
import type { Key, Role, World } from '../state.ts';
import { accountOf, newId } from '../world.ts';

/** Needs no permission, so it says nothing about rights in EC2. */
export const getCallerIdentity: Action = {
  service: 'sts',
  takes: [],
  mutates: false,
  run: ({ key }) => ({ Arn: key?.arn, UserId: key?.userId, Account: key?.account }),
};

export const assumeRoleWithWebIdentity: Action = {
  service: 'sts',
  takes: ['RoleArn', 'RoleSessionName', 'WebIdentityToken', 'DurationSeconds', 'Policy'],
  mutates: false,
  run: assume,
};

function assume({ world, params, nowMs }: Ask): ReturnType<Action['run']> {
  const arn = needed(params, 'RoleArn');
  const session = needed(params, 'RoleSessionName');
  const claims = claimsOf(needed(params, 'WebIdentityToken'), nowMs);
  const [, accountId = '', name = ''] = /^arn:aws[\w-]*:iam::(\d{12}):role\/(.+)$/.exec(arn) ?? [];
  if (name === '') throw new Refusal('ValidationError', `${arn} is invalid`);
  checkProvider(world, accountId, claims);
  const role = accountOf(world, accountId).roles.get(name);
  if (role === undefined || !trusts(role, claims))
    throw new Refusal(
      'AccessDenied',
      'Not authorized to perform sts:AssumeRoleWithWebIdentity',
      403,
    );
  const key = temporaryKey(world, accountId, name, session, nowMs + durationOf(world, params));
  return {
    Credentials: {
      AccessKeyId: key.id,
      SecretAccessKey: key.secret,
      SessionToken: key.sessionToken,
      Expiration: new Date(key.expiresMs).toISOString(),
    },
    SubjectFromWebIdentityToken: claims.subject,
    AssumedRoleUser: { AssumedRoleId: key.userId, Arn: key.arn },
    Provider: claims.issuer,
    Audience: claims.audiences[0],
  };
}

function durationOf(world: World, params: Ask['params']): number {
  const asked = text(params, 'DurationSeconds');
  return asked === '' ? world.manners.roleMs : Number(asked) * 1_000;
}

interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
}

/** What a token says; its signature is taken as good unless it reads `forged`. */
function claimsOf(token: string, nowMs: number): Claims {
  const [, payload = '', signature] = token.split('.');
  const claims = parseJson(Buffer.from(payload, 'base64url').toString());
  if (!isObject(claims) || signature === undefined)
    throw new Refusal('InvalidIdentityToken', 'The ID Token provided is not a valid JWT.');
  if (signature === 'forged')
    throw new Refusal('InvalidIdentityToken', 'Couldn\u2019t verify the signature of the token.');
  const expires = property(claims, 'exp');
  if (typeof expires === 'number' && expires * 1_000 <= nowMs)
    throw new Refusal('ExpiredTokenException', `Token expired: ${expires}`);
  const audience = property(claims, 'aud');
  return {
    issuer: textOf(property(claims, 'iss')),
    subject: textOf(property(claims, 'sub')),
    audiences: (Array.isArray(audience) ? listOf(audience) : [audience]).map(textOf),
  };
}

function checkProvider(world: World, accountId: string, { issuer, audiences }: Claims): void {
  const known = accountOf(world, accountId).providers.get(issuer);
  if (known === undefined)
    throw new Refusal(
      'InvalidIdentityToken',
      `No OpenIDConnect provider found in your account for ${issuer}`,
    );
  if (!audiences.some((audience) => known.includes(audience)))
    throw new Refusal('InvalidIdentityToken', 'Incorrect token audience');
}

const trusts = (role: Role, { issuer, subject, audiences }: Claims): boolean =>
  role.issuer === issuer &&
  role.subjects.includes(subject) &&
  (role.audiences.length === 0 || audiences.some((one) => role.audiences.includes(one)));

function temporaryKey(
  world: World,
  account: string,
  role: string,
  session: string,
  expiresMs: number,
): Key {
  const id = newId(world, 'ASIA').replace('-', '').toUpperCase();
  const key: Key = {
    id,
    secret: newId(world, 'secret'),
    sessionToken: newId(world, 'session'),
    account,
    arn: `arn:aws:sts::${account}:assumed-role/${role}/${session}`,
    userId: `${newId(world, 'AROA').replace('-', '').toUpperCase()}:${session}`,
    expiresMs,
  };
  world.keys.set(id, key);
  return key;
}
