/**
 * What `sluice verify` finds on a log that somebody tampered with, and that it finds nothing else.
 */
import assert from 'node:assert/strict';
import type { Heard } from '../../core/event.ts';
import { must } from '../../core/assert.ts';
import type { Fact } from '../../core/fact.ts';
import { topicOf } from '../../core/subject.ts';
import { decode, encode } from '../../edge/protobuf.ts';
import { egressIP, node, probe, seen, synced, where } from './scene.ts';
import { Bench, withByte } from './verify-bench.ts';

const production = { tier: 'production' };
const web = ['203.0.113.100'];
const wanted = where(production);

/** As the publisher would have written it. */
function written(on: string): Fact {
  const annotations = { 'k8s.ovn.org/egressip-mark': '50000' };
  const items = [{ egressIP: '203.0.113.100', node: on }];
  const own = { name: 'prod-web', uid: 'uid-prod-web', createdMs: 0, annotations };
  const spec = { addresses: web, nodeSelector: wanted };
  return { kind: 'EgressIPSeen', egressIP: { ...own, ...spec, items } };
}

/** prod-web is placed on worker-1, moves to worker-2, loses it, and comes back after a restart. */
async function eventful(): Promise<Bench> {
  const bench = new Bench();
  const nodes = [node('worker-1', 1, production), node('worker-2', 2, production)];
  await bench.see(synced('grpc'), ...nodes.map(seen));
  await bench.see(probe('worker-1', true), probe('worker-2', true));
  await bench.see(egressIP('prod-web', web, wanted));
  await bench.see(probe('worker-1', false));
  await bench.see(seen(node('worker-2', 2)));
  await bench.world.restart();
  await bench.see(probe('worker-1', true));
  await bench.see(written('worker-1'));
  await bench.world.advance(60_000);
  return bench;
}

const nth = (bench: Bench, index: number): Heard => must(bench.decisions[index], 'a decision');

describe('sluice verify', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await eventful();
  });

  afterEach(() => bench.world.end());

  it('explains a log that nobody touched, over a restart, and says what it compared', async () => {
    const { code, text } = await bench.verify();
    assert.match(text, /^assigner +4 decisions replayed since .* \(assigner 1\), 2 lives$/m);
    assert.match(text, /^cluster +1 EgressIP as the watcher saw them last$/m);
    assert.match(text, /^Everything follows from what had been seen\.$/m);
    assert.equal(code, 0);
  });

  it('finds a decision that somebody else put on the log', async () => {
    const { event, said, heard = [], atMs } = nth(bench, 0);
    await bench.say('assigner', { event, said, causes: [], heard, atMs: atMs + 1 });
    const { code, text } = await bench.verify();
    assert.match(
      text,
      /^assigner 5 .* egressip\/prod-web +unexplained +says "203\.0\.113\.100 pl/m,
    );
    assert.equal(code, 1);
  });

  it('finds a decision that does not tell what had been heard', async () => {
    const { event } = nth(bench, 0);
    await bench.say('assigner', { event, said: 'trust me', causes: [] });
    const { code, text } = await bench.verify();
    assert.match(text, /^assigner 5 .*says "trust me"; it does not tell what had been heard$/m);
    assert.equal(code, 1);
  });

  it('goes on after a forged decision that a later life of the room took for its own', async () => {
    const { event, said, heard = [] } = nth(bench, 1);
    const causes = [{ stream: 'watcher', sequence: 6 } as const];
    await bench.say('assigner', { event, said, causes, heard });
    await bench.world.advance(20);
    assert.ok(bench.decisions.length > 5, 'the room put it right');
    const { text } = await bench.verify();
    assert.deepEqual(text.match(/(changed|unexplained|missing|gap) /g), ['unexplained ']);
  });

  it('finds a decision in which one letter was changed, and trusts the rest', async () => {
    const changed = withByte(bench.heard, nth(bench, 1), 'worker-2', 'worker-3');
    const { code, text } = await bench.verify(changed);
    assert.match(text, /^assigner 2 .* changed +its event differs from what the rules conclude/m);
    assert.equal(text.match(/changed|unexplained|missing/g)?.length, 1, text);
    assert.equal(code, 1);
  });

  it('finds every single byte of a decision that was changed', async function () {
    this.timeout(60_000);
    const decision = nth(bench, 2);
    const { event, said, causes, atMs, heard = [] } = decision;
    const bytes = encode({ event, said, causes: [], atMs: 0 });
    let found = 0;
    for (const index of bytes.keys()) {
      const other = Uint8Array.from(bytes);
      other[index] = (other[index] ?? 0) ^ 1;
      const back = decode(other);
      // What cannot be read any more is a gap; what names another object is told as well.
      if (back === undefined || back.atMs !== 0) continue;
      if (!/^[a-z0-9-]+$/.test(topicOf(back.event).name)) continue;
      const { stream, sequence } = decision;
      const one: Heard = { ...back, causes, atMs, heard, stream, sequence };
      if (Buffer.compare(encode(one), encode(decision)) === 0) continue;
      const { code } = await bench.verify(bench.heard.map((h) => (h === decision ? one : h)));
      assert.equal(code, 1, `byte ${index}`);
      found++;
    }
    assert.ok(found > bytes.length / 2, `${found} of ${bytes.length} can be read`);
  });

  it('finds a decision that names a cause which had not been heard', async () => {
    const early = { ...nth(bench, 0), causes: [{ stream: 'watcher', sequence: 7 } as const] };
    const { text } = await bench.verify(bench.heard.map((h) => (h === nth(bench, 0) ? early : h)));
    assert.match(text, /unexplained .*; its cause watcher 7 had not been heard$/m);
  });

  it('tells a gap in the facts, and in the decisions', async () => {
    const fact = must(
      bench.heard.find(({ said }) => said === 'ReachabilitySeen'),
      'a probe',
    );
    const { code, text } = await bench.verify(bench.heard.filter((one) => one !== fact));
    assert.match(text, /gap +1 event of the watcher before it are not on the log$/m);
    assert.equal(code, 1);
    const less = bench.heard.filter((one) => one !== nth(bench, 1));
    const without = await bench.verify(less);
    assert.match(without.text, /^assigner 3 .* gap +1 event of the assigner before it/m);
    assert.equal(without.code, 1);
  });

  it('tells when facts that were heard are not on the log any more', async () => {
    const { text } = await bench.verify(bench.heard.filter((one) => one.said !== 'EgressIPSeen'));
    assert.match(text, /gap/);
    const last = bench.heard.filter(({ stream, sequence }) => stream !== 'watcher' || sequence < 8);
    const { code, text: short } = await bench.verify(last);
    assert.match(short, /gap +it had heard watcher 8, which is not on the log$/m);
    assert.equal(code, 1);
  });

  it('leaves alone what an older release said, and says how much that is', async () => {
    const older = bench.heard.map(({ stream, sequence, atMs, causes, said, event }) => ({
      stream,
      sequence,
      atMs,
      causes,
      said,
      event,
    }));
    const { code, text } = await bench.verify(older);
    assert.match(text, /^assigner +0 decisions replayed; 4 before that cannot be compared$/m);
    assert.equal(code, 0);
  });

  it('begins where it is told to, from what was last said before', async () => {
    const sinceMs = nth(bench, 2).atMs - 10;
    const { code, text } = await bench.verify(bench.heard, { sinceMs });
    assert.match(text, /^assigner +2 decisions replayed since .* \(assigner 3\)/m);
    assert.equal(code, 0, text);
  });

  it('answers machines with every finding', async () => {
    await bench.say('assigner', { event: nth(bench, 0).event, said: 'trust me', causes: [] });
    const { text } = await bench.verify(bench.heard, { output: 'json' });
    const { rooms, findings } = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
    assert.deepEqual(
      rooms?.map(({ room, decisions }) => [room, decisions]),
      [
        ['assigner', 4],
        ['bgp', 0],
      ],
    );
    assert.deepEqual(
      findings?.map(({ kind, where: place, object }) => [kind, place, object]),
      [['unexplained', 'assigner 5', 'egressip/prod-web']],
    );
  });
});
