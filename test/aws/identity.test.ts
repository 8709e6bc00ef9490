/** Who calls: keys, roles for the tokens of a cluster, permissions, and what each refusal says. */
import assert from 'node:assert/strict';
import {
  CreateRouteServerPeerCommand,
  DeleteRouteServerPeerCommand,
  DescribeRouteServersCommand,
} from '@aws-sdk/client-ec2';
import {
  AssumeRoleWithWebIdentityCommand,
  GetCallerIdentityCommand,
  STSClient,
} from '@aws-sdk/client-sts';
import { ACCOUNT } from './principals.ts';
import { openStage, refusalOf, type Stage } from './stage.ts';
import { topology } from './topology.ts';

describe('STS emulator', () => {
  let stage: Stage;
  beforeEach(async () => void (stage = await openStage()));
  afterEach(() => stage.close());

  const assume = (token: string, RoleArn: string) =>
    stage.sts.send(
      new AssumeRoleWithWebIdentityCommand({
        RoleArn,
        RoleSessionName: 'sluice',
        WebIdentityToken: token,
      }),
    );
  const describeWith = (credentials: unknown) =>
    stage.ec2With({ credentials }).send(new DescribeRouteServersCommand({}));

  it('tells who calls', async () => {
    const me = await stage.sts.send(new GetCallerIdentityCommand({}));
    assert.deepEqual([me.Account, me.Arn], [ACCOUNT, `arn:aws:iam::${ACCOUNT}:user/tester`]);
  });

  it('gives a role for a token of the cluster, for an hour', async () => {
    const { aws, clock } = stage;
    const { Credentials: c } = await assume(aws.world.token(), aws.world.role());
    assert.equal(c?.Expiration?.getTime(), clock.nowMs() + 3_600_000);
    const credentials = {
      accessKeyId: c?.AccessKeyId ?? '',
      secretAccessKey: c?.SecretAccessKey ?? '',
      sessionToken: c?.SessionToken ?? '',
    };
    await describeWith(credentials);
    const sts = new STSClient({ ...aws.client, credentials, maxAttempts: 1 });
    const me = await sts.send(new GetCallerIdentityCommand({}));
    assert.equal(me.Arn, `arn:aws:sts::${ACCOUNT}:assumed-role/sluice/sluice`);
    const { sessionToken: _, ...bare } = credentials;
    assert.equal((await refusalOf(describeWith(bare))).code, 'AuthFailure');
    aws.world.expireKeys();
    const past = await refusalOf(describeWith(credentials));
    assert.deepEqual([past.code, past.status], ['RequestExpired', 400]);
    const late = await refusalOf(sts.send(new GetCallerIdentityCommand({})));
    assert.deepEqual([late.code, late.status], ['ExpiredToken', 403]);
    sts.destroy();
  });

  it('says what is wrong with a token', async () => {
    const { world } = stage.aws;
    const role = world.role();
    const pastMs = stage.clock.nowMs() - 1;
    const codeOf = async (token: string, arn = role) => (await refusalOf(assume(token, arn))).code;
    assert.equal(await codeOf('nonsense'), 'InvalidIdentityToken');
    assert.equal(await codeOf(world.token({ forged: true })), 'InvalidIdentityToken');
    assert.equal(await codeOf(world.token({ issuer: 'https://x' })), 'InvalidIdentityToken');
    assert.equal(await codeOf(world.token({ expiresMs: pastMs })), 'ExpiredTokenException');
    assert.equal(await codeOf(world.token({ subject: 'somebody' })), 'AccessDenied');
    assert.equal(await codeOf(world.token(), `${role}-other`), 'AccessDenied');
    assert.equal(await codeOf(world.token(), 'arn:nonsense'), 'ValidationError');
    const audience = await refusalOf(assume(world.token({ audience: 'x' }), role));
    assert.deepEqual([audience.message, audience.status], ['Incorrect token audience', 400]);
  });

  it('gives the role as soon as its trust policy is mended', async () => {
    const { world } = stage.aws;
    const role = world.role({ subjects: ['system:serviceaccount:sluice:typo'] });
    assert.equal((await refusalOf(assume(world.token(), role))).status, 403);
    world.role();
    assert.ok((await assume(world.token(), role)).Credentials);
  });

  it('its errors keep the code that the SDK renames', async () => {
    const failed = await assume('x', stage.aws.world.role()).catch((error: unknown) => error);
    const { name, Code } = failed as { name: string; Code: string };
    assert.deepEqual([name, Code], ['InvalidIdentityTokenException', 'InvalidIdentityToken']);
  });
});

describe('EC2 emulator: permissions', () => {
  let stage: Stage;
  beforeEach(async () => void (stage = await openStage()));
  afterEach(() => stage.close());
  const peer = { PeerAddress: '10.0.1.10', BgpOptions: { PeerAsn: 65_001 } };

  it('an unknown key is refused by each service in its own words', async () => {
    const credentials = { accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' };
    const ec2 = stage.ec2With({ credentials });
    const refused = await refusalOf(ec2.send(new DescribeRouteServersCommand({})));
    assert.deepEqual([refused.code, refused.status], ['AuthFailure', 401]);
    const sts = new STSClient({ ...stage.aws.client, credentials, maxAttempts: 1 });
    const unknown = await refusalOf(sts.send(new GetCallerIdentityCommand({})));
    assert.deepEqual([unknown.code, unknown.status], ['InvalidClientTokenId', 403]);
    sts.destroy();
  });

  it('a refusal names the action, and holds what must not be shown', async () => {
    const { endpoints } = topology(stage.region);
    const { world } = stage.aws;
    const create = () => {
      const ask = { RouteServerEndpointId: endpoints[0]?.id ?? '', ...peer };
      return stage.ec2.send(new CreateRouteServerPeerCommand(ask));
    };
    world.deny('AuthorizeSecurityGroupIngress');
    const refused = await refusalOf(create());
    assert.deepEqual([refused.code, refused.status], ['UnauthorizedOperation', 403]);
    assert.match(refused.message, /not authorized to perform: ec2:AuthorizeSecurityGroupIngress /);
    assert.match(refused.message, new RegExp(`${ACCOUNT}.*failure message: [\\w-]{100,}$`));
    assert.deepEqual(stage.region.peers, []);
    world.allow('AuthorizeSecurityGroupIngress');
    await create();
    world.deny('ec2:DeleteRouteServerPeer');
    const remove = new DeleteRouteServerPeerCommand({ RouteServerPeerId: 'rsp-x', DryRun: true });
    assert.equal((await refusalOf(stage.ec2.send(remove))).code, 'UnauthorizedOperation');
  });

  it('a region without the service asks for a subscription', async () => {
    stage.region.state.disabled = true;
    const refused = await refusalOf(stage.ec2.send(new DescribeRouteServersCommand({})));
    assert.equal(refused.code, 'OptInRequired');
  });
});
