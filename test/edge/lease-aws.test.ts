/** Who lost the lease changes nothing in AWS, and may go on looking. */
import assert from 'node:assert/strict';
import { StaleWriter } from '../../core/door.ts';
import { openClock } from '../../edge/clock.ts';
import { type AwsCloud, openAwsCloud } from '../../edge/ec2/cloud.ts';
import { type Aws, openAws } from '../aws/open.ts';
import { type Topology, topology } from '../aws/topology.ts';

const REGION = 'eu-west-1';
const { signal } = new AbortController();

describe('aws-sync that may not write any more', function () {
  this.timeout(30_000);
  let aws: Aws;
  let cloud: AwsCloud;
  let made: Topology;
  let may = true;
  beforeEach(async () => {
    may = true;
    aws = await openAws({ manners: { pendingMs: 0, deletingMs: 0, invariants: [] } });
    made = topology(aws.world.region(REGION));
    const { endpoint, credentials } = aws.client;
    const connection = { endpoint, credentials, requestTimeout: 1_000 };
    const options = { clock: openClock(), random: () => 0, environment: true, connection };
    cloud = openAwsCloud({ ...options, mayWrite: () => may });
  });
  afterEach(async () => {
    cloud.close();
    await aws.close();
  });

  const create = () =>
    cloud.apply(
      REGION,
      {
        ...{ kind: 'create', endpoint: made.endpoints[0]?.id ?? '', owner: 'sluice/test' },
        ...{ address: made.nodes[0]?.address ?? '', asn: 4_200_000_001, liveness: 'bfd' },
      },
      signal,
    );

  it('sends no change, and ends the life that wanted it', async () => {
    may = false;
    await assert.rejects(create(), StaleWriter);
    assert.equal(aws.world.calls('CreateRouteServerPeer').length, 0);
    assert.ok('value' in (await cloud.list(REGION, signal)));
    may = true;
    assert.ok('value' in (await create()));
    assert.equal(aws.world.calls('CreateRouteServerPeer').length, 1);
  });

  it('does not delete after the look that comes before it', async () => {
    const answer = await create();
    const id = 'value' in answer ? (answer.value?.id ?? '') : '';
    // The look is let through, the call behind it is not.
    may = false;
    const change = { kind: 'delete', id, owner: 'sluice/test', made: true } as const;
    await assert.rejects(cloud.apply(REGION, change, signal), StaleWriter);
    assert.equal(aws.world.calls('DeleteRouteServerPeer').length, 0);
    assert.ok(aws.world.calls('DescribeRouteServerPeers').length > 0);
  });
});
