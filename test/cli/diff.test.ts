/** `sluice diff`: what the cluster has, and what Sluice would write. */
import assert from 'node:assert/strict';
import { diff } from '../../cli/diff.ts';
import { Failure } from '../../cli/failure.ts';
import type { Decision } from '../../core/decision.ts';
import type { Event, Heard } from '../../core/event.ts';
import type { Item } from '../../core/fact.ts';
import { routing, settled } from '../publisher/bgp-scene.ts';
import { egressIP } from './scene.ts';
import { logOf, screenAt } from './stage.ts';

const web: Item = { egressIP: '203.0.113.10', node: 'worker-1' };

function decided(node: string): Decision {
  const placements = [{ address: web.egressIP, node, previous: '' }];
  const level = { name: 'web', uid: 'uid-web', placements, refusals: [], mark: 0, markSerial: 0 };
  return { kind: 'EgressIPDecided', ...level, cloud: false, rests: [], notices: [] };
}

const heard = (stream: 'watcher' | 'assigner', event: Event): Heard => ({
  stream,
  sequence: 1,
  atMs: 0,
  causes: [],
  said: '',
  event,
});

async function run(
  node: string,
  output: 'table' | 'json' = 'table',
  name?: string,
): Promise<{ code: number; text: string }> {
  const log = logOf([
    heard('watcher', egressIP('web', [web.egressIP], undefined, [web])),
    heard('assigner', decided(node)),
  ]);
  const screen = screenAt(0);
  const code = await diff(log, { name, output }, screen);
  return { code, text: screen.text() };
}

describe('sluice diff', () => {
  it('shows what differs, address by address, and exits with 1', async () => {
    assert.deepEqual(await run('worker-2'), {
      code: 1,
      text:
        'OBJECT        WHAT          CLUSTER   SLUICE\n' +
        'egressip/web  203.0.113.10  worker-1  worker-2\n' +
        '1 difference on 1 object.\n',
    });
  });

  it('says so when nothing differs, and exits with 0', async () => {
    const { code, text } = await run('worker-1');
    assert.deepEqual([code, text], [0, 'The cluster has what Sluice would write.\n']);
    assert.equal((await run('worker-1', 'table', 'web')).code, 0);
  });

  it('answers as JSON for scripts', async () => {
    const { code, text } = await run('worker-2', 'json', 'web');
    assert.equal(code, 1);
    const of = { kind: 'egressip', name: 'web', what: '203.0.113.10' };
    const differences = [{ ...of, cluster: 'worker-1', sluice: 'worker-2' }];
    assert.deepEqual(JSON.parse(text), { differences });
  });

  it('does not take an EgressIP that is not there for one that is in order', async () => {
    await assert.rejects(run('worker-1', 'table', 'wbe'), Failure);
  });

  it('shows what differs on one resource of BGP routing, with what is made for it', async () => {
    const bench = await settled();
    bench.model.edit('frrconfigurations', 'az-a', ({ spec }) => (spec.bgp.routers[0].asn = 1));
    bench.model.edit('cudnbgpconfigs', 'cluster', ({ status }) => (status.phase = 'Pending'));
    routing(bench, 'prod');
    bench.deliver();
    const of = async (name: string): Promise<{ code: number; text: string }> => {
      const screen = screenAt(0);
      const code = await diff(logOf(bench.heard), { name, output: 'table' }, screen);
      return { code, text: screen.text() };
    };
    const { code, text } = await of('cudnbgpconfig/cluster');
    assert.match(text, /^cudnbgpconfig\/cluster +phase +Pending +Ready$/m);
    assert.match(text, /^frrconfiguration\/az-a +spec\.bgp\.routers\[0\]\.asn +1 +65001$/m);
    assert.equal(code, 1);
    const other = await of('cudnbgprouting/prod');
    assert.equal(other.text, 'The cluster has what Sluice would write on cudnbgprouting/prod.\n');
    assert.equal(other.code, 0);
    await assert.rejects(of('cudnbgprouting/prad'), /there is no cudnbgprouting\/prad.*"prod"\?$/);
    await assert.rejects(of('pod/prod'), /cudnbgpconfig\/NAME or cudnbgprouting\/NAME is the form/);
  });
});
