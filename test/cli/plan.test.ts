/** `sluice plan`: what operators read before they touch a node, and the exit code for scripts. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plan, type PlanAsk } from '../../cli/plan.ts';
import type { Node } from '../../core/fact.ts';
import { egressIP, node, probe, Scene, seen, synced, where } from './scene.ts';
import { logOf, screenAt } from './stage.ts';

const ZONE = 'topology.kubernetes.io/zone';
const tier = (of: string, zone = 'eu-1a') => ({ tier: of, [ZONE]: zone });

/** Two production nodes in two zones, one staging node; each has an address. */
function scene(): Scene {
  return new Scene().see(
    synced('grpc'),
    seen(node('worker-2', 2, tier('production'))),
    seen(node('worker-3', 3, tier('production', 'eu-1b'))),
    seen(node('worker-5', 5, tier('staging', 'eu-1b'))),
    ...['worker-2', 'worker-3', 'worker-5'].map((name) => probe(name, true)),
    egressIP('prod-api', ['203.0.113.100'], where({ tier: 'production' })),
    egressIP('prod-web', ['203.0.113.101'], where({ tier: 'production' })),
    egressIP('staging', ['203.0.113.102'], where({ tier: 'staging' })),
  );
}

const nothing = { lose: [], label: [], unlabel: [], delete: [], files: [] } as const;

async function run(
  { heard, nowMs }: Scene,
  more: Partial<PlanAsk>,
): Promise<{ code: number; text: string }> {
  const screen = screenAt(nowMs);
  const settings = { excluded: undefined };
  const ask: PlanAsk = { ...nothing, output: 'table', settings, ...more };
  return { code: await plan(logOf(heard), ask, screen), text: screen.text() };
}

/** With a file that has this text. */
async function withFile<T>(text: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'plan-'));
  const file = join(folder, 'file.yaml');
  await writeFile(file, text);
  try {
    return await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const egressIPYaml = (name: string, address: string, of: string): string => `
apiVersion: k8s.ovn.org/v1
kind: EgressIP
metadata: { name: ${name} }
spec:
  egressIPs: [${address}]
  namespaceSelector: {}
  egressNodeSelector: { matchLabels: { tier: ${of} } }
`;

describe('sluice plan', () => {
  it('shows what moves and who would have no node when a zone is lost, and fails', async () => {
    const { code, text } = await run(scene(), { lose: ['zone/eu-1b'] });
    assert.equal(
      text,
      `1 address moves, 1 has no node, 2 status writes.
ADDRESS        EGRESSIP  FROM      TO        BECAUSE
203.0.113.101  prod-web  worker-3  worker-2  worker-3 is gone
203.0.113.102  staging   worker-5  –         no node matches tier=staging
`,
    );
    assert.equal(code, 2);
  });

  it('succeeds when everybody has a place to go', async () => {
    const { code, text } = await run(scene(), { lose: ['node/worker-3'] });
    assert.match(text, /^1 address moves, 1 status write\.\n/);
    assert.equal(code, 0);
  });

  it('says that nothing happens where nothing happens', async () => {
    const { code, text } = await run(scene(), { label: ['node/worker-2', 'colour=blue'] });
    assert.deepEqual([code, text], [0, 'Nothing moves, 0 status writes.\n']);
  });

  it('adds up several losses', async () => {
    const { code, text } = await run(scene(), { lose: ['node/worker-2', 'node/worker-3'] });
    assert.match(text, /^Nothing moves, 2 have no node, 2 status writes\./);
    assert.equal(code, 2);
  });

  it('tells what a label would bring, and the lack of one', async () => {
    const taken = await run(scene(), { unlabel: ['node/worker-5', 'tier'] });
    assert.match(
      taken.text,
      /203\.0\.113\.102 +staging +worker-5 +– +no node matches tier=staging/,
    );
    assert.equal(taken.code, 2);
    const label = ['node/worker-2', 'tier=staging', 'note=a=b', 'node/worker-5', 'tier=x'];
    const moved = await run(scene(), { label });
    assert.match(
      moved.text,
      /203\.0\.113\.102 +staging +worker-5 +worker-2 +worker-5 does not match/,
    );
    assert.equal(moved.code, 0);
  });

  it('takes a node that is not probed yet to answer its probe', async () => {
    const { code, text } = await run(scene().see(seen(node('worker-9', 9))), {
      label: ['node/worker-9', 'tier=staging'],
      lose: ['node/worker-5'],
    });
    assert.match(text, /staging +worker-5 +worker-9 +worker-5 is gone/);
    assert.equal(code, 0);
  });

  it('applies a file: new addresses that find no node are no loss, and no failure', async () => {
    const text = [
      egressIPYaml('new', '203.0.113.110', 'production'),
      egressIPYaml('lost', '203.0.113.111', 'lab'),
    ].join('---');
    const ran = await withFile(text, (file) => run(scene(), { files: [file] }));
    assert.match(ran.text, /^Nothing moves, 1 gets a node, 1 has no node, 1 status write\./);
    assert.match(ran.text, /^203\.0\.113\.110 +new +– +worker-2 +–$/m);
    assert.match(ran.text, /^203\.0\.113\.111 +lost +– +– +no node matches tier=lab$/m);
    assert.equal(ran.code, 0);
  });

  it('applies a file to what is there: a changed selector moves the address', async () => {
    const text = egressIPYaml('prod-web', '203.0.113.101', 'staging');
    const ran = await withFile(text, (file) => run(scene(), { files: [file] }));
    assert.match(ran.text, /prod-web +worker-3 +worker-5 +worker-3 does not match tier=staging/);
  });

  it('keeps what a file does not say of a node', async () => {
    const text =
      'apiVersion: v1\nkind: Node\nmetadata: { name: worker-5, labels: { tier: lab } }\n';
    const ran = await withFile(text, (file) => run(scene(), { files: [file] }));
    assert.match(ran.text, /staging +worker-5 +– +no node matches tier=staging/);
    const ready = 'kind: Node\nmetadata: { name: worker-5 }\nstatus: { conditions: [] }\n';
    const ill = await withFile(ready, (file) => run(scene(), { files: [file] }));
    assert.match(ill.text, /worker-5 is not ready$/m);
  });

  it('deletes EgressIPs: their addresses are released, which is no loss', async () => {
    const { code, text } = await run(scene(), { delete: ['egressip/staging'] });
    assert.match(text, /^Nothing moves, 1 is released, 0 status writes\./);
    assert.match(text, /203\.0\.113\.102 +staging +worker-5 +– +the EgressIP is gone/);
    assert.equal(code, 0);
  });

  it('counts the room of nodes on a cloud', async () => {
    const cloud = (name: string, last: number, ipv4: number): Node => {
      const one = node(name, last, tier('production'));
      const config = [{ ifaddr: { ipv4: '203.0.113.0/24' }, capacity: { ipv4 } }];
      const key = 'cloud.network.openshift.io/egress-ipconfig';
      return { ...one, annotations: { ...one.annotations, [key]: JSON.stringify(config) } };
    };
    const addresses = ['203.0.113.100', '203.0.113.101', '203.0.113.102'];
    const tight = new Scene().see(
      synced(),
      { kind: 'PlatformSeen', platform: 'AWS', infrastructureName: '' },
      seen(cloud('worker-1', 1, 2)),
      seen(cloud('worker-2', 2, 2)),
      ...addresses.map((one, at) => egressIP(`e-${at}`, [one], where({ tier: 'production' }))),
    );
    const { code, text } = await run(tight, { lose: ['node/worker-1'] });
    assert.match(text, /^1 address moves, 1 has no node, 3 status writes\./);
    assert.match(text, /e-2 +worker-1 +– +1 node matches .* are full$/m);
    assert.equal(code, 2);
  });

  it('writes the same for machines', async () => {
    const { text } = await run(scene(), { lose: ['zone/eu-1b'], output: 'json' });
    const read = JSON.parse(text) as Record<string, unknown>;
    const { addresses, ...head } = read;
    assert.deepEqual(head, { safe: false, moves: 1, homeless: 1, statusWrites: 2, undecided: 0 });
    assert.deepEqual((addresses as unknown[])[0], {
      address: '203.0.113.101',
      egressIP: 'prod-web',
      from: 'worker-3',
      to: 'worker-2',
      what: 'moves',
      because: 'worker-3 is gone',
    });
  });

  it('says when the assigner is behind, and begins after it', async () => {
    const behind = scene().seeUndecided(
      seen(node('worker-3', 3, tier('production'), { ready: false })),
    );
    const { text } = await run(behind, { lose: ['node/worker-3'] });
    assert.match(text, /^The assigner has 1 decision yet to say; the plan begins there\.$/m);
    assert.match(text, /^Nothing moves, 0 status writes\./);
  });

  const wrong: readonly (readonly [what: string, ask: Partial<PlanAsk>, message: RegExp])[] = [
    ['nothing', {}, /what would change\?/],
    [
      'an unknown node',
      { lose: ['node/worker-33'] },
      /no node "worker-33"\. Did you mean "worker-3"/,
    ],
    ['an unknown zone', { lose: ['zone/eu-1c'] }, /no zone "eu-1c"/],
    ['an unknown EgressIP', { delete: ['egressip/stagin'] }, /Did you mean "staging"/],
    ['no kind', { lose: ['worker-3'] }, /node\/NAME or zone\/NAME is the form/],
    ['a pod', { delete: ['pod/x'] }, /egressip\/NAME, node\/NAME, .* is the form/],
    ['a label of nobody', { label: ['tier=x'] }, /begin with the node/],
    ['a node without labels', { label: ['node/worker-2'] }, /which label\?/],
    ['a label without value', { label: ['node/worker-2', 'tier'] }, /KEY=VALUE is the form/],
    ['a label that is not there', { unlabel: ['node/worker-2', 'x'] }, /has no label "x"/],
    ['no such file', { files: ['/nowhere.yaml'] }, /cannot read \/nowhere\.yaml/],
  ];
  for (const [what, ask, message] of wrong)
    it(`asks back when it is given ${what}`, async () => {
      await assert.rejects(run(scene(), ask), { exitCode: 64, message });
    });

  it('names the place in a file that it cannot understand', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['kind: Pod\nmetadata: { name: x }\n', /yaml:1:1: "Pod" plays no part/],
      ['kind: Node\n', /yaml:1:1: the object needs a metadata.name/],
      ['kind: [\n', /yaml:\d+:\d+: /],
      [
        'kind: EgressIP\nmetadata: { name: x }\n',
        /yaml:1:1: EgressIP x is invalid: spec: Required/,
      ],
      ['kind: List\nitems:\n- kind: Node\n', /yaml:3:3: the object needs/],
    ];
    for (const [text, message] of cases)
      await withFile(text, (file) =>
        assert.rejects(run(scene(), { files: [file] }), { exitCode: 64, message }),
      );
  });

  it('does not say that all is fine of a cluster that was not seen whole', async () => {
    const half = new Scene().see(seen(node('worker-1', 1)));
    const asked = run(half, { lose: ['node/worker-1'] });
    await assert.rejects(asked, { exitCode: 69, message: /first complete picture/ });
  });
});
