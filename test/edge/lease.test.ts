/** Two replicas of a room: one leads and may write, the other stands by until the lease is free. */
import assert from 'node:assert/strict';
import { Bench } from './lease-bench.ts';

const forever = new AbortController().signal;

describe('the lease of a room', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });

  const leading = async (holder: string, instance = '') => {
    const lease = bench.replica(holder, instance);
    await lease.lead(forever);
    return lease;
  };

  it('is given at once to who starts alone', async () => {
    const one = await leading('one');
    assert.ok(one.leads && one.mayWrite());
    assert.equal(bench.nowMs, 0);
  });

  it('stays with who renews it; the other says for whom it stands by', async () => {
    const one = await leading('one');
    const two = bench.replica('two');
    void two.lead(forever);
    for (let second = 0; second < 60; second++) {
      await bench.pass(1_000);
      assert.ok(one.mayWrite() && !two.leads && !two.mayWrite());
    }
    assert.equal(two.standsBy, 'one');
    assert.equal(one.standsBy, '');
  });

  it('goes over within a quarter of a second when it is given back', async () => {
    const one = await leading('one');
    const two = bench.replica('two');
    void two.lead(forever);
    await bench.pass(5_000);
    await one.release();
    assert.ok(!one.mayWrite() && one.over.aborted);
    await bench.pass(250);
    assert.ok(two.leads && two.mayWrite());
  });

  it('goes over within 3.3 s when its holder dies', async () => {
    await leading('one');
    const two = bench.replica('two');
    void two.lead(forever);
    await bench.pass(5_000);
    bench.freeze('one');
    await bench.pass(3_300);
    assert.ok(two.leads && two.mayWrite());
  });

  it('never lets two write at a time, however long a holder is frozen', async () => {
    for (let frozenMs = 100; frozenMs <= 8_000; frozenMs += 100) {
      bench = new Bench();
      const one = await leading('one');
      const two = bench.replica('two');
      void two.lead(forever);
      await bench.pass(5_000 + (frozenMs % 1_000));
      bench.freeze('one');
      await bench.pass(frozenMs);
      // What a frozen process does first when it wakes up: go on with what it was at.
      const both = one.mayWrite() && two.mayWrite();
      assert.ok(!both, `both write after ${frozenMs} ms`);
      await bench.thaw('one');
      await bench.pass(500);
      assert.notEqual(one.leads, two.leads, `after ${frozenMs} ms`);
    }
  });

  it('lets nobody write 2.5 s after the last renewal, even while nobody else leads', async () => {
    const one = await leading('one');
    bench.freeze('one');
    await bench.pass(2_499);
    assert.ok(one.mayWrite());
    await bench.pass(1);
    assert.ok(!one.mayWrite());
    await bench.thaw('one');
    assert.ok(one.leads && one.mayWrite());
  });

  it('is found again by its holder when a renewal was stored and not answered', async () => {
    const one = await leading('one');
    bench.silent = ['stored', 'lost', 'stored'];
    await bench.pass(5_000);
    assert.ok(one.leads && one.mayWrite());
    assert.equal(one.over.aborted, false);
  });

  it('is found by who took it and got no answer', async () => {
    bench.silent = ['stored'];
    const one = bench.replica('one');
    void one.lead(forever);
    await bench.pass(250);
    assert.ok(one.leads);
  });

  it('is taken at once by the same instance after a restart, but not by any other', async () => {
    await leading('one', 'pod-a');
    bench.freeze('one');
    const other = bench.replica('other', 'pod-b');
    void other.lead(forever);
    await bench.pass(0);
    assert.ok(!other.leads);
    const again = bench.replica('again', 'pod-a');
    void again.lead(forever);
    await bench.pass(0);
    assert.ok(again.leads);
  });

  it('does not fly to and fro between two processes that claim to be one instance', async () => {
    await leading('one', 'same');
    const two = await leading('two', 'same');
    await bench.pass(60_000);
    assert.ok(two.leads);
  });

  it('that vanished is not taken at once: its holder may not know it yet', async () => {
    const one = await leading('one');
    const two = bench.replica('two');
    void two.lead(forever);
    await bench.pass(900);
    bench.freeze('one');
    bench.stored = { revision: 0, holder: '', instance: '', term: '' };
    while (one.mayWrite()) {
      await bench.pass(50);
      assert.ok(!two.leads);
    }
    await bench.pass(2_000);
    assert.ok(two.leads);
  });
});
