/** What an EgressIP or a Node may ask for beyond upstream: preferred nodes, drain, rebalance. */
import assert from 'node:assert/strict';
import { Draft } from '../../cli/plan-draft.ts';
import { applyText } from '../../cli/plan-file.ts';
import type { Decision } from '../../core/decision.ts';
import type { Drained } from '../../core/drained.ts';
import { Picture } from '../../services/assigner/explain-picture.ts';
import { Bench, egressIP, node, on, sees } from './assigner-bench.ts';

const PREFER = 'sluice.dev/prefer';
const REBALANCE = 'sluice.dev/rebalance';
const any = on({});

function drained(name: string, host: number, value = 'true') {
  const plain = node(name, host);
  return sees({ ...plain, annotations: { ...plain.annotations, 'sluice.dev/drain': value } });
}

/** `count` EgressIPs of one address each, all on node a, which is the only one there. */
function pile(count: number, annotations: Record<string, string> = {}): Bench {
  const bench = new Bench();
  bench.hear([sees(node('a', 1))]);
  for (let index = 0; index < count; index++)
    bench.hear([
      egressIP(`e${index}`, [`10.0.0.${100 + index}`], { nodeSelector: any, annotations }),
    ]);
  return bench;
}

function loads(bench: Bench): Record<string, number> {
  const loads: Record<string, number> = {};
  for (const { placements } of bench.decided.values())
    for (const { node: where } of placements) loads[where] = (loads[where] ?? 0) + 1;
  return loads;
}

describe('preferred nodes', () => {
  it('get the address though another node has less to carry', () => {
    const bench = pile(3);
    bench.hear([sees(node('b', 2, { labels: { fast: 'yes' } })), sees(node('c', 3))]);
    bench.hear([
      egressIP('x', ['10.0.0.200'], { nodeSelector: any, annotations: { [PREFER]: 'fast=yes' } }),
    ]);
    bench.hear([
      egressIP('y', ['10.0.0.201'], { nodeSelector: any, annotations: { [PREFER]: 'fast=yes' } }),
    ]);
    assert.deepEqual(bench.placements('x'), { '10.0.0.200': 'b' });
    assert.deepEqual(bench.placements('y'), { '10.0.0.201': 'b' }, 'c is empty, but not preferred');
  });

  it('are a wish: where none of them is there, any node will do', () => {
    const bench = new Bench();
    bench.hear([
      sees(node('a', 1)),
      egressIP('x', ['10.0.0.200'], { nodeSelector: any, annotations: { [PREFER]: 'fast=yes' } }),
    ]);
    assert.deepEqual(bench.placements('x'), { '10.0.0.200': 'a' });
    bench.hear([sees(node('b', 2, { labels: { fast: 'yes' } }))]);
    assert.deepEqual(
      bench.placements('x'),
      { '10.0.0.200': 'a' },
      'what has a good node stays there',
    );
  });

  it('that cannot be read are none', () => {
    const bench = new Bench();
    bench.hear([
      sees(node('a', 1)),
      egressIP('x', ['10.0.0.200'], { nodeSelector: any, annotations: { [PREFER]: '((' } }),
    ]);
    assert.deepEqual(bench.placements('x'), { '10.0.0.200': 'a' });
  });
});

describe('a node that is drained', () => {
  it('gives its addresses to others while it still works, each one once', () => {
    const bench = pile(4);
    bench.hear([sees(node('b', 2)), sees(node('c', 3))]);
    const moves = bench.hear([drained('a', 1)]);
    assert.equal(moves.length, 4);
    assert.deepEqual(loads(bench), { b: 2, c: 2 });
    assert.deepEqual(
      bench.hear([{ kind: 'NodeGone', name: 'a', uid: 'uid-a' }]),
      [],
      'and nothing moves when it goes',
    );
  });

  it('keeps what no other node can take', () => {
    const bench = pile(2);
    assert.deepEqual(bench.hear([drained('a', 1)]), []);
    assert.deepEqual(loads(bench), { a: 2 });
    bench.hear([sees(node('b', 2))]);
    assert.deepEqual(loads(bench), { b: 2 }, 'until one comes');
  });

  it('takes a homeless address only when there is no other node', () => {
    const bench = new Bench();
    bench.hear([drained('a', 1), egressIP('x', ['10.0.0.200'], { nodeSelector: any })]);
    assert.deepEqual(bench.placements('x'), { '10.0.0.200': 'a' });
  });

  it('is an ordinary node again when the annotation goes, and nothing moves back', () => {
    const bench = pile(2);
    bench.hear([sees(node('b', 2)), drained('a', 1)]);
    assert.deepEqual(bench.hear([sees(node('a', 1))]), []);
    bench.hear([egressIP('x', ['10.0.0.200'], { nodeSelector: any })]);
    assert.deepEqual(bench.placements('x'), { '10.0.0.200': 'a' });
  });

  it('is drained for what else the watcher was told to look at, and the move says why', () => {
    for (const [drained, why] of [
      ['cordon', 'a is drained: cordoned'],
      ['taint example.com/maintenance', 'a is drained: taint example.com/maintenance'],
      ['annotation', 'a is drained: annotated'],
    ] as const) {
      const bench = pile(1);
      bench.hear([sees(node('b', 2))]);
      const [move] = bench.hear([sees(node('a', 1, { drained }))]);
      assert.ok(move?.kind === 'EgressIPDecided', drained);
      assert.deepEqual(move.notices, [
        { reason: 'Moved', type: 'Normal', note: `10.0.0.100 moved from a to b: ${why}` },
      ]);
      assert.deepEqual(bench.hear([sees(node('a', 1, { drained: '' }))]), [], 'nothing moves back');
    }
  });

  it('stays drained in a plan that applies a file to it: the file cannot know the setting', () => {
    const after = (drained: Drained, file: string): Drained | undefined => {
      const event = sees(node('a', 1, { drained }));
      const at = { stream: 'watcher', sequence: 1, atMs: 0, causes: [], said: '' } as const;
      const picture = new Picture({ excluded: undefined });
      picture.hear({ ...at, event });
      const draft = new Draft(picture);
      applyText(draft, file, 'node.yaml', 0);
      return draft.knownNode('a')?.drained;
    };
    const labels = '{kind: Node, metadata: {name: a, labels: {zone: b}}}';
    assert.equal(after('cordon', labels), 'cordon');
    assert.equal(after('', labels), '');
    const drain = '{kind: Node, metadata: {name: a, annotations: {sluice.dev/drain: "true"}}}';
    assert.equal(after('', drain), 'annotation');
  });

  it('is drained by "true" only', () => {
    const bench = pile(2);
    bench.hear([sees(node('b', 2))]);
    bench.hear([drained('a', 1, 'yes please')]);
    assert.deepEqual(loads(bench), { a: 2 });
  });
});

describe('rebalance', () => {
  it('is off: what has a good node stays there however unequal the load', () => {
    const bench = pile(6);
    assert.deepEqual(bench.hear([sees(node('b', 2))]), []);
  });

  it('moves what asks for it until the loads differ by one at most, and then rests', () => {
    const bench = pile(7, { [REBALANCE]: '100/min' });
    bench.hear([sees(node('b', 2)), sees(node('c', 3))]);
    assert.deepEqual(
      Object.values(loads(bench)).sort((a, b) => a - b),
      [2, 2, 3],
    );
    assert.deepEqual(bench.hear([]), []);
  });

  it('moves no more in a minute than its budget allows', () => {
    const bench = new Bench();
    bench.hear([sees(node('a', 1)), sees(node('b', 2, { ready: false }))]);
    for (let index = 0; index < 10; index++)
      bench.hear([egressIP(`e${index}`, [`10.0.0.${100 + index}`], { nodeSelector: any })]);
    bench.hear([
      egressIP('x', ['10.0.0.200'], { nodeSelector: any, annotations: { [REBALANCE]: '1/min' } }),
    ]);
    bench.hear([
      egressIP('y', ['10.0.0.201'], { nodeSelector: any, annotations: { [REBALANCE]: '1/min' } }),
    ]);
    bench.hear([sees(node('b', 2))]);
    assert.deepEqual(loads(bench), { a: 10, b: 2 }, 'one of each, the others do not ask');
  });

  it('does not leave a preferred node for one that is not', () => {
    const bench = new Bench();
    bench.hear([sees(node('a', 1, { labels: { fast: 'yes' } }))]);
    for (let index = 0; index < 4; index++)
      bench.hear([
        egressIP(`e${index}`, [`10.0.0.${100 + index}`], {
          nodeSelector: any,
          annotations: { [PREFER]: 'fast=yes', [REBALANCE]: '100/min' },
        }),
      ]);
    assert.deepEqual(bench.hear([sees(node('b', 2))]), []);
  });
});

describe('an annotation of a policy that cannot be read', () => {
  const web = (annotations: Record<string, string>) =>
    egressIP('web', ['10.0.0.200'], { nodeSelector: any, annotations });
  const warned = (said: readonly Decision[]): string[] =>
    said.flatMap((one) =>
      one.kind === 'EgressIPDecided' || one.kind === 'NodeJudged'
        ? one.notices.filter(({ type }) => type === 'Warning').map(({ note }) => note)
        : [],
    );
  const rebalance = (value: string): string =>
    `sluice.dev/rebalance is "${value}" and does not count; allowed: 0/min to 9999/min, as 5/min`;

  it('is told on the EgressIP, with its value and what is allowed, once for each change', () => {
    const bench = pile(0);
    assert.deepEqual(warned(bench.hear([web({ [REBALANCE]: 'fast' })])), [rebalance('fast')]);
    assert.deepEqual(bench.hear([web({ [REBALANCE]: 'fast' })]), [], 'the same again is no news');
    assert.deepEqual(warned(bench.hear([web({ [REBALANCE]: '5/h' })])), [rebalance('5/h')]);
    const both = warned(bench.hear([web({ [REBALANCE]: '5/h', [PREFER]: '((' })]));
    const prefer = 'sluice.dev/prefer is "((" and does not count; allowed: a label selector';
    assert.equal(both.length, 1);
    assert.ok(both[0]?.startsWith(prefer), both[0]);
    const healed = bench.hear([web({ [REBALANCE]: '5/min', [PREFER]: 'fast=yes' })]);
    assert.deepEqual(healed.length, 1, 'the log tells that it can be read again');
    assert.deepEqual(warned(healed), []);
    assert.deepEqual(warned(bench.hear([web({ [REBALANCE]: 'fast' })])), [rebalance('fast')]);
    assert.deepEqual(bench.placements('web'), { '10.0.0.200': 'a' }, 'nothing moved meanwhile');
  });

  it('is not told again when the address moves, nor after a restart', () => {
    const bench = pile(0);
    bench.hear([web({ [REBALANCE]: 'fast' })]);
    bench.hear([sees(node('b', 2))]);
    const moved = bench.hear([{ kind: 'NodeGone', name: 'a', uid: 'uid-a' }]);
    assert.deepEqual(bench.placements('web'), { '10.0.0.200': 'b' });
    assert.deepEqual(warned(moved), []);
    assert.deepEqual(
      bench.replay((log) => log),
      [],
    );
  });

  it('is told of with the object that has the name now', () => {
    const bench = pile(0);
    bench.hear([web({ [REBALANCE]: 'fast' })]);
    const again = { nodeSelector: any, annotations: { [REBALANCE]: 'fast' }, uid: 'another' };
    assert.deepEqual(warned(bench.hear([egressIP('web', ['10.0.0.200'], again)])), [
      rebalance('fast'),
    ]);
  });

  it('is shown in part only when it is long', () => {
    const bench = pile(0);
    const [note = ''] = warned(bench.hear([web({ [PREFER]: '('.repeat(200_000) })]));
    assert.ok(note.length < 200, `${note.length} characters`);
  });

  it('is told on a Node, which is not drained and hosts as ever', () => {
    const bench = pile(2);
    bench.hear([sees(node('b', 2))]);
    assert.deepEqual(warned(bench.hear([drained('a', 1, 'yes please')])), [
      'sluice.dev/drain is "yes please" and does not count; allowed: true, false or nothing',
    ]);
    assert.deepEqual(loads(bench), { a: 2 });
    assert.deepEqual(warned(bench.hear([drained('a', 1, 'false')])), []);
    assert.deepEqual(bench.hear([drained('a', 1, '')]), [], 'which is as good as none');
  });

  it('is none when it asks for nothing', () => {
    const bench = pile(0);
    const said = bench.hear([
      web({ [REBALANCE]: '', [PREFER]: '' }),
      web({ [REBALANCE]: '0/min' }),
    ]);
    assert.deepEqual(warned(said), []);
  });
});
