/** Accounts in the hands of a test: keys, roles and tokens, and what IAM refuses. */
import type { Key, Role, World } from './state.ts';
import { accountOf, newId } from './world.ts';

export const ACCOUNT = '123456789012';

/** What a token of the cluster's identity provider says; `exp` in milliseconds. */
export interface TokenClaims {
  readonly issuer?: string;
  readonly subject?: string;
  readonly audience?: string | readonly string[];
  readonly expiresMs?: number;
  readonly forged?: boolean;
}

export interface RoleSetup extends Partial<Role> {
  readonly account?: string;
  /** Audiences of the identity provider, which the account must list. */
  readonly provider?: readonly string[];
}

const ISSUER = 'https://oidc.example.org/cluster';
const SUBJECT = 'system:serviceaccount:sluice:sluice-aws-sync';
const AUDIENCE = 'openshift';

const hourMs = 3_600_000;

export class Principals {
  readonly state: World;
  readonly nowMs: () => number;

  constructor(state: World, nowMs: () => number) {
    this.state = state;
    this.nowMs = nowMs;
  }

  /** A key of a user of the account; `expiresMs` is a point in time. */
  key(account = ACCOUNT, given: Partial<Key> = {}): Key {
    accountOf(this.state, account);
    const id = given.id ?? newId(this.state, 'AKIA').replace('-', '').toUpperCase();
    const key: Key = {
      id,
      secret: newId(this.state, 'secret'),
      sessionToken: '',
      account,
      arn: `arn:aws:iam::${account}:user/tester`,
      userId: 'AIDATESTER',
      expiresMs: Infinity,
      ...given,
    };
    this.state.keys.set(id, key);
    return key;
  }

  /** Every temporary key of the account is past its time from now on. */
  expireKeys(account = ACCOUNT): void {
    for (const key of this.state.keys.values()) {
      if (key.account === account && key.sessionToken !== '')
        this.state.keys.set(key.id, { ...key, expiresMs: this.nowMs() });
    }
  }

  /** A role that trusts the cluster's identity provider; its ARN. Again = another trust policy. */
  role(setup: RoleSetup = {}): string {
    const { account = ACCOUNT, provider = [AUDIENCE], ...given } = setup;
    const base = { name: 'sluice', issuer: ISSUER, subjects: [SUBJECT], audiences: [AUDIENCE] };
    const role: Role = { ...base, ...given };
    const { roles, providers } = accountOf(this.state, account);
    roles.set(role.name, role);
    providers.set(role.issuer, provider);
    return `arn:aws:iam::${account}:role/${role.name}`;
  }

  /** A web identity token, for a file or AssumeRoleWithWebIdentity. */
  token(claims: TokenClaims = {}): string {
    const { issuer = ISSUER, subject = SUBJECT, audience = AUDIENCE } = claims;
    const expiresMs = claims.expiresMs ?? this.nowMs() + hourMs;
    const part = (value: unknown): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const payload = { iss: issuer, sub: subject, aud: audience, exp: expiresMs / 1000 };
    const signature = claims.forged === true ? 'forged' : 'signed';
    return `${part({ alg: 'none' })}.${part(payload)}.${signature}`;
  }

  /** IAM refuses an action: `CreateRouteServerPeer`, `ec2:AuthorizeSecurityGroupIngress`. */
  deny(action: string, account = ACCOUNT): void {
    accountOf(this.state, account).denied.add(qualified(action));
  }

  allow(action: string, account = ACCOUNT): void {
    accountOf(this.state, account).denied.delete(qualified(action));
  }
}

const qualified = (action: string): string => (action.includes(':') ? action : `ec2:${action}`);
