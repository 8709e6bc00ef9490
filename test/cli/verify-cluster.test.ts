/**
 * `sluice verify` against the cluster: statuses that nobody decided, writes that nobody asked for.
 */
import assert from 'node:assert/strict';
import type { Cause, Saying } from '../../core/event.ts';
import type { EgressIP, Item } from '../../core/fact.ts';
import { egressIPKind, type Kind, type Thing } from '../../services/watcher/kinds.ts';
import type { Listed } from '../../cli/verify-listed.ts';
import { egressIP, node, probe, seen, synced, where } from './scene.ts';
import { Bench } from './verify-bench.ts';

const address = '203.0.113.100';
const on = (name: string): Item[] => [{ egressIP: address, node: name }];
const wanted = where({});

const listed =
  (...things: readonly EgressIP[]) =>
  async (): Promise<readonly Listed[]> => [{ kind: egressIPKind as Kind<Thing>, things }];

function published(items: readonly Item[], causes: readonly Cause[], shadow = false): Saying {
  const what = { told: 0, wrote: 'status+mark', shadow, foreign: '', failure: '' };
  const event = { kind: 'EgressIPPublished', name: 'web', uid: 'uid-web', items, ...what } as const;
  return { event, causes, said: 'wrote status' };
}

const decision = (sequence: number): Cause => ({ stream: 'assigner', sequence });

describe('sluice verify and the cluster', () => {
  let bench: Bench;

  /** web is decided to be on a, and that is what the cluster has, with its mark. */
  beforeEach(async () => {
    bench = new Bench();
    await bench.see(synced('grpc'), seen(node('a', 1)), probe('a', true));
    await bench.see(egressIP('web', [address], wanted));
    await bench.say('publisher', published(on('a'), [decision(1)]));
    await bench.see({ kind: 'EgressIPSeen', egressIP: inCluster(on('a')) });
    await bench.world.advance(60_000);
  });

  afterEach(() => bench.world.end());

  const inCluster = (items: readonly Item[]): EgressIP => ({
    name: 'web',
    uid: 'uid-web',
    createdMs: 0,
    addresses: [address],
    nodeSelector: wanted,
    items,
    annotations: { 'k8s.ovn.org/egressip-mark': '50000' },
  });

  it('is content when every write names its decision and the statuses are as decided', async () => {
    const { code, text } = await bench.verify();
    assert.match(text, /^publisher +1 write compared with the decisions$/m);
    assert.equal(code, 0, text);
  });

  it('finds a status that nobody decided', async () => {
    await bench.see({ kind: 'EgressIPSeen', egressIP: inCluster(on('b')) });
    assert.equal((await bench.verify()).code, 0, 'it may be restored this very moment');
    await bench.world.advance(11_000);
    const { code, text } = await bench.verify();
    assert.match(
      text,
      /^cluster +now +egressip\/web +status +203\.0\.113\.100: the cluster has b, decided is a$/m,
    );
    assert.equal(code, 1);
  });

  it('finds a status on an object on which nothing was ever decided', async () => {
    const held = { ...inCluster(on('a')), name: 'held', uid: 'uid-held', addresses: ['10.9.9.9'] };
    await bench.world.stop();
    await bench.see({ kind: 'EgressIPSeen', egressIP: held });
    await bench.world.advance(11_000);
    const { code, text } = await bench.verify();
    assert.match(text, /egressip\/held +status +has a status that nobody decided$/m);
    assert.equal(code, 1);
  });

  it('reads the statuses from the cluster itself when it may, and says so', async () => {
    const cluster = listed(inCluster(on('z')));
    const { code, text } = await bench.verify(bench.heard, { cluster });
    assert.match(text, /203\.0\.113\.100: the cluster has z, decided is a$/m);
    assert.match(text, /^cluster +1 EgressIP as the cluster has them$/m);
    assert.equal(code, 1);
    const same = await bench.verify(bench.heard, { cluster: listed(inCluster(on('a'))) });
    assert.equal(same.code, 0, same.text);
  });

  it('gives a write that was decided a moment ago the time that it takes', async () => {
    await bench.see(probe('a', false));
    const { code, text } = await bench.verify();
    assert.match(text, /; 1 write may be on the way$/m);
    assert.equal(code, 0);
    await bench.world.advance(11_000);
    const late = await bench.verify();
    assert.match(late.text, /the cluster has a, decided is –$/m);
    assert.equal(late.code, 1);
  });

  it('leaves out what is somebody else’s to write, in shadow mode', async () => {
    await bench.say('publisher', published(on('a'), [decision(1)], true));
    await bench.see({ kind: 'EgressIPSeen', egressIP: inCluster(on('b')) });
    const { code, text } = await bench.verify();
    assert.match(text, /1 in shadow mode left out$/m);
    assert.equal(code, 0, text);
  });

  it('finds a write that its decision did not ask for, or that names none', async () => {
    await bench.say('publisher', published(on('b'), [decision(1)]));
    await bench.say('publisher', published(on('a'), []));
    const { code, text } = await bench.verify();
    assert.match(text, /^publisher 2 .* write +wrote 203\.0\.113\.100 on b, but assigner 1 did/m);
    assert.match(text, /^publisher 3 .* write +wrote 203\.0\.113\.100 on a, but it names no dec/m);
    assert.equal(code, 1);
  });
});
