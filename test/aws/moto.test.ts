/** The calls that moto implements too: both emulators must tell an SDK the same. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTagsCommand,
  DescribeInstancesCommand,
  DescribeNetworkInterfacesCommand,
  DescribeSubnetsCommand,
  EC2Client,
  ModifyNetworkInterfaceAttributeCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  AssumeRoleWithWebIdentityCommand,
  GetCallerIdentityCommand,
  STSClient,
} from '@aws-sdk/client-sts';
import { isObject } from '../../core/json.ts';
import { installMoto, type Moto, motoIsThere, startMoto } from './moto.ts';
import { openStage, type Stage } from './stage.ts';
import type { Machine } from './machine.ts';

const asked = process.env['MOTO'] === '1';
const unknown = '0123456789abcdef0';

/** Where both stand: the same subnet and instances, known by the same ids. */
interface Pair {
  readonly stage: Stage;
  readonly moto: Moto;
  readonly motoEc2: EC2Client;
  readonly motoSts: STSClient;
  readonly subnet: string;
  readonly machines: readonly Machine[];
  /** Our interface id to moto's. */
  readonly enis: ReadonlyMap<string, string>;
}

async function openPair(logs: string): Promise<Pair> {
  const moto = await startMoto(logs);
  const stage = await openStage();
  const config = { ...stage.aws.client, endpoint: moto.url, maxAttempts: 1 };
  const motoEc2 = new EC2Client(config);
  const motoSts = new STSClient(config);
  const { Subnets } = await motoEc2.send(new DescribeSubnetsCommand({}));
  const [subnet] = Subnets ?? [];
  const image = { ImageId: 'ami-12c6146b', MinCount: 1, MaxCount: 1 };
  const run = new RunInstancesCommand({ ...image, SubnetId: subnet?.SubnetId });
  // One at a time: each has a reservation of its own then, as the machines of a cluster have.
  const started = [await motoEc2.send(run), await motoEc2.send(run)];
  const Instances = started.flatMap((answer) => answer.Instances ?? []);
  const made = stage.region.subnet({
    id: subnet?.SubnetId ?? '',
    vpcId: subnet?.VpcId ?? '',
    cidr: subnet?.CidrBlock ?? '',
    zone: subnet?.AvailabilityZone ?? '',
    zoneId: subnet?.AvailabilityZoneId ?? '',
  });
  const enis = new Map<string, string>();
  const machines = Instances.map(({ InstanceId = '', PrivateIpAddress, NetworkInterfaces }) => {
    const address = PrivateIpAddress === undefined ? {} : { address: PrivateIpAddress };
    const machine = stage.region.instance({ subnet: made.id, id: InstanceId, ...address });
    enis.set(machine.eni, NetworkInterfaces?.[0]?.NetworkInterfaceId ?? '');
    return machine;
  });
  return { stage, moto, motoEc2, motoSts, subnet: made.id, machines, enis };
}

/** Fields whose values are each emulator's own. */
const own = /^(\$metadata|AttachmentId|LaunchTime|ReservationId|OwnerId|NetworkInterfaceId)$/;
const ownToo = /^(AvailableIpAddressCount|Tenancy|UserId|Arn|Expiration|GroupSet|Groups)$/;

/** What of `theirs` stands in `ours` too, in an order of ids: we tell less, never otherwise. */
function shared(ours: unknown, theirs: unknown): unknown {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const [a, b] = [sorted(ours), sorted(theirs)];
    return b.map((item, index) => shared(a[index], item));
  }
  if (!isObject(ours) || !isObject(theirs)) return theirs;
  const names = Object.keys(ours).filter((name) => !own.test(name) && !ownToo.test(name));
  return Object.fromEntries(names.map((name) => [name, shared(ours[name], theirs[name])]));
}

const sorted = (items: readonly unknown[]): unknown[] => {
  const keyOf = (item: unknown): string => /"i-[^"]*"/.exec(JSON.stringify(item))?.[0] ?? '';
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};

type Send = (client: EC2Client, pair: Pair, eni: (id: string) => string) => Promise<unknown>;

const instances: Send = (client, { machines }) =>
  client.send(new DescribeInstancesCommand({ InstanceIds: machines.map(({ id }) => id) }));
const filtered =
  (Name: string, ...Values: string[]): Send =>
  (client, { machines: [first], subnet }) => {
    const values = Values.map((value) =>
      value.replace('ID', first?.id ?? '').replace('SUBNET', subnet),
    );
    return client.send(new DescribeInstancesCommand({ Filters: [{ Name, Values: values }] }));
  };
const tag =
  (Key: string, id?: string): Send =>
  (client, { machines: [first] }) =>
    client.send(
      new CreateTagsCommand({ Resources: [id ?? first?.id ?? ''], Tags: [{ Key, Value: 'x' }] }),
    );
const check =
  (Value: boolean, id?: string): Send =>
  (client, { machines: [first] }, eni) => {
    const NetworkInterfaceId = id ?? eni(first?.eni ?? '');
    const change = { NetworkInterfaceId, SourceDestCheck: { Value } };
    return client.send(new ModifyNetworkInterfaceAttributeCommand(change));
  };
const interfaces: Send = (client, { machines: [first] }, eni) => {
  const ids = [eni(first?.eni ?? '')];
  return client.send(new DescribeNetworkInterfacesCommand({ NetworkInterfaceIds: ids }));
};
/** In moto the instance does not follow its interface; EC2 tells the primary one's value. */
const openedOnInstance: Send = async (client, pair, eni) => {
  await check(false)(client, pair, eni);
  return instances(client, pair, eni);
};
const byId =
  (...InstanceIds: string[]): Send =>
  (client) =>
    client.send(new DescribeInstancesCommand({ InstanceIds }));
const subnets =
  (id: string): Send =>
  (client, { subnet }) =>
    client.send(new DescribeSubnetsCommand({ SubnetIds: [id.replace('SUBNET', subnet)] }));

/** One after the other, on both. */
const agreed: readonly (readonly [string, Send])[] = [
  ['instances by id', instances],
  ['instances by filter, unknown values among them', filtered('instance-id', 'ID', 'i-gone')],
  ['no instance for a filter', filtered('instance-id', 'i-gone')],
  ['instances of a subnet', filtered('subnet-id', 'SUBNET')],
  ['instances that run', filtered('instance-state-name', 'running')],
  ['an unknown instance', byId(`i-${unknown}`)],
  ['a subnet', subnets('SUBNET')],
  ['an unknown subnet', subnets(`subnet-${unknown}`)],
  ['a tag', tag('team')],
  ['the tag on the instance', filtered('tag:team', 'x')],
  ['the tag by key', filtered('tag-key', 'te?m')],
  ['the check opened', check(false)],
  ['the check as its interface tells it then', interfaces],
  ['the check opened again', check(false)],
  ['the check closed', check(true)],
  ['the check as all tell it at last', instances],
  ['the check of an unknown interface', check(false, `eni-${unknown}`)],
];

/** Where moto is not like EC2; when it becomes so, its line goes to the list above. */
const differing: readonly (readonly [string, Send])[] = [
  ['unknown filters', filtered('colour', 'red')],
  ['the bounds of MaxResults', (c) => c.send(new DescribeInstancesCommand({ MaxResults: 4 }))],
  ['malformed ids', byId('ip-10-0-1-4')],
  ['CreateTags on unknown ids', tag('a', `i-${unknown}`)],
  ['CreateTags with keys of AWS', tag('aws:a')],
  ['the check of an instance', openedOnInstance],
];

async function answerTo(send: Send, client: EC2Client, pair: Pair, ours: boolean) {
  const eni = (id: string): string => (ours ? id : (pair.enis.get(id) ?? ''));
  try {
    return { answer: await send(client, pair, eni), refused: '' };
  } catch (error) {
    const { Code, $metadata } = error as {
      Code?: string;
      $metadata?: { httpStatusCode?: number };
    };
    return { answer: undefined, refused: `${Code} ${$metadata?.httpStatusCode}` };
  }
}

describe('EC2 emulator: beside moto', function () {
  this.timeout(600_000);
  if (!asked && !motoIsThere()) return void it('moto is not installed (MOTO=1 installs it)');
  let logs = '';
  let pair: Pair;
  before(async () => {
    logs = mkdtempSync(join(tmpdir(), 'sluice-moto-'));
    await installMoto();
    pair = await openPair(logs);
  });
  after(async () => {
    pair?.motoEc2.destroy();
    pair?.motoSts.destroy();
    await pair?.moto.child.stop();
    await pair?.stage.close();
    rmSync(logs, { recursive: true });
  });

  for (const [name, send] of agreed) {
    it(`both tell the same: ${name}`, async () => {
      const ours = await answerTo(send, pair.stage.ec2, pair, true);
      const theirs = await answerTo(send, pair.motoEc2, pair, false);
      assert.equal(ours.refused, theirs.refused);
      assert.deepEqual(shared(ours.answer, ours.answer), shared(ours.answer, theirs.answer));
    });
  }

  for (const [name, send] of differing) {
    it(`they are known to differ: ${name}`, async () => {
      const ours = await answerTo(send, pair.stage.ec2, pair, true);
      const theirs = await answerTo(send, pair.motoEc2, pair, false);
      assert.notDeepEqual(
        [ours.refused, shared(ours.answer, ours.answer)],
        [theirs.refused, shared(ours.answer, theirs.answer)],
      );
    });
  }

  it('they are known to differ: terminated instances', async () => {
    const [, second] = pair.machines;
    const ask = new DescribeInstancesCommand({ InstanceIds: [second?.id ?? ''] });
    pair.stage.region.setInstance(second?.id ?? '', { state: 'terminated' });
    const terminate = { InstanceIds: [second?.id ?? ''] };
    await pair.motoEc2.send(new TerminateInstancesCommand(terminate));
    const interfaces = async (client: EC2Client) => {
      const { Reservations } = await client.send(ask);
      return Reservations?.[0]?.Instances?.[0]?.NetworkInterfaces?.length;
    };
    assert.equal(await interfaces(pair.stage.ec2), 0);
    assert.notEqual(await interfaces(pair.motoEc2), 0);
  });

  it('both tell the same: who calls, and a role for a token', async () => {
    const { stage, motoSts } = pair;
    const RoleArn = stage.aws.world.role();
    const WebIdentityToken = stage.aws.world.token();
    const ask = new AssumeRoleWithWebIdentityCommand({
      RoleArn,
      RoleSessionName: 'sluice',
      WebIdentityToken,
    });
    const role = async (client: STSClient) => {
      const { AssumedRoleUser, Credentials } = await client.send(ask);
      const { AccessKeyId = '', SessionToken, Expiration } = Credentials ?? {};
      const given = [SessionToken, Expiration].map((value) => value !== undefined);
      return [AssumedRoleUser?.Arn, AccessKeyId.slice(0, 4), ...given];
    };
    assert.deepEqual(await role(stage.sts), await role(motoSts));
    const me = async (client: STSClient) =>
      (await client.send(new GetCallerIdentityCommand({}))).Account;
    assert.deepEqual(await me(stage.sts), await me(motoSts));
  });
});
