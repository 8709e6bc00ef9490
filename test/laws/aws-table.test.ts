/** Every state x owner x attributes of a peer, as the facts' table has it, and as AWS plays it. */
import assert from 'node:assert/strict';
import { verdictOf } from '../../services/aws-sync/verdict.ts';
import { usualTimes } from '../../services/aws-sync/input.ts';
import type { Peer } from '../aws/model.ts';
import { calls, OWNER, scene, standing } from '../stories/aws-cluster.ts';

const states = ['pending', 'available', 'deleting', 'deleted', 'failing', 'failed'] as const;
const owners = ['ours', 'nobody', 'other'] as const;
const policies = ['IfMatches', 'IfUntagged', 'Never'] as const;
type Owner = (typeof owners)[number];

/** The facts' table (1.1), line by line: ours, untagged, foreign, ours that differs. */
const spec: Readonly<Record<(typeof states)[number], readonly string[]>> = {
  pending: ['wait', 'adopt', 'conflict', 'wait'],
  available: ['keep', 'adopt', 'conflict', 'replace'],
  deleting: ['wait', 'wait', 'wait', 'wait'],
  deleted: ['', '', '', ''],
  failing: ['ailing', 'ailing', 'conflict', 'replace'],
  failed: ['replace', 'conflict', 'conflict', 'replace'],
};

describe('aws-sync: the table of peers', () => {
  for (const state of states) {
    if (state === 'deleted') continue;
    it(`${state}: as the facts say, with the usual policy`, () => {
      const [ours, untagged, foreign, differs] = spec[state];
      assert.equal(verdictOf(state, 'ours', false, 'IfMatches'), ours);
      assert.equal(verdictOf(state, 'nobody', false, 'IfMatches'), untagged);
      assert.equal(verdictOf(state, 'other', false, 'IfMatches'), foreign);
      assert.equal(verdictOf(state, 'other', true, 'IfUntagged'), foreign);
      assert.equal(verdictOf(state, 'ours', true, 'IfMatches'), differs);
    });
  }

  it('only a policy lets an untagged peer be taken over, and no policy a foreign one', () => {
    for (const state of states)
      for (const differs of [false, true])
        for (const policy of policies) {
          assert.notEqual(verdictOf(state, 'other', differs, policy), 'adopt');
          assert.notEqual(verdictOf(state, 'nobody', differs, 'Never'), 'adopt');
          assert.notEqual(verdictOf(state, 'nobody', differs, policy), 'replace');
          if (differs) assert.notEqual(verdictOf(state, 'nobody', true, 'IfMatches'), 'adopt');
        }
  });

  it('a state that nobody knows is left alone', () => {
    for (const owner of ['ours', 'nobody'] as const)
      assert.equal(verdictOf('constructor', owner, false, 'IfMatches'), 'strange');
  });
});

const tagsOf = (owner: Owner): Peer['tags'] =>
  owner === 'nobody' ? {} : { 'managed-by': owner === 'ours' ? OWNER : 'somebody/else' };

describe('aws-sync: a peer that is there already, whatever it is like', () => {
  for (const owner of owners)
    for (const differs of [false, true])
      it(`${owner}, ${differs ? 'another ASN' : 'as wanted'}, in each state`, async function () {
        this.timeout(60_000);
        for (const state of states)
          for (const adoptionPolicy of policies) {
            const settings = { times: { ...usualTimes, sessionMs: 20_000, retryMs: 10_000 } };
            const s = scene({ size: { zones: 1, nodes: 1 }, aws: { adoptionPolicy }, settings });
            const place = s.made.endpoints[0]?.id ?? '';
            const peer = s.bench.region.peer(place, s.made.nodes[0]?.address ?? '', {
              ...{ state, tags: tagsOf(owner), asn: differs ? 64_999 : 65_001 },
            });
            await s.bench.run(150_000);
            const title = `${state} ${owner} ${differs} ${adoptionPolicy}`;
            const live = s.bench.region.livePeers().filter((p) => p.endpointId === place);
            assert.equal(live.length, 1, title);
            const survives = live[0]?.id === peer.id;
            const isOurs = live[0]?.asn === 65_001 && live[0].tags['managed-by'] === OWNER;
            const isGood = isOurs && live[0]?.state === 'available';
            assert.equal(standing(s.bench) === 'True Reconciled', isGood, title);
            if (owner === 'other' && !['deleting', 'deleted'].includes(state)) {
              assert.ok(survives, title);
              assert.deepEqual(live[0]?.tags, tagsOf(owner), title);
              assert.equal(calls(s, 'CreateTags'), 0, title);
            }
            s.bench.aws.check();
          }
      });
});
