/** Each alert fires on the metrics of its trouble and on no others, and has a runbook section. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyYaml } from '../../edge/yaml.ts';
import { repository } from '../controlplane/go-module.ts';
import { removeFolder, temporaryFolder } from '../controlplane/leftovers.ts';
import { toolAtHand } from '../controlplane/tools.ts';
import { type Helm, helm3, run } from './helm.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Series {
  readonly series: string;
  /** As promtool reads it: `0+1x60` = 0, 1, 2 … */
  readonly values: string;
}

const rooms = ['watcher', 'assigner', 'publisher', 'bgp', 'aws-sync'] as const;
type Room = (typeof rooms)[number];

const of = (room: Room, metric: string, values: string, labels = ''): Series => ({
  series: `${metric}{namespace="sluice",job="sluice-${room}"${labels && `,${labels}`}}`,
  values,
});

/** A house that is well, for two hours. */
const well: readonly Series[] = [
  ...rooms.flatMap((room) => [
    of(room, 'up', '1x120'),
    of(room, 'process_start_time_seconds', '1000x120'),
    of(room, 'sluice_log_connected', '1x120'),
    of(room, 'sluice_caught_up', '1x120'),
    of(room, 'sluice_log_unreadable_events', '0x120'),
    of(room, 'nodejs_eventloop_lag_p99_seconds', '0.012x120'),
  ]),
  of('publisher', 'sluice_log_rollbacks_total', '2x120'),
  of('watcher', 'sluice_prober_isolated', '0x120'),
  of('watcher', 'sluice_unreachable_nodes', '0x120'),
  of('assigner', 'sluice_headroom_homeless_addresses', '0x120', 'lost="node",selector="a=b"'),
  of('publisher', 'sluice_unassigned_addresses', '0x120', 'reason="NoMatch"'),
  of('publisher', 'sluice_writes_total', '0+10x120', 'result="done"'),
  of('publisher', 'sluice_writes_total', '0x120', 'result="failed"'),
  of('publisher', 'sluice_writes_total', '0x120', 'result="refused"'),
  of('publisher', 'sluice_write_seconds_bucket', '0+10x120', 'le="0.05"'),
  of('publisher', 'sluice_write_seconds_bucket', '0+10x120', 'le="5"'),
  of('publisher', 'sluice_write_seconds_bucket', '0+10x120', 'le="+Inf"'),
  of('publisher', 'sluice_foreign_writes_total', '0x120'),
  of('publisher', 'sluice_shadow_differences', '0x120'),
  of('bgp', 'sluice_bgp_sessions_wanted', '4x120', 'zone="a"'),
  of('bgp', 'sluice_bgp_sessions_established', '4x120', 'zone="a"'),
  of('bgp', 'sluice_bgp_routings', '2x120', 'phase="Ready"'),
  of('bgp', 'sluice_bgp_routings', '0x120', 'phase="Degraded"'),
  of('aws-sync', 'sluice_aws_peers_wanted', '6x120'),
  of('aws-sync', 'sluice_aws_peers', '6x120', 'state="available"'),
  of('aws-sync', 'sluice_aws_peers', '0x120', 'state="failed"'),
  of('aws-sync', 'sluice_aws_calls_total', '0+9x120', 'action="DescribeSubnets",code=""'),
  of('aws-sync', 'sluice_aws_source_dest_check_reverts_total', '0x120'),
];

/** What is different when the alert's trouble is there. */
const troubles: Readonly<Record<string, readonly Series[]>> = {
  SluiceRoomDown: [of('bgp', 'up', '0x120')],
  SluiceRoomRestarts: [of('assigner', 'process_start_time_seconds', '1000+300x120')],
  SluiceLogUnreachable: [of('watcher', 'sluice_log_connected', '0x120')],
  SluiceNotCaughtUp: [of('publisher', 'sluice_caught_up', '0x120')],
  SluiceLogUnreadable: [of('publisher', 'sluice_log_unreadable_events', '3x120')],
  SluiceLogRolledBack: [of('publisher', 'sluice_log_rollbacks_total', '2x60 3x60')],
  SluiceEventLoopBlocked: [of('assigner', 'nodejs_eventloop_lag_p99_seconds', '0.5x120')],
  SluiceProberIsolated: [of('watcher', 'sluice_prober_isolated', '1x120')],
  SluiceNodesUnreachable: [of('watcher', 'sluice_unreachable_nodes', '2x120')],
  SluiceAddressesUnassigned: [
    of('publisher', 'sluice_unassigned_addresses', '4x120', 'reason="NoMatch"'),
  ],
  SluiceNoHeadroom: [
    of('assigner', 'sluice_headroom_homeless_addresses', '1x120', 'lost="node",selector="a=b"'),
  ],
  SluiceWritesFail: [of('publisher', 'sluice_writes_total', '0+10x120', 'result="failed"')],
  SluiceWritesRefused: [of('publisher', 'sluice_writes_total', '0+1x120', 'result="refused"')],
  SluiceWritesSlow: [of('publisher', 'sluice_write_seconds_bucket', '0+5x120', 'le="0.05"')],
  SluiceForeignWriter: [of('publisher', 'sluice_foreign_writes_total', '0+1x120')],
  SluiceShadowDiffers: [of('publisher', 'sluice_shadow_differences', '7x120')],
  SluiceZoneWithoutSession: [of('bgp', 'sluice_bgp_sessions_established', '0x120', 'zone="a"')],
  SluiceSessionsMissing: [of('bgp', 'sluice_bgp_sessions_established', '3x120', 'zone="a"')],
  SluiceRoutingDegraded: [of('bgp', 'sluice_bgp_routings', '1x120', 'phase="Degraded"')],
  SluicePeersMissing: [of('aws-sync', 'sluice_aws_peers', '5x120', 'state="available"')],
  SluiceAwsCallsFail: [
    of('aws-sync', 'sluice_aws_calls_total', '0+1x120', 'action="CreateTags",code="Unauthorized"'),
  ],
  SluiceChecksTurnedBack: [of('aws-sync', 'sluice_aws_source_dest_check_reverts_total', '0+1x120')],
};

/** The healthy house, but for these series. */
function houseWith(trouble: readonly Series[]): readonly Series[] {
  const changed = new Set(trouble.map(({ series }) => series));
  return [...well.filter(({ series }) => !changed.has(series)), ...trouble];
}

/** At minute 90 these alerts fire, and no others. */
function firing(trouble: readonly Series[], names: readonly string[]): object {
  return {
    interval: '1m',
    input_series: houseWith(trouble),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '90m',
        exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      },
    ],
  };
}

describe('the alerts', function () {
  this.timeout(60_000);
  let folder = '';
  let helm: Helm;
  let rules: readonly Rule[] = [];
  const promtool = toolAtHand('promtool');

  before(async () => {
    folder = temporaryFolder();
    helm = await helm3();
    const rendered = await helm.objects({ 'prometheusRule.enabled': true });
    const { spec } = rendered.one('PrometheusRule', 'sluice');
    rules = spec.groups[0].rules;
    writeFileSync(join(folder, 'rules.yaml'), stringifyYaml(spec));
  });

  after(() => removeFolder(folder));

  it('have each a trouble in this test', () => {
    assert.deepEqual(rules.map(({ alert }) => alert).sort(), Object.keys(troubles).sort());
  });

  it('have each a link to a section of docs/operating.md, and a severity', () => {
    const text = readFileSync(join(repository, 'docs', 'operating.md'), 'utf8');
    const sections = [...text.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name.toLowerCase());
    for (const { alert, labels, annotations } of rules) {
      const [, anchor = ''] = annotations.runbook_url.split('#');
      assert.ok(sections.includes(anchor), `docs/operating.md has no section ${alert}`);
      assert.match(labels.severity, /^(critical|warning|info)$/);
      assert.ok(annotations.summary.length > 10);
    }
  });

  it('can be switched off one by one', async () => {
    const values = {
      'prometheusRule.enabled': true,
      'prometheusRule.disabled': ['SluiceRoomDown'],
    };
    const { spec } = (await helm.objects(values)).one('PrometheusRule', 'sluice');
    const left = spec.groups[0].rules.map(({ alert }: Rule) => alert);
    assert.equal(left.length, rules.length - 1);
    assert.ok(!left.includes('SluiceRoomDown'));
  });

  it('fire on their trouble, and are silent in a house that is well', async function () {
    if (promtool === undefined) {
      console.log('    promtool is not built (`make tools`): the alerts were not played');
      return this.skip();
    }
    const tests = [
      firing([], []),
      ...Object.entries(troubles).map(([name, trouble]) => firing(trouble, [name])),
    ];
    const file = join(folder, 'tests.yaml');
    const text = { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests };
    writeFileSync(file, stringifyYaml(text));
    const { status, out, err } = await run(promtool, ['test', 'rules', file]);
    assert.equal(status, 0, `${out}${err}`);
  });
});
