/** `sluice verify` and what is made for BGP routing: objects, statuses, writes, and AWS. */
import assert from 'node:assert/strict';
import type { PeerChange } from '../../core/aws-decision.ts';
import type { AwsFact, SeenPeer } from '../../core/aws-fact.ts';
import type { CloudClaim, Fact } from '../../core/fact.ts';
import { canonicalJson } from '../../core/canonical.ts';
import type { Listed } from '../../cli/verify-listed.ts';
import { writtenKinds } from '../../cli/verify-listed.ts';
import type { VerifyAsk } from '../../cli/verify.ts';
import { RoutingBench } from '../publisher/bgp-bench.ts';
import { answer, type Json } from '../publisher/bgp-model.ts';
import { awsJudged, decided, frrSpec, redecided, settled } from '../publisher/bgp-scene.ts';
import { egressIP, where } from './scene.ts';
import { logOf } from './stage.ts';
import { type Answer, verified } from './verify-bench.ts';

/** On the log as it is, so many seconds later. */
const verify = (
  { heard, nowMs }: RoutingBench,
  seconds = 11,
  more: Partial<VerifyAsk> = {},
): Promise<Answer> => verified(logOf(heard), nowMs + seconds * 1_000, more);

/** Somebody changes az-a, and the watcher tells it while the publisher is down. */
function edit(bench: RoutingBench, change: (object: Json) => void): void {
  bench.model.edit('frrconfigurations', 'az-a', change);
  bench.deliver();
}

const rows = ({ text }: Answer): readonly string[] =>
  text.split('\n').filter((line) => /\/\S+ +(status|aws|write|gap) /.test(line));

describe('sluice verify and the objects of BGP routing', () => {
  let bench: RoutingBench;

  /** FRRConfiguration az-a and the status of the CUDNBgpConfig are as decided. */
  beforeEach(async () => {
    bench = await settled();
  });

  it('is content when all is in the cluster as decided, and counts it', async () => {
    const { code, text } = await verify(bench);
    assert.match(text, /^publisher +1 write compared with the decisions$/m);
    assert.match(text, /^cluster +0 EgressIPs, 2 objects of BGP routing as the watcher saw/m);
    assert.equal(code, 0, text);
  });

  it('tells each place that is not as decided, once it had time to be restored', async () => {
    edit(bench, ({ spec }) => (spec.bgp.routers[0].asn = 1));
    const soon = await verify(bench, 1);
    assert.match(soon.text, /; 1 write may be on the way$/m);
    assert.equal(soon.code, 0, soon.text);
    const { code, text } = await verify(bench);
    assert.match(
      text,
      /^cluster +now +frrconfiguration\/az-a +status +spec.+asn: the cluster has 1, decided/m,
    );
    assert.equal(code, 1);
  });

  it('tells a label that was taken away, and an object that is not there', async () => {
    edit(bench, ({ metadata }) => delete metadata.labels['sluice.dev/advertised']);
    const changed = await verify(bench);
    assert.match(
      changed.text,
      /label sluice\.dev\/advertised: the cluster has –, decided is true$/m,
    );
    bench.model.remove('frrconfigurations', 'az-a');
    bench.deliver();
    const gone = await verify(bench);
    assert.match(gone.text, /frrconfiguration\/az-a +status +object: the cluster has –, decided/m);
    assert.equal(gone.code, 1);
  });

  it('tells an object with our label that no decision is on', async () => {
    const metadata = {
      name: 'az-z',
      labels: { 'app.kubernetes.io/managed-by': 'cudn-bgp-routing-operator' },
    };
    bench.model.put('frrconfigurations', { metadata, spec: frrSpec });
    bench.deliver();
    const { code, text } = await verify(bench);
    assert.match(text, /frrconfiguration\/az-z +status +has our label .* no decision is on this/m);
    assert.equal(code, 1);
    bench.hear('bgp', decided('FRRConfiguration', 'az-z', { want: 'untouched' }));
    assert.equal((await verify(bench)).code, 0, 'one that was let go keeps its label');
  });

  it('leaves objects of others alone', async () => {
    bench.model.put('frrconfigurations', { metadata: { name: 'theirs' }, spec: frrSpec });
    bench.deliver();
    assert.equal((await verify(bench)).code, 0);
  });

  it('tells a status of a CUDNBgpConfig that is not as decided', async () => {
    bench.model.edit('cudnbgpconfigs', 'cluster', ({ status }) => {
      status.phase = 'Degraded';
      status.conditions[0].status = 'False';
    });
    bench.deliver();
    const { code, text } = await verify(bench);
    assert.match(
      text,
      /cudnbgpconfig\/cluster +status +phase: the cluster has Degraded, decided is R/m,
    );
    assert.match(
      text,
      /FRRConfigurationApplied: the cluster has False \(Applied\), decided is True/m,
    );
    assert.equal(code, 1);
  });

  it('says why the publisher could not write it', async () => {
    bench.model.fault = ({ method }) =>
      method === 'PATCH' ? answer(403, {}, 'denied by policy') : undefined;
    bench.model.edit('frrconfigurations', 'az-a', ({ spec }) => (spec.bgp.routers[0].asn = 1));
    await bench.rest();
    const { code, text } = await verify(bench);
    assert.match(text, /decided is 65001 \(the publisher: denied by policy\)$/m);
    assert.equal(code, 1);
  });

  it('finds a write that its decision did not ask for', async () => {
    const uid = bench.model.get('frrconfigurations', 'az-a').metadata.uid;
    const decision = bench.heard.findLast(({ event }) => event.kind === 'ObjectDecided')?.sequence;
    bench.hear('publisher', {
      ...{ kind: 'ObjectPublished', object: 'FRRConfiguration', name: 'az-a', uid },
      ...{ decision: decision ?? 0, wrote: 'delete', failing: '', failure: '', accepted: '' },
      ...{ before: '', foreign: '', shadow: false },
    });
    const { code, text } = await verify(bench);
    assert.match(
      text,
      /frrconfiguration\/az-a +write +the delete was carried out, but bgp \d+ did/m,
    );
    assert.equal(code, 1);
  });

  it('leaves out what is somebody else’s to write, in shadow mode', async () => {
    edit(bench, ({ spec }) => (spec.bgp.routers[0].asn = 1));
    bench.hear('publisher', {
      ...{ kind: 'ObjectPublished', object: 'FRRConfiguration', name: 'az-a', uid: '' },
      ...{ decision: 0, wrote: 'update', failing: '', failure: '', accepted: '', before: '' },
      ...{ foreign: '', shadow: true },
    });
    const { code, text } = await verify(bench);
    assert.match(text, /1 in shadow mode left out$/m);
    assert.equal(code, 0, text);
  });
});

describe('sluice verify and CloudPrivateIPConfigs', () => {
  const address = '203.0.113.100';
  const claim = (more: Partial<CloudClaim>): Fact => ({
    kind: 'CloudClaimSeen',
    claim: {
      ...{ name: address, uid: 'uid-1', owner: 'web', node: 'a', statusNode: 'a' },
      ...{ assigned: 'True', message: '', sinceMs: 0, deleting: false, ...more },
    },
  });

  /** web is to be on a, in the cloud too; so far nobody has made anything of it. */
  function decidedOnA(): RoutingBench {
    const bench = new RoutingBench();
    bench.hear('watcher', { kind: 'PlatformSeen', platform: 'AWS', infrastructureName: '' });
    bench.hear('watcher', egressIP('web', [address], where({})));
    bench.hear('watcher', { kind: 'Synced', kinds: [], probing: 'off' });
    bench.hear('assigner', {
      ...{ kind: 'EgressIPDecided', name: 'web', uid: 'uid-web' },
      placements: [{ address, node: 'a', previous: '' }],
      ...{ refusals: [], mark: 0, markSerial: 0, cloud: true, rests: [], notices: [] },
    });
    return bench;
  }

  it('tells one that is not there, and one that is for another node', async () => {
    const bench = decidedOnA();
    const missing = await verify(bench);
    assert.match(
      missing.text,
      /cloudprivateipconfig\/\S+ +status .*: the cluster has –, decided is a \(web\)$/m,
    );
    bench.hear('watcher', claim({ node: 'b', statusNode: 'b' }));
    assert.equal((await verify(bench, 1)).code, 0, 'it may be moved this very moment');
    const elsewhere = await verify(bench);
    assert.match(elsewhere.text, /the cluster has b \(web\), decided is a \(web\)$/m);
    assert.equal(elsewhere.code, 1);
  });

  it('tells one with our mark that nobody wants, and not one of somebody else', async () => {
    const bench = decidedOnA();
    bench.hear('watcher', claim({}));
    bench.hear('watcher', claim({ name: '203.0.113.7', uid: 'uid-7', owner: '' }));
    const { text } = await verify(bench);
    assert.match(text, /^cluster +1 EgressIP, 2 CloudPrivateIPConfigs as the watcher saw them/m);
    assert.deepEqual(
      rows({ code: 0, text }).filter((row) => row.includes('cloudprivateipconfig/')),
      [],
    );
    bench.hear('watcher', claim({ name: '203.0.113.8', uid: 'uid-8', owner: 'gone' }));
    const left = await verify(bench);
    assert.match(left.text, /203\.0\.113\.8: the cluster has a \(gone\), decided is –$/m);
  });
});

describe('sluice verify with a kubeconfig', () => {
  /** As the API server lists them, one look after the other. */
  const looks = (...each: readonly (readonly Json[])[]): Partial<VerifyAsk> => {
    let taken = 0;
    const cluster = async (): Promise<readonly Listed[]> => {
      const objects = each[Math.min(taken++, each.length - 1)] ?? [];
      return writtenKinds
        .filter(({ plural }) => plural === 'frrconfigurations')
        .map((kind) => {
          const things = objects.map((object) => kind.project(object));
          return { kind, things: things.filter((thing) => thing !== undefined) };
        });
    };
    return { cluster };
  };

  it('reads every object from the cluster, and tells what is not there', async () => {
    const bench = await settled();
    const found = bench.model.get('frrconfigurations', 'az-a');
    const same = await verify(bench, 11, looks([found]));
    assert.equal(same.code, 0, same.text);
    assert.match(same.text, /2 objects of BGP routing as the cluster has them$/m);
    const gone = await verify(bench, 11, looks([]));
    assert.match(gone.text, /frrconfiguration\/az-a +status +object: the cluster has –/m);
    assert.equal(gone.code, 1);
  });

  it('looks twice: what is restored in between is no finding', async () => {
    const bench = await settled();
    const found = bench.model.get('frrconfigurations', 'az-a');
    let paused = 0;
    const pause = async (ms: number): Promise<void> => void (paused += ms);
    const { code, text } = await verify(bench, 11, { ...looks([], [found]), pause });
    assert.equal(code, 0, text);
    assert.equal(paused, 10_000);
    const { code: late } = await verify(bench, 11, { ...looks([found], []), pause });
    assert.equal(late, 0, 'a first look that finds nothing is enough');
  });

  it('says that a change which only the second look shows may be on the way', async () => {
    const bench = await settled();
    const found = bench.model.get('frrconfigurations', 'az-a');
    const changed = structuredClone(found);
    changed.spec.bgp.routers[0].asn = 1;
    const { code, text } = await verify(bench, 11, looks([], [changed]));
    assert.match(text, /; 1 write may be on the way$/m);
    assert.equal(code, 0, text);
  });
});

describe('sluice verify and AWS', () => {
  const peer = (more: Partial<SeenPeer>): SeenPeer => ({
    ...{ id: 'rsp-1', address: '10.0.1.5', asn: 65_001, liveness: 'bgp-keepalive' },
    ...{ state: 'available', bgp: 'up', bfd: '', owner: 'us', ours: true, node: 'r-1' },
    ...{ because: '', ...more },
  });
  const peers = (...seen: readonly SeenPeer[]): AwsFact => ({
    ...{ kind: 'PeersSeen', region: 'us-east-1', server: 'rs-1', endpoint: 'rse-1', peers: seen },
  });
  const change: PeerChange = {
    ...{ change: 'create', region: 'us-east-1', server: 'rs-1', endpoint: 'rse-1' },
    ...{ address: '10.0.1.5', id: '', asn: 65_001, liveness: 'bgp-keepalive', node: 'r-1' },
    made: false,
  };
  const LATER = 400;
  let bench: RoutingBench;
  let uid: string;

  beforeEach(async () => {
    bench = await settled();
    uid = bench.model.get('cudnbgpconfigs', 'cluster').metadata.uid;
  });

  it('is content with a judgement that the peers bear out', async () => {
    bench.hear('aws-sync', peers(peer({})));
    bench.hear('aws-sync', awsJudged(uid, 'Ready', []));
    assert.deepEqual(rows(await verify(bench, LATER)), []);
  });

  it('tells a call of which nobody knows what came of it, until a listing shows it', async () => {
    bench.hear('aws-sync', { kind: 'PeerIntended', ...change, because: 'r-1 wants it' });
    const { code, text } = await verify(bench, LATER);
    assert.match(text, /peer\/rse-1:10\.0\.1\.5 +aws .*; nothing tells what came of it$/m);
    assert.equal(code, 1);
    assert.equal((await verify(bench, 60)).code, 0, 'it may be on its way');
    bench.hear('aws-sync', peers(peer({})));
    assert.deepEqual(rows(await verify(bench, LATER)), []);
  });

  it('tells a judgement that what was seen contradicts', async () => {
    bench.hear('aws-sync', awsJudged(uid, 'Ready', []));
    bench.hear('aws-sync', peers(peer({ state: 'failed' })));
    const failed = await verify(bench, LATER);
    assert.match(failed.text, /says that all is Ready, but peer rsp-1 \(10\.0\.1\.5\) is failed$/m);
    bench.hear('aws-sync', awsJudged(uid, 'Ready', [], { released: true }));
    const left = await verify(bench, LATER);
    assert.match(left.text, /says that nothing of ours is left in AWS, but peer rsp-1 /m);
    const status = canonicalJson({ region: 'us-east-1' });
    bench.hear('aws-sync', awsJudged(uid, 'Ready', [], { released: true, status }));
    assert.doesNotMatch((await verify(bench, LATER)).text, / aws /, 'it was orphaned by wish');
  });

  it('tells a peer with our tag that no decision is on', async () => {
    bench.hear('aws-sync', peers(peer({ node: '' }), peer({ ours: false, node: '', id: 'rsp-2' })));
    const { text } = await verify(bench, LATER);
    assert.match(text, /aws +peer rsp-1 \(10\.0\.1\.5\) has our tag, but no decision is on it$/m);
    assert.doesNotMatch(text, /rsp-2/);
  });

  it('says nothing of AWS where aws-sync never spoke', async () => {
    await redecided(bench);
    assert.deepEqual(rows(await verify(bench, LATER)), []);
  });
});
