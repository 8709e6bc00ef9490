/** `sluice why`: what operators read, letter by letter. */
import assert from 'node:assert/strict';
import type { Drained } from '../../core/drained.ts';
import type { Fact } from '../../core/fact.ts';
import { type WhyAsk, why } from '../../cli/why.ts';
import { egressIP, node, probe, Scene, seen, synced, where } from './scene.ts';
import { logOf, screenAt } from './stage.ts';

const production = { tier: 'production' };
const IP = '203.0.113.100';

/** The address of web was on worker-1, then on worker-3, and has no node now. */
function scene(): Scene {
  return new Scene()
    .see(
      synced('grpc'),
      seen(node('worker-1', 1, production)),
      probe('worker-1', true),
      seen(node('worker-2', 2, production, { ready: false })),
      egressIP('prod-web', [IP], where(production)),
    )
    .see(seen(node('worker-3', 3, production)), probe('worker-3', true))
    .wait(2_000)
    .see(seen(node('worker-1', 1)))
    .wait(18_000)
    .see(probe('worker-3', false, '3 probes lost'))
    .wait(11_996);
}

async function run(
  { heard, nowMs }: Scene,
  target: string,
  more: Partial<WhyAsk> = {},
): Promise<{ code: number; text: string }> {
  const screen = screenAt(nowMs);
  const settings = { excluded: undefined };
  const ask: WhyAsk = { target, address: undefined, output: 'text', all: false, settings, ...more };
  const code = await why(logOf(heard), ask, screen);
  return { code, text: screen.text() };
}

describe('sluice why', () => {
  it('explains an address without a node: nodes, what would help, what led to it', async () => {
    const { code, text } = await run(scene(), 'egressip/prod-web', { address: IP });
    assert.equal(
      text,
      `203.0.113.100 of prod-web has no node since 10:14:20 (11s): 2 nodes match tier=production: \
worker-2 is not ready, worker-3 is unreachable.

NODE      SELECTOR  READY     REACHABLE  NETWORK         SIBLINGS  VERDICT
worker-1  no        yes       yes        203.0.113.0/24  –         does not match tier=production
worker-2  yes       no (32s)  –          203.0.113.0/24  –         not ready
worker-3  yes       yes       no (12s)   203.0.113.0/24  –         unreachable (3 probes lost)

It would be placed if: worker-2 becomes ready and answers its probe; \
or worker-3 answers its probe; \
or worker-1 gets tier=production.

Because of:
  assigner 3   10:14:20.016  egressip/prod-web  203.0.113.100 has no node: \
2 nodes match tier=production: worker-2 is not ready, worker-3 is unreachable
  ← watcher 9  10:14:20.012  probe/worker-3     3 probes lost
  assigner 2   10:14:02.012  egressip/prod-web  203.0.113.100 moves worker-1 → worker-3: \
worker-1 does not match tier=production
  ← watcher 8  10:14:02.008  node/worker-1      ready
  assigner 1   10:14:00.004  egressip/prod-web  203.0.113.100 placed on worker-1
  ← watcher 5  10:14:00.000  egressip/prod-web  seen
`,
    );
    assert.equal(code, 1);
  });

  it('follows a cause that was overtaken by later facts into the history', async () => {
    const later = scene().see(probe('worker-3', false, 'port 9107 silent for 4 probes'));
    const { text } = await run(later, 'prod-web');
    assert.match(text, /← watcher 9 .* probe\/worker-3 +3 probes lost$/m);
  });

  it('says where an address is, since when, and where it was before', async () => {
    const moved = new Scene()
      .see(synced(), seen(node('worker-1', 1, production)))
      .see(egressIP('web', [IP], where(production)), seen(node('worker-2', 2, production)))
      .wait(60_000)
      .see(seen(node('worker-1', 1, production, { ready: false })));
    const { code, text } = await run(moved, 'web');
    assert.match(
      text,
      /^203\.0\.113\.100 of web is on worker-2 since 10:15:00 \(0s\), before on worker-1\.$/m,
    );
    assert.match(text, /^worker-2 +yes +yes +yes +203\.0\.113\.0\/24 +– +hosts it$/m);
    assert.doesNotMatch(text, /It would be placed/);
    assert.equal(code, 0);
  });

  it('says that a node is drained, and by what', async () => {
    const drained = (name: string, last: number, why: Drained): Fact =>
      seen(node(name, last, production, { drained: why }));
    const left = new Scene()
      .see(synced(), seen(node('worker-1', 1, production)))
      .see(egressIP('web', [IP], where(production)), seen(node('worker-2', 2, production)))
      .see(drained('worker-3', 3, 'taint maintenance'))
      .see(drained('worker-1', 1, 'cordon'));
    const { code, text } = await run(left, 'web');
    assert.match(text, /is on worker-2 since .*, before on worker-1\.$/m);
    assert.match(text, /^worker-1 .* drained: cordoned$/m);
    assert.match(text, /^worker-2 .* hosts it$/m);
    assert.match(text, /^worker-3 .* drained: taint maintenance$/m);
    assert.match(text, /worker-1 is drained: cordoned$/m, 'the decision says so, too');
    assert.equal(code, 0);
  });

  it('says that an address stays on a drained node, as no other can take it', async () => {
    const annotations = { ...node('worker-1', 1).annotations, 'sluice.dev/drain': 'true' };
    const alone = new Scene()
      .see(synced(), seen(node('worker-1', 1, production)), seen(node('worker-2', 2)))
      .see(egressIP('web', [IP], where(production)))
      .see(seen(node('worker-1', 1, production, { annotations })));
    const { text } = await run(alone, 'web');
    assert.match(text, /^worker-1 .* hosts it, but drained: annotated$/m);
    const { text: json } = await run(alone, 'web', { output: 'json' });
    const [first] = JSON.parse(json) as { nodes: { node: string; drained: string }[] }[];
    assert.deepEqual(
      first?.nodes.map(({ node: name, drained }) => [name, drained]),
      [
        ['worker-1', 'annotation'],
        ['worker-2', ''],
      ],
    );
  });

  it('answers for all addresses of an EgressIP, and for an address alone', async () => {
    const two = new Scene().see(
      synced(),
      seen(node('worker-1', 1, production)),
      egressIP('web', [IP, '203.0.113.101'], where(production)),
      egressIP('web2', [IP], where(production)),
    );
    const all = await run(two, 'web');
    assert.match(all.text, /^203\.0\.113\.100 of web is on worker-1 /m);
    assert.match(all.text, /^203\.0\.113\.101 of web has no node /m);
    const alone = await run(two, IP);
    assert.match(alone.text, /^203\.0\.113\.100 of web is on worker-1 /m);
    assert.match(
      alone.text,
      /^203\.0\.113\.100 of web2 has no node .*: EgressIP web holds it on worker-1\.$/m,
    );
    assert.match(alone.text, /^It would be placed if: EgressIP web lets it go\.$/m);
    assert.equal(alone.code, 1);
  });

  it('groups the nodes of a large cluster by what refuses them', async () => {
    const nodes = Array.from({ length: 40 }, (_, index) => seen(node(`worker-${index}`, 1)));
    const large = new Scene().see(
      synced(),
      ...nodes,
      seen(node('gateway', 2, production, { ready: false })),
      egressIP('web', [IP], where(production)),
    );
    const { text } = await run(large, 'web');
    assert.match(text, /^NODES +VERDICT +FOR EXAMPLE$/m);
    assert.match(text, /^1 +not ready +gateway$/m);
    assert.match(text, /^40 +does not match tier=production +worker-0, worker-1, worker-2, …$/m);
    assert.match(
      text,
      /gateway becomes ready; or one of 40 nodes gets tier=production \(worker-0, wor.*\)\.$/m,
    );
    const { text: every } = await run(large, 'web', { all: true });
    assert.match(every, /^worker-39 +no +yes /m);
  });

  it('says that the assigner has yet to decide', async () => {
    const asleep = scene().seeUndecided(probe('worker-3', true));
    const { text } = await run(asleep, 'prod-web');
    assert.match(
      text,
      /^The assigner has not decided on the latest facts yet; by its rules it goes to worker-3\.$/m,
    );
  });

  it('shows an invalid address and an invalid selector without blaming nodes', async () => {
    const odd = new Scene().see(
      synced(),
      seen(node('worker-1', 1)),
      egressIP('bad', ['10.0.0.300'], where(production)),
      egressIP('empty', [], where(production)),
    );
    const { text, code } = await run(odd, 'bad');
    assert.match(text, /^10\.0\.0\.300 of bad has no node since .*: it is no IP address\.$/m);
    assert.doesNotMatch(text, /NODE|It would/);
    assert.equal(code, 1);
    assert.deepEqual(await run(odd, 'empty'), { code: 0, text: 'empty asks for no address.\n' });
  });

  it('is the same as JSON', async () => {
    const { text } = await run(scene(), 'prod-web', { output: 'json' });
    const [answer] = JSON.parse(text) as Record<string, unknown>[];
    assert.equal(answer?.['state'], 'NoAvailableNode (1 not ready, 1 unreachable)');
    assert.equal(answer?.['since'], '2026-11-30T10:14:20.016Z');
    assert.equal(answer?.['previous'], 'worker-3');
    assert.deepEqual(answer?.['wouldBePlacedIf'], [
      'worker-2 becomes ready and answers its probe',
      'worker-3 answers its probe',
      'worker-1 gets tier=production',
    ]);
  });

  it('refuses what is not there, with what was perhaps meant', async () => {
    const refuses = (target: string, message: RegExp, exitCode: number, address?: string) =>
      assert.rejects(run(scene(), target, { address }), (error: Error) => {
        assert.match(error.message, message);
        assert.equal((error as Error & { exitCode: number }).exitCode, exitCode);
        return true;
      });
    await refuses('egressip/prod-wbe', /no EgressIP "prod-wbe"\. Did you mean "prod-web"\?/, 1);
    // Nothing of the object's spec is near.
    await refuses(
      'prod-web',
      /does not ask for 203\.0\.113\.1; it asks for 203\.0\.113\.100/,
      1,
      '203.0.113.1',
    );
    await refuses('203.0.113.7', /no EgressIP asks for 203\.0\.113\.7/, 1);
    await refuses('node/worker-1', /why answers for EgressIPs/, 64);
  });
});
