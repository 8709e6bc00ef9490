/** The rules of frr-k8s' webhook, case by case, without a server. */
import assert from 'node:assert/strict';
import { formatDuration, parseDuration } from './duration.ts';
import { frrConfiguration } from './objects.ts';
import { judge } from './rules.ts';
import { table } from './table.ts';

describe('the rules of frr-k8s', () => {
  for (const { name, nodes, existing, candidate, expected } of table) {
    // The others never come to the rules.
    if (expected.status !== 201 && expected.status !== 403) continue;
    it(`${expected.status === 201 ? 'admit' : 'refuse'}: ${name}`, () => {
      const { refusal, warnings } = judge(candidate, existing, nodes);
      if (expected.status === 201) assert.equal(refusal, undefined);
      else assert.ok(refusal?.endsWith(expected.ends ?? ''), refusal ?? 'it was admitted');
      assert.ok(refusal === undefined || refusal.includes(expected.says ?? ''), refusal);
      assert.equal(warnings.length, expected.warning === undefined ? warnings.length : 1);
      assert.ok(warnings.join().includes(expected.warning ?? ''), warnings.join());
    });
  }

  it('admit what is there already, in each case', () => {
    for (const { name, nodes, existing } of table)
      for (const [index, object] of existing.entries()) {
        const { refusal } = judge(object, existing.slice(0, index), nodes);
        assert.equal(refusal, undefined, name);
      }
  });

  it('do not hold an older version of an object against the newer one', () => {
    const spec = (asn: number) => ({ bgp: { routers: [{ asn, neighbors: [] }] } });
    const older = frrConfiguration('a', spec(65001));
    const nodes = { 'worker-1': {} };
    assert.equal(judge(frrConfiguration('a', spec(65002)), [older], nodes).refusal, undefined);
    assert.match(
      judge(frrConfiguration('b', spec(65002)), [older], nodes).refusal ?? '',
      /^different asns/,
    );
  });

  it('warn when graceful restart changes, for it waits for the next restart', () => {
    const spec = (enableGracefulRestart: boolean) => ({
      bgp: {
        routers: [{ asn: 1, neighbors: [{ address: '10.0.0.1', asn: 2, enableGracefulRestart }] }],
      },
    });
    const before = frrConfiguration('a', spec(false));
    const now = frrConfiguration('a', spec(true));
    const { warnings } = judge(now, [before], { 'worker-1': {} });
    assert.match(warnings.join(), /^Graceful restart configuration changed/);
    assert.deepEqual(judge(before, [before], { 'worker-1': {} }).warnings, []);
  });
});

describe('a duration of Go', () => {
  for (const [text, ms, shown] of [
    ['90s', 90_000, '1m30s'],
    ['3m', 180_000, '3m0s'],
    ['1h1s', 3_601_000, '1h0m1s'],
    ['500ms', 500, '500ms'],
    ['0', 0, '0s'],
    ['1.5s', 1_500, '1.5s'],
  ] as const)
    it(`is read from ${text} and written as ${shown}`, () => {
      assert.equal(parseDuration(text), ms);
      assert.equal(formatDuration(ms), shown);
    });

  it('is not read from a number alone', () => {
    for (const text of ['10', '', 's', '1 s', '1d']) assert.equal(parseDuration(text), undefined);
  });
});
