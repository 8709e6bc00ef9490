/** `sluice rehearse`: what it prints, what it counts, and how it complains. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rehearse } from '../cli/rehearse/rehearse.ts';
import { Guard } from '../cli/rehearse/guard.ts';
import { parseScript } from '../cli/rehearse/parse.ts';
import { Stage } from '../cli/rehearse/stage.ts';
import { tailLine } from '../core/line.ts';
import { EGRESSIPS } from '../edge/simulated/admission.ts';

const cluster = `nodes:
  worker-1: { address: 10.0.1.11/24, labels: { k8s.ovn.org/egress-assignable: '' } }
egressips:
  web: { addresses: [10.0.1.100] }
---
`;

async function play(text: string) {
  const lines: string[] = [];
  const tally = await rehearse(text, { file: 'story.yaml', print: (line) => lines.push(line) });
  return { lines, tally };
}

describe('a rehearsal', () => {
  it('prints the tail as it happens, each expectation, and a count last', async () => {
    const { lines, tally } = await play(
      `${cluster}step: look\nexpect:\n  status: { web: { 10.0.1.100: worker-1 } }\n  writes: 7\n`,
    );
    const placed = lines.find((line) => line.includes('placed on'));
    assert.match(
      placed ?? '',
      /^10:00:00\.000  assigner {3}egressip\/web {14}10\.0\.1\.100 placed on worker-1 {3}← wat/,
    );
    assert.ok(lines.includes('ok      status of web: 10.0.1.100 on worker-1'));
    assert.ok(lines.includes('FAILED  writes 7; got 1   (story.yaml:9:3)'));
    assert.equal(lines.at(-1), '1 passed, 1 failed');
    assert.deepEqual(tally, { passed: 1, failed: 1 });
  });

  it('says what is there where a status, an event or a sentence is not as expected', async () => {
    const { lines } = await play(`${cluster}step: look
expect:
  status: { web: none }
  events: { web: [Moved, 'Assigned: on mars'] }
  probed: none
  marks: { web: 50001 }
  said: [nonsense]
`);
    const failed = lines.filter((line) => line.startsWith('FAILED'));
    assert.equal(failed.length, 6);
    assert.match(failed[0] ?? '', /status of web: empty; got 10\.0\.1\.100 on worker-1/);
    assert.match(failed[1] ?? '', /Moved; got Assigned: 10\.0\.1\.100 is on worker-1/);
    assert.match(failed[3] ?? '', /probed none; got worker-1/);
    assert.match(failed[4] ?? '', /mark of web 50001; got 50000/);
  });

  it('never lets an address stand in two statuses unnoticed, whatever is expected', () => {
    const stage = new Stage(parseScript(cluster), () => undefined);
    const guard = new Guard(stage);
    const spec = { egressIPs: ['10.0.1.100'], namespaceSelector: {} };
    const status = { items: [{ egressIP: '10.0.1.100', node: 'worker-1' }] };
    stage.world.cluster.set(EGRESSIPS, 'web', { spec, status });
    assert.deepEqual(guard.look(), []);
    stage.world.cluster.set(EGRESSIPS, 'other', { spec, status });
    assert.deepEqual(guard.look(), ['10.0.1.100 stands in the status of web and of other']);
    assert.deepEqual(guard.look(), []);
  });

  it('takes what kubectl prints of a cluster, uids and all', async () => {
    const { tally } = await play(`apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Node
    metadata:
      name: worker-1
      uid: 9d1a
      labels: { k8s.ovn.org/egress-assignable: '' }
      annotations:
        k8s.ovn.org/node-primary-ifaddr: '{"ipv4":"10.0.1.11/24"}'
        k8s.ovn.org/node-subnets: '{"default":["10.244.0.0/24"]}'
        k8s.ovn.org/host-cidrs: '["10.0.1.11/24"]'
    status: { conditions: [{ type: Ready, status: 'True' }] }
  - apiVersion: k8s.ovn.org/v1
    kind: EgressIP
    metadata: { name: web, uid: 77aa, annotations: { k8s.ovn.org/egressip-mark: '50000' } }
    spec: { egressIPs: [10.0.1.100], namespaceSelector: {} }
    status: { items: [{ egressIP: 10.0.1.100, node: worker-1 }] }
---
step: as it was
expect: { status: { web: { 10.0.1.100: worker-1 } }, writes: 0 }
`);
    assert.deepEqual(tally, { passed: 2, failed: 0 });
  });

  const document = readFileSync(new URL('../docs/rehearsal.md', import.meta.url), 'utf8');
  const examples = [...document.matchAll(/```yaml\n(.+?)```/gs)].map(([, text = '']) => text);
  for (const text of examples) {
    it(`holds as docs/rehearsal.md shows it: ${text.split('\n')[0]?.slice(2)}`, async () => {
      const { lines, tally } = await play(text);
      assert.equal(tally.failed, 0, lines.join('\n'));
      assert.ok(tally.passed >= 5);
      if (text === examples[0]) assert.ok(document.includes(`It ends with \`${lines.at(-1)}\``));
    });
  }

  it('is shown by two examples', () => assert.equal(examples.length, 2));
});

describe('a line of the tail', () => {
  const heard = {
    stream: 'assigner',
    sequence: 977,
    atMs: Date.UTC(2026, 0, 5, 10, 14, 2, 117),
    said: '203.0.113.10 placed on worker-3',
    event: { kind: 'EgressIPForgotten', name: 'prod-web', uid: '1', mark: 0, markSerial: 0 },
  } as const;

  it('tells when, who, about what, what, and why', () => {
    const causes = [
      { stream: 'watcher', sequence: 4812 },
      { stream: 'watcher', sequence: 4820 },
    ] as const;
    assert.equal(
      tailLine({ ...heard, causes }),
      '10:14:02.117  assigner   egressip/prod-web         203.0.113.10 placed on worker-3' +
        '   ← watcher 4812, 4820',
    );
  });

  it('has no arrow where nothing led to it', () => {
    assert.match(tailLine({ ...heard, causes: [] }), /placed on worker-3$/);
  });
});
