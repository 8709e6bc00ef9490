/** What was something else for a moment: the publisher may have written it, and must hear. */
import assert from 'node:assert/strict';
import type { KubeObject } from '../../core/door.ts';
import type { Fact } from '../../core/fact.ts';
import { watcher } from '../../services/watcher/room.ts';
import {
  EGRESSIPS,
  egressIPObject,
  listed,
  NODES,
  nodeObject,
  noProbes,
  put,
} from './watcher-bench.ts';

const room = watcher({ ...noProbes, platform: 'None' });

function web(node: string): KubeObject {
  const items = [{ egressIP: '10.0.0.1', node }];
  return { ...egressIPObject('web', 'uid-web', '10.0.0.1'), status: { items } };
}

/** What is said when all that arrived in the meantime is thought over at once. */
function saidOf(world: ReturnType<typeof room.fresh>, objects: readonly KubeObject[]): Fact[] {
  for (const object of objects) room.sense(world, put(EGRESSIPS, object));
  const said: Fact[] = [];
  for (;;) {
    const turn = room.decide(world);
    said.push(...turn.says.map(({ event }) => event as Fact));
    if (!turn.more) return said;
  }
}

const node = nodeObject('a', 'uid-a', 1);

function opened(): ReturnType<typeof room.fresh> {
  const world = room.fresh();
  room.sense(world, listed(NODES, [node]));
  room.sense(world, listed(EGRESSIPS, [web('a')]));
  saidOf(world, []);
  return world;
}

describe('an EgressIP that changes and changes back before anybody looks', () => {
  it('is told again: our own write may have been the one in between', () => {
    const world = opened();
    const said = saidOf(world, [web('b'), web('a')]);
    assert.deepEqual(
      said.map(({ kind }) => kind),
      ['EgressIPSeen'],
    );
    assert.deepEqual(saidOf(world, []), [], 'once');
  });

  it('is not told when nothing of it changed', () => {
    assert.deepEqual(saidOf(opened(), [web('a'), web('a')]), []);
  });
});

describe('a node that changes and changes back before anybody looks', () => {
  it('is not told: nobody here writes nodes', () => {
    const unready = nodeObject('a', 'uid-a', 1, 'False');
    const world = opened();
    for (const one of [unready, node]) room.sense(world, put(NODES, one));
    assert.deepEqual(saidOf(world, []), []);
  });
});
