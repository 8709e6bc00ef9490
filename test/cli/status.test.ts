/** `sluice status`: what operators read, letter by letter. */
import assert from 'node:assert/strict';
import { type StatusAsk, status } from '../../cli/status.ts';
import { egressIP, node, probe, Scene, seen, synced, where } from './scene.ts';
import { logOf, screenAt } from './stage.ts';

const production = { tier: 'production' };
const staging = { tier: 'staging' };

/** One address is written, one has no node: the only staging node is not ready. */
function scene(): Scene {
  return new Scene()
    .see(
      synced('grpc'),
      seen(node('worker-1', 1, production)),
      probe('worker-1', true),
      seen(node('worker-5', 5, staging)),
      probe('worker-5', true),
      egressIP('prod-web', ['203.0.113.100'], where(production)),
      egressIP('staging', ['203.0.113.200'], where(staging)),
    )
    .wait(60_000)
    .see(
      egressIP('prod-web', ['203.0.113.100'], where(production), [
        { egressIP: '203.0.113.100', node: 'worker-1' },
      ]),
      seen(node('worker-5', 5, staging, { ready: false })),
      { kind: 'ReachabilityForgotten', name: 'worker-5' },
    )
    .say(
      'publisher',
      {
        kind: 'EgressIPPublished',
        name: 'prod-web',
        uid: 'uid-prod-web',
        told: 1,
        items: [{ egressIP: '203.0.113.100', node: 'worker-1' }],
        wrote: 'status',
        failure: '',
        shadow: false,
        foreign: '',
      },
      'wrote status',
    )
    .wait(11_996);
}

async function run(
  { heard, nowMs }: Scene,
  more: Partial<StatusAsk> = {},
): Promise<{ code: number; text: string }> {
  const screen = screenAt(nowMs);
  const ask: StatusAsk = {
    output: 'table',
    watch: false,
    headers: true,
    settings: { excluded: undefined },
    place: 'nats://n:4222/sluice',
    ...more,
  };
  const code = await status(logOf(heard), ask, screen);
  return { code, text: screen.text() };
}

describe('sluice status', () => {
  it('shows the rooms and one row for each address, and fails when one has no node', async () => {
    const { code, text } = await run(scene());
    assert.equal(
      text,
      `CLUSTER  nats://n:4222/sluice  14 events, all rooms caught up  probes grpc

ROOM       STATE  SAID  LAST  BEHIND
watcher    ready  10    12s   –
assigner   ready  3     11s   0
publisher  ready  1     11s   0

EGRESSIP  SELECTOR         ADDRESS        NODE      SINCE  STATE
prod-web  tier=production  203.0.113.100  worker-1  72s    Placed
staging   tier=staging     203.0.113.200  –         11s    NoAvailableNode (1 not ready)
HEADROOM  any one node lost: 1 address would have no node (prod-web 203.0.113.100 if worker-1 goes)
`,
    );
    assert.equal(code, 1);
  });

  it('says so when the prober doubts itself', async () => {
    const because = '4 of 5 probed nodes fell silent together';
    const doubting = scene().see({ kind: 'ProberSeen', isolated: true, because });
    const { text } = await run(doubting);
    assert.ok(text.split('\n').includes(`PROBER  isolated, holds: ${because}`), text);
    const calm = doubting.see({ kind: 'ProberSeen', isolated: false, because: '5 of 5 answer' });
    assert.ok(!(await run(calm)).text.includes('PROBER'));
  });

  it('succeeds when every address has a node', async () => {
    const fine = scene().see(seen(node('worker-5', 5, staging)), probe('worker-5', true));
    assert.equal((await run(fine)).code, 0);
  });

  it('adds mark, previous node and the reason in wide', async () => {
    const { text } = await run(scene(), { output: 'wide' });
    const [heads, web, other] = text.trimEnd().split('\n').slice(-4);
    assert.match(heads ?? '', /STATE +MARK +PREVIOUS +REASON$/);
    assert.match(web ?? '', /Placed +50000 +–$/);
    assert.match(
      other ?? '',
      /50001 +worker-5 +1 node matches tier=staging: worker-5 is not ready$/,
    );
  });

  it('prints only rows for scripts', async () => {
    const { text } = await run(scene(), { headers: false });
    assert.deepEqual(
      text.split('\n').map((line) => line.split(/ {2,}/)[3] ?? ''),
      ['worker-1', '–', ''],
    );
  });

  it('says that the cluster does not have it yet, and why', async () => {
    const failing = scene().say(
      'publisher',
      {
        kind: 'EgressIPPublished',
        name: 'staging',
        uid: 'uid-staging',
        told: 0,
        items: [],
        wrote: '',
        failure: 'forbidden',
        shadow: false,
        foreign: '',
      },
      'cannot write',
    );
    failing.see(seen(node('worker-5', 5, staging)), probe('worker-5', true));
    const { text } = await run(failing, { output: 'wide' });
    assert.match(text, /^publisher +failing +2 +\w+ +1$/m);
    assert.match(text, /staging .* worker-5 .*Placed \(status not written\).*: forbidden$/m);
    assert.match(text, /publisher is failing/);
  });

  it('counts what the assigner has yet to decide', async () => {
    const asleep = scene().seeUndecided(
      seen(node('worker-5', 5, staging)),
      probe('worker-5', true),
    );
    const { text } = await run(asleep);
    assert.match(text, /^assigner +behind +3 +\w+ +1$/m);
  });

  it('is the same as JSON and YAML, with times as RFC 3339 writes them', async () => {
    const { text } = await run(scene(), { output: 'json' });
    const report = JSON.parse(text) as { fine: boolean; egressIPs: object[] };
    assert.equal(report.fine, false);
    assert.deepEqual(report.egressIPs[0], {
      name: 'prod-web',
      selector: 'tier=production',
      mark: 50_000,
      addresses: [
        {
          address: '203.0.113.100',
          node: 'worker-1',
          previous: '',
          state: 'Placed',
          reason: '',
          written: true,
          since: '2026-11-30T10:14:00.004Z',
        },
      ],
    });
    assert.match(
      (await run(scene(), { output: 'yaml' })).text,
      /^ {4}addresses:\n {6}- address: /m,
    );
  });

  it('shows a text that is no address, and an EgressIP that asks for none', async () => {
    const odd = new Scene().see(
      synced(),
      egressIP('bad', ['10.0.0.300'], undefined),
      egressIP('empty', [], undefined),
    );
    const { code, text } = await run(odd, { headers: false });
    assert.match(
      text,
      /^bad +k8s\.ovn\.org\/egress-assignable +10\.0\.0\.300 +– +0s +InvalidAddress$/m,
    );
    assert.match(text, /^empty +k8s\.ovn\.org\/egress-assignable +– +– +– +NoAddress$/m);
    assert.equal(code, 1);
  });

  it('says that there is none in an empty cluster', async () => {
    const { code, text } = await run(new Scene().see(synced()));
    assert.match(text, /\n\nThere is no EgressIP\.\n$/);
    assert.match(text, /all rooms caught up/);
    assert.match(text, /^assigner +silent/m);
    assert.equal(code, 0);
  });

  it('watches: shows the report again when something changes, until Ctrl-C', async () => {
    const before = scene();
    const after = scene().see(seen(node('worker-5', 5, staging)), probe('worker-5', true));
    const news = after.heard.slice(before.heard.length);
    const stop = new AbortController();
    const changed = Promise.withResolvers<void>();
    async function* later() {
      yield* news;
      await changed.promise;
      stop.abort();
    }
    const written: string[] = [];
    const out = (text: string): void => {
      written.push(text);
      if (written.length === 2) changed.resolve();
    };
    const screen = screenAt(before.nowMs, { out, signal: stop.signal });
    const ask = { output: 'table', watch: true, headers: false, place: '' } as const;
    const settings = { excluded: undefined };
    const code = await status(logOf(before.heard, later()), { ...ask, settings }, screen);
    assert.equal(written.length, 2);
    assert.match(written[0] ?? '', /staging .* –/);
    assert.match(written[1] ?? '', /staging .* worker-5/);
    assert.equal(code, 0);
  });
});
