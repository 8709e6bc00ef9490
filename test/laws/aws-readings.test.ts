/** The numbers of aws-sync are those that the chart's alerts and dashboard ask for. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readings } from '../../services/aws-sync/readings.ts';
import { awsSync } from '../../services/aws-sync/room.ts';

const file = (name: string): string =>
  readFileSync(new URL(`../../helm/sluice/files/${name}`, import.meta.url), 'utf8');

describe('the numbers of aws-sync', () => {
  it('are there under the names that alerts and dashboard ask for', () => {
    const world = awsSync().fresh();
    const call = { action: 'DescribeSubnets', code: '' };
    world.tally.calls.set('DescribeSubnets ', { ...call, count: 1 });
    const names = new Set([...readings(world)].map(({ name }) => `sluice_${name}`));
    const asked = (file('alerts.yaml') + file('dashboard.json')).match(/\bsluice_aws_[a-z_]+/g);
    assert.ok((asked ?? []).length > 6);
    assert.deepEqual(
      (asked ?? []).filter((name) => !names.has(name)),
      [],
    );
  });

  it('tell of every state of peers, also where there is none: an alert subtracts them', () => {
    const peers = [...readings(awsSync().fresh())].filter(({ name }) => name === 'aws_peers');
    assert.deepEqual(
      peers.map(({ labels, value }) => [labels?.['state'], value]),
      [
        ['pending', 0],
        ['available', 0],
        ['deleting', 0],
        ['failing', 0],
        ['failed', 0],
      ],
    );
  });
});
