/** A rehearsal on a cloud: what must never be seen there, and how it complains. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Guard } from '../../cli/rehearse/guard.ts';
import { parseScript } from '../../cli/rehearse/parse.ts';
import { rehearse } from '../../cli/rehearse/rehearse.ts';
import { Stage } from '../../cli/rehearse/stage.ts';
import { CLOUD_CLAIMS, EGRESSIPS } from '../../edge/simulated/admission.ts';

const settings = 'settings: { platform: AWS }\n---\n';
const node = 'nodes: { a: { address: 10.0.1.11/24, capacity: 1 } }\n---\n';
const spec = { egressIPs: ['10.0.1.100'], namespaceSelector: {} };
const status = { items: [{ egressIP: '10.0.1.100', node: 'a' }] };

function claim(owner: string, on: string, assigned: string): object {
  return {
    metadata: { annotations: { 'k8s.ovn.org/egressip-owner-ref': owner } },
    spec: { node: 'a' },
    status: { node: on, conditions: [{ type: 'Assigned', status: assigned }] },
  };
}

const stageOf = (text: string): Stage => new Stage(parseScript(text), () => undefined);

describe('a rehearsal on a cloud', () => {
  for (const [what, there] of [
    ['is under way', claim('web', 'a', 'Unknown')],
    ['is on another node', claim('web', 'b', 'True')],
    ['is for another EgressIP', claim('shop', 'a', 'True')],
  ] as const)
    it(`never lets an address into a status while its claim ${what}`, () => {
      const stage = stageOf(settings + node);
      const guard = new Guard(stage);
      stage.world.cluster.set(CLOUD_CLAIMS, '10.0.1.100', { ...there });
      stage.world.cluster.set(EGRESSIPS, 'web', { spec, status });
      assert.match(guard.look().join(), /in the status of web on a, which the cloud did not conf/);
    });

  it('never lets a claim be moved or deleted while a status has the address', () => {
    const stage = stageOf(settings + node);
    const guard = new Guard(stage);
    stage.world.cluster.set(CLOUD_CLAIMS, '10.0.1.100', { ...claim('web', 'a', 'True') });
    stage.world.cluster.set(EGRESSIPS, 'web', { spec, status });
    assert.deepEqual(guard.look(), []);
    const request = { path: '', contentType: '' };
    const move = { ...request, method: 'PATCH', body: { spec: { node: 'b' } } } as const;
    const remove = { ...request, method: 'DELETE', body: undefined } as const;
    const owner = { ...request, method: 'PATCH', body: { metadata: {} } } as const;
    assert.match(
      guard.lookAtClaim('10.0.1.100', move).join(),
      /taken from its node, but stands in/,
    );
    assert.match(guard.lookAtClaim('10.0.1.100', remove).join(), /taken from its node/);
    assert.deepEqual(guard.lookAtClaim('10.0.1.100', owner), []);
    assert.deepEqual(guard.lookAtClaim('10.0.1.101', remove), []);
  });

  it('says what is there where a claim is not as expected', async () => {
    const lines: string[] = [];
    const expected = 'expect: { claims: { 10.0.1.100: a, 10.0.1.101: { node: a, owner: web } } }\n';
    const web = 'egressips: { web: { addresses: [10.0.1.101], nodeSelector: {} } }\n---\n';
    await rehearse(`${settings}${node}${web}step: look\n${expected}`, {
      print: (line) => lines.push(line),
    });
    assert.ok(
      lines.some((line) => line.startsWith('FAILED  claim of 10.0.1.100 on a; there is no')),
    );
    assert.ok(lines.includes('ok      claim of 10.0.1.101 on a'));
  });

  it('complains about a cloud that is none, unknown manners and no address', async () => {
    const complaint = (text: string): Promise<unknown> =>
      rehearse(text, { print: () => undefined }).then(
        () => '',
        (error: unknown) => (error as Error).message,
      );
    assert.match(
      String(await complaint(`${node}step: x\ncloud: { delay: 1s }\n`)),
      /:4:1: there is no cloud: say so by settings\.platform/,
    );
    assert.match(
      String(await complaint(`${settings}${node}step: x\ncloud: { delays: 1s }\n`)),
      /cloud has no "delays"; did you mean "delay"/,
    );
    assert.match(
      String(await complaint(`${settings}${node}step: x\nexpect: { claims: { x: a } }\n`)),
      /"x" is no IP address/,
    );
  });

  it('holds as docs/cloud.md shows it', async () => {
    const document = readFileSync(new URL('../../docs/cloud.md', import.meta.url), 'utf8');
    const [, text = ''] = /```yaml\n(.+?)```/s.exec(document) ?? [];
    const lines: string[] = [];
    const tally = await rehearse(text, { print: (line) => lines.push(line) });
    assert.deepEqual(tally, { passed: 4, failed: 0 }, lines.join('\n'));
  });
});
