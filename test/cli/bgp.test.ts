/** What `sluice status` and `sluice why` say of BGP routing. */
import assert from 'node:assert/strict';
import { status } from '../../cli/status.ts';
import { why } from '../../cli/why.ts';
import { adviceOn } from '../../services/bgp/explain-help.ts';
import { Field } from '../bgp/field.ts';
import { givenConfig, givenRouting, zones3 } from '../bgp/givens.ts';
import { logOf, screenAt } from './stage.ts';

const settings = { excluded: undefined };

function field(): Field {
  const made = Field.withNodes('ab');
  made.config(givenConfig({ zones: zones3.slice(0, 2) }));
  made.namespace('app1', 'prod');
  made.routing(givenRouting());
  made.rest();
  return made;
}

async function show(made: Field): Promise<{ code: number; text: string }> {
  const screen = screenAt(made.nowMs + 90_000);
  const ask = { output: 'table', watch: false, headers: true, settings, place: 'here' } as const;
  const code = await status(logOf(made.log), ask, screen);
  return { code, text: screen.text() };
}

async function explain(made: Field, target: string): Promise<{ code: number; text: string }> {
  const screen = screenAt(made.nowMs + 90_000);
  const more = { address: undefined, output: 'text', all: false, settings } as const;
  const code = await why(logOf(made.log), { target, ...more }, screen);
  return { code, text: screen.text() };
}

describe('sluice status with BGP routing', () => {
  it('shows zones, neighbors, sessions and routings', async () => {
    const { code, text } = await show(field());
    assert.equal(code, 0);
    assert.equal(
      text.slice(text.indexOf('BGP')),
      `BGP  Ready for 90s  ASN 65001, bgp-keepalive  4 of 4 sessions established
ZONE        FRRCONFIGURATION     NODE      NEIGHBOR    ASN    SESSION      BFD
us-east-1a  cudn-bgp-us-east-1a  worker-a  10.0.1.47   64512  Established  –
us-east-1a  cudn-bgp-us-east-1a  worker-a  10.0.1.183  64512  Established  –
us-east-1b  cudn-bgp-us-east-1b  worker-b  10.0.2.91   64512  Established  –
us-east-1b  cudn-bgp-us-east-1b  worker-b  10.0.2.204  64512  Established  –

ROUTING  NETWORK  SUBNETS        NAMESPACES  SINCE  STATE
prod     prod     10.100.0.0/16  app1        90s    Ready
`,
    );
  });

  it('shows on AWS what the other side of each session says, too', async () => {
    const made = Field.withNodes('a');
    const aws = {
      ...{ region: 'us-east-1', routeServerIDs: ['rs-1'], adoptionPolicy: 'IfMatches' },
      ...{ sourceDestCheckScope: 'RouterNodes', restoreSourceDestCheck: false },
    };
    made.config(givenConfig({ zones: [], aws }));
    const group = {
      ...{ key: 'us-east-1a', zone: 'us-east-1a', nodes: [], localASN: 65001 },
      neighbors: ['10.0.1.47', '10.0.1.183'].map((address) => ({ address, remoteASN: 64512 })),
      livenessDetection: 'bgp-keepalive',
    };
    made.tellAws({ kind: 'NeighborsSeen', uid: 'uid-config', groups: [group] });
    const endpoint = { state: 'available', subnet: 's-1', zone: 'us-east-1a', because: '' };
    made.tellAws({
      kind: 'RouteServersSeen',
      region: 'us-east-1',
      servers: [
        {
          ...{ id: 'rs-1', state: 'available', asn: 64512, persistRoutes: false },
          endpoints: [
            { ...endpoint, id: 'rse-1', address: '10.0.1.47' },
            { ...endpoint, id: 'rse-2', address: '10.0.1.183' },
          ],
        },
      ],
    });
    const peer = {
      ...{ id: 'rsp-1', address: '10.0.1.10', asn: 65001, liveness: 'bgp-keepalive' },
      ...{ state: 'available', bgp: 'down', bfd: '', owner: 'us', ours: true },
      ...{ node: 'worker-a', because: '' },
    };
    const seen = { kind: 'PeersSeen', region: 'us-east-1', server: 'rs-1' } as const;
    made.tellAws({ ...seen, endpoint: 'rse-1', peers: [peer] });
    made.rest();
    const { text } = await show(made);
    assert.match(text, /10\.0\.1\.47 +64512 +Established +down +–/);
    assert.match(text, /10\.0\.1\.183 +64512 +Established +no peer +–/);
  });

  it('is not fine while a routing is not Ready, and says why in a word', async () => {
    const made = field();
    made.routing(givenRouting('twin', { network: 'prod', createdMs: made.nowMs + 1 }));
    made.deaf.add('10.0.2.91');
    made.pod('worker-a', false);
    made.rest();
    const { code, text } = await show(made);
    assert.equal(code, 1);
    assert.match(text, /^twin .* Degraded \(DuplicateNetwork\)$/m);
    assert.match(text, /worker-b +10\.0\.2\.91 +64512 +Active/);
    assert.match(text, /worker-a +10\.0\.1\.47 +64512 +Established \(stale\)/);
    assert.match(text, /1 of 4 sessions established/);
  });

  it('says nothing of BGP where nobody uses it', async () => {
    const { text } = await show(Field.withNodes('a'));
    assert.doesNotMatch(text, /BGP|bgp|aws-sync/);
  });
});

describe('sluice why cudnbgprouting/NAME', () => {
  it('tells how it stands, condition by condition, and what to do', async () => {
    const made = field();
    made.routing(givenRouting('twin', { network: 'prod', createdMs: made.nowMs + 1 }));
    made.rest();
    const { code, text } = await explain(made, 'cudnbgprouting/twin');
    assert.equal(code, 1);
    assert.match(text, /^cudnbgprouting\/twin is Degraded \(DuplicateNetwork\) for 90s\.$/m);
    assert.match(text, /cluster-udn-prod, in app1, held by prod\.$/m);
    assert.match(text, /^CUDNCreated +False +DuplicateNetwork +network prod is that of prod/m);
    assert.match(text, /^What to do: Delete one of the two/m);
    assert.match(text, /^Because of:\n {2}bgp \d+ /m);
  });

  it('is satisfied with one that is Ready, and knows the config too', async () => {
    assert.equal((await explain(field(), 'cudnbgprouting/prod')).code, 0);
    const { code, text } = await explain(field(), 'cudnbgpconfig/cluster');
    assert.equal(code, 0);
    assert.match(text, /^SessionsEstablished +True +Established +4 sessions established$/m);
    assert.doesNotMatch(text, /CUDNBgpRouting/, 'nobody asked for routings');
  });

  it('says what to do about trouble with AWS too, also where True is the bad news', () => {
    const advice = (type: string, status: 'True' | 'False', reason: string): string =>
      adviceOn({ type, status, reason, message: '' });
    assert.match(advice('NodeInventoryComplete', 'False', 'NodesIncomplete'), /providerID/);
    assert.match(advice('CleanupBlocked', 'True', 'Unauthorized'), /^Allow the action/);
    assert.equal(advice('ZonesCovered', 'True', 'Covered'), '');
  });

  it('helps with a name that is not there', async () => {
    await assert.rejects(explain(field(), 'cudnbgprouting/prd'), /Did you mean "prod"\?/);
    await assert.rejects(explain(field(), 'cudnbgpconfig/mine'), /no CUDNBgpConfig "mine"/);
  });
});
