/** Laws of probing: who is asked when, when silence counts, and when the prober doubts itself. */
import assert from 'node:assert/strict';
import type { Act, Settings } from '../../services/watcher/input.ts';
import { Timeline } from './probes-timeline.ts';
import {
  EGRESSIPS,
  egressIPObject,
  listed,
  NODES,
  nodeObject,
  notServed,
  INFRASTRUCTURES,
  put,
  usualProbes,
  Watched,
} from './watcher-bench.ts';

const isProbe = (act: Act) => act.kind === 'Probe';
const TELLS_AT_ONCE: Settings = { ...usualProbes, probing: 'tcp', slots: 1, failures: 1 };

describe('the agents of a node that restart', () => {
  it('move nothing, whenever they fall silent, and for 3 to 8 seconds', () => {
    let restarts = 0;
    for (let phaseMs = 0; phaseMs < 5000; phaseMs += 100) {
      for (let lengthMs = 3000; lengthMs <= 8000; lengthMs += 100) {
        const timeline = new Timeline(1);
        const from = 10_000 + phaseMs;
        timeline.silence(['worker-0'], { from, to: from + lengthMs });
        timeline.run(from + lengthMs + 8000);
        assert.deepEqual(timeline.lost, [], `silent from ${from} for ${lengthMs} ms`);
        restarts++;
      }
    }
    assert.equal(restarts, 50 * 51);
  }).timeout(120_000);

  it('move nothing even if the watcher restarts meanwhile and has no connection', () => {
    for (let phaseMs = 0; phaseMs < 5000; phaseMs += 500) {
      for (let restartMs = 0; restartMs < 8000; restartMs += 250) {
        const timeline = new Timeline(1);
        const from = 10_000 + phaseMs;
        timeline.silence(['worker-0'], { from, to: from + 8000 });
        timeline.run(from + restartMs).restart();
        timeline.run(from + 20_000);
        assert.deepEqual(timeline.lost, [], `phase ${phaseMs}, restart after ${restartMs} ms`);
      }
    }
  }).timeout(60_000);

  it('move nothing, one after the other through the whole cluster', () => {
    const timeline = new Timeline(20);
    timeline.names(0, 20).forEach((name, index) => {
      const from = 10_000 + index * 1700;
      timeline.silence([name], { from, to: from + 3000 + ((index * 700) % 5001) });
    });
    timeline.run(60_000);
    assert.deepEqual([timeline.lost, timeline.isolated], [[], false]);
  });

  it('would move addresses if one tolerated and one failed probe were enough', () => {
    const timeline = new Timeline(1, { ...usualProbes, failures: 2 });
    timeline.silence(['worker-0'], { from: 10_000, to: 18_000 }).run(20_000);
    assert.deepEqual(timeline.lost, ['worker-0']);
  });
});

describe('a node that dies', () => {
  it('is found 8.5 to 13.5 s after its death, after 11 s on the average', () => {
    const took: number[] = [];
    for (let phaseMs = 0; phaseMs < 5000; phaseMs += 100) {
      const timeline = new Timeline(1);
      const from = 10_000 + phaseMs;
      timeline.silence(['worker-0'], { from, to: Infinity });
      while (timeline.lost.length === 0 && timeline.nowMs < 60_000)
        timeline.run(timeline.nowMs + 50);
      took.push(timeline.nowMs - from);
    }
    const mean = took.reduce((sum, ms) => sum + ms, 0) / took.length;
    assert.ok(Math.min(...took) > 8000, 'not before an agent could have restarted');
    assert.ok(Math.max(...took) <= 13_600, `${Math.max(...took)} ms`);
    assert.ok(Math.abs(mean - 11_000) < 150, `${mean} ms`);
  });

  it('is reachable again after a check was answered, not after a connection alone', () => {
    const timeline = new Timeline(1);
    timeline.silence(['worker-0'], { from: 10_000, to: 30_000 });
    timeline.run(29_900);
    assert.deepEqual(timeline.lost, ['worker-0']);
    while (timeline.lost.length > 0 && timeline.nowMs < 60_000) timeline.run(timeline.nowMs + 50);
    assert.ok(timeline.nowMs <= 37_600, `${timeline.nowMs}`);
  });

  it('is not taken for alive because it accepts connections and answers nothing', () => {
    const watched = new Watched(usualProbes).sense(
      listed(NODES, [nodeObject('a', 'u', 1)]),
      listed(EGRESSIPS, [egressIPObject('web', 'w', '10.0.0.100')]),
    );
    const tolerated = { reachable: true, doubtful: true };
    const connected = { reachable: true, doubtful: true };
    const failed = { reachable: false };
    const life = [{ reachable: true }, tolerated, connected, failed, connected, failed, connected];
    for (const answer of [...life, failed]) {
      assert.equal(
        watched.log.get('probe/a')?.kind === 'ReachabilitySeen' && isLost(watched),
        false,
      );
      while (!watched.acts.some(isProbe)) watched.sense({ kind: 'Tick' });
      const [act] = watched.acts.splice(0);
      assert.ok(act?.kind === 'Probe');
      watched.sense({ kind: 'Probed', node: 'a', ask: act.ask, because: 'a probe', ...answer });
    }
    assert.ok(isLost(watched));
  });
});

function isLost(watched: Watched): boolean {
  const fact = watched.log.get('probe/a');
  return fact?.kind === 'ReachabilitySeen' && !fact.reachable;
}

describe('probes', () => {
  const nodes = Array.from({ length: 5000 }, (_, i) => nodeObject(`worker-${i}`, `u-${i}`, i));
  const egressIPs = listed(EGRESSIPS, [egressIPObject('web', 'w', '10.0.0.100')]);
  const answer = (watched: Watched, acts: readonly Act[], reachable = true): void => {
    for (const act of acts) {
      if (act.kind !== 'Probe') continue;
      const { node } = act.request;
      watched.sense({ kind: 'Probed', node, ask: act.ask, reachable, because: 'a probe' });
    }
  };

  it('begin at once, then spread 5,000 nodes over the interval, each once', () => {
    const watched = new Watched(usualProbes).sense(egressIPs, listed(NODES, nodes));
    assert.equal(watched.acts.length, 5000);
    answer(watched, watched.acts.splice(0));
    const asked = new Map<string, number>();
    for (let slot = 0; slot < 20; slot++) {
      watched.sense({ kind: 'Tick' });
      const acts = watched.acts.splice(0);
      assert.ok(acts.length > 190 && acts.length < 310, `${acts.length} in slot ${slot}`);
      for (const act of acts)
        if (act.kind === 'Probe')
          asked.set(act.request.node, (asked.get(act.request.node) ?? 0) + 1);
      answer(watched, acts);
    }
    assert.deepEqual([asked.size, new Set(asked.values())], [5000, new Set([1])]);
  }).timeout(20_000);

  it('drop a turn that comes while the last one is under way', () => {
    const watched = new Watched(TELLS_AT_ONCE).sense(egressIPs, listed(NODES, nodes.slice(0, 1)));
    watched.sense({ kind: 'Tick' }, { kind: 'Tick' });
    assert.equal(watched.acts.length, 1);
  });

  for (const [what, next] of [
    ['replaced', nodeObject('a', 'u-2', 1)],
    ['moved to another management address', nodeObject('a', 'u-1', 2)],
  ] as const) {
    it(`of a node that was ${what} are not answered by the old one`, () => {
      const watched = new Watched(usualProbes).sense(
        egressIPs,
        listed(NODES, [nodeObject('a', 'u-1', 1)]),
      );
      const old = watched.acts.splice(0);
      watched.sense(put(NODES, next));
      assert.deepEqual(
        watched.acts.map(({ kind }) => kind),
        ['Forget', 'Probe'],
        'the connection to the old one is dropped first',
      );
      answer(watched, old);
      assert.equal(watched.log.get('probe/a'), undefined);
      answer(watched, watched.acts.splice(0), false);
      assert.ok(isLost(watched));
      answer(watched, old);
      assert.ok(isLost(watched));
    });
  }

  it('know nothing any more of a node that was not probed for a while', () => {
    const watched = new Watched(usualProbes).sense(egressIPs, listed(NODES, nodes.slice(0, 1)));
    answer(watched, watched.acts.splice(0), false);
    watched.sense(put(NODES, nodeObject('worker-0', 'u-0', 0, 'False')));
    assert.equal(watched.log.get('probe/worker-0')?.kind, 'ReachabilityForgotten');
    watched.acts = [];
    watched.sense(put(NODES, nodeObject('worker-0', 'u-0', 0)));
    assert.equal(watched.acts.filter(isProbe).length, 1);
    assert.equal(watched.log.get('probe/worker-0')?.kind, 'ReachabilityForgotten');
    assert.equal(watched.waits, 'the platform of the cluster');
    watched.sense(notServed(INFRASTRUCTURES));
    assert.equal(watched.waits, 'the first answer of each probed node');
  });

  it('of nodes that went while the watcher was away are forgotten, whatever else was told', () => {
    const watched = new Watched(usualProbes).sense(egressIPs, listed(NODES, nodes.slice(0, 2)));
    answer(watched, watched.acts.splice(0));
    // It had no time to say the end of a probe after that of the node.
    watched.log.set('node/worker-0', { kind: 'NodeGone', name: 'worker-0', uid: 'u-0' });
    watched.restart().sense(egressIPs);
    watched.sense(listed(NODES, []));
    for (const name of ['worker-0', 'worker-1']) {
      assert.equal(watched.log.get(`node/${name}`)?.kind, 'NodeGone');
      assert.equal(watched.log.get(`probe/${name}`)?.kind, 'ReachabilityForgotten', name);
    }
  });

  it('go by the settings of the moment', () => {
    const watched = new Watched(TELLS_AT_ONCE).sense(egressIPs, listed(NODES, nodes.slice(0, 1)));
    answer(watched, watched.acts.splice(0));
    const { deadlineMs, ...tuning } = { ...TELLS_AT_ONCE, failures: 2 };
    watched.sense({ kind: 'Tuned', tuning: { ...tuning, deadlineMs: deadlineMs * 2 } });
    for (const lost of [false, true]) {
      watched.sense({ kind: 'Tick' });
      const [act] = watched.acts.splice(0);
      assert.ok(act?.kind === 'Probe' && act.request.deadlineMs === 2000);
      answer(watched, [act], false);
      const fact = watched.log.get('probe/worker-0');
      assert.equal(fact?.kind === 'ReachabilitySeen' && !fact.reachable, lost);
    }
  });
});

describe('a prober that may be isolated', () => {
  it('tells the loss of 500 of 5,000 nodes at once', () => {
    const timeline = new Timeline(5000, TELLS_AT_ONCE, 250);
    timeline.silence(timeline.names(0, 500), { from: 7000, to: Infinity });
    timeline.run(10_750);
    assert.equal(timeline.lost.length, 0);
    timeline.run(11_000);
    assert.deepEqual([timeline.lost.length, timeline.isolated], [500, false]);
  }).timeout(60_000);

  it('tells the loss of 500 of 5,000 spread nodes within 13.5 s, and does not doubt itself', () => {
    const timeline = new Timeline(5000, usualProbes, 250);
    timeline.silence(timeline.names(0, 500), { from: 7000, to: Infinity });
    timeline.run(7000 + 13_750);
    assert.deepEqual([timeline.lost.length, timeline.isolated], [500, false]);
    assert.equal(timeline.watched.log.has('prober/cluster'), false);
  }).timeout(60_000);

  for (const [how, settings] of [
    ['all at once', TELLS_AT_ONCE],
    ['spread', usualProbes],
  ] as const) {
    it(`holds when all but few of the nodes fall silent, probed ${how}, until they answer`, () => {
      const timeline = new Timeline(200, settings, 250);
      timeline.silence(timeline.names(4, 200), { from: 7000, to: 60_000 });
      timeline.run(50_000);
      assert.deepEqual([timeline.lost.length, timeline.isolated], [0, true]);
      // Three do not come back.
      timeline.silence(timeline.names(4, 7), { from: 7000, to: Infinity });
      timeline.run(90_000);
      assert.deepEqual([timeline.lost, timeline.isolated], [timeline.names(4, 7), false]);
      const told = timeline.watched.said.flatMap(([topic, fact]) =>
        topic === 'prober/cluster' && fact.kind === 'ProberSeen' ? [fact.isolated] : [],
      );
      assert.deepEqual(told, [true, false]);
    });
  }

  it('counts what it held from anew when it is over', () => {
    const timeline = new Timeline(10);
    timeline.silence(timeline.names(0, 3), { from: 7000, to: Infinity });
    timeline.silence(timeline.names(3, 10), { from: 7000, to: 40_000 });
    while (!timeline.isolated) timeline.run(timeline.nowMs + 50);
    while (timeline.isolated) timeline.run(timeline.nowMs + 50);
    const overMs = timeline.nowMs;
    assert.deepEqual(timeline.lost, []);
    while (timeline.lost.length < 3) timeline.run(timeline.nowMs + 50);
    assert.ok(timeline.nowMs - overMs > 7000, `${timeline.nowMs - overMs} ms later`);
  });

  it('does not count nodes that were lost long before', () => {
    const timeline = new Timeline(10);
    timeline.silence(timeline.names(0, 3), { from: 7000, to: Infinity });
    timeline.run(40_000);
    assert.equal(timeline.lost.length, 3);
    timeline.silence(timeline.names(3, 6), { from: 41_000, to: Infinity });
    timeline.run(60_000);
    assert.deepEqual([timeline.lost.length, timeline.isolated], [6, false]);
  });

  it('believes two of three nodes, and half of them', () => {
    const three = new Timeline(3);
    three.silence(three.names(0, 2), { from: 7000, to: Infinity });
    assert.equal(three.run(30_000).lost.length, 2);
    const ten = new Timeline(10);
    ten.silence(ten.names(0, 5), { from: 7000, to: Infinity });
    assert.equal(ten.run(30_000).lost.length, 5);
  });

  it('doubts itself at the share that is set', () => {
    for (const [isolationShare, lost] of [
      [20, 0],
      [30, 3],
      [100, 3],
    ] as const) {
      const timeline = new Timeline(10, { ...usualProbes, isolationShare });
      timeline.silence(timeline.names(0, 3), { from: 7000, to: Infinity });
      assert.equal(timeline.run(30_000).lost.length, lost, `${isolationShare} %`);
    }
  });

  it('is still isolated after a restart, until it has seen better', () => {
    const timeline = new Timeline(10);
    timeline.silence(timeline.names(1, 10), { from: 7000, to: 60_000 });
    timeline.run(30_000).restart();
    timeline.run(50_000);
    assert.deepEqual([timeline.lost.length, timeline.isolated], [0, true]);
    timeline.run(80_000);
    assert.deepEqual([timeline.lost.length, timeline.isolated], [0, false]);
    const told = timeline.watched.said.filter(([topic]) => topic === 'prober/cluster');
    assert.equal(told.length, 2, 'when it began, and when it was over');
  });
});
