/** The small words of the command line: tables, spans of time, filters, hints, servers. */
import assert from 'node:assert/strict';
import type { Heard } from '../../core/event.ts';
import { age, moment, parseSince, parseSpan } from '../../cli/age.ts';
import { didYouMean, Failure } from '../../cli/failure.ts';
import { parseFilter, passes, streamsOf, subjectRest } from '../../cli/filter.ts';
import { logOptionsOf } from '../../cli/login.ts';
import { table } from '../../cli/table.ts';
import { printable } from '../../cli/terminal.ts';
import { egressIP, node, probe, seen } from './scene.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('a table', () => {
  it('has columns two blanks apart and nothing behind the last one', () => {
    const text = table(
      ['NODE', 'STATE'],
      [
        ['worker-1', 'Placed'],
        ['–', ''],
      ],
    );
    assert.equal(text, 'NODE      STATE\nworker-1  Placed\n–\n');
  });

  it('is narrower without heads', () => {
    assert.equal(table(undefined, [['a', 'b']]), 'a  b\n');
  });
});

describe('a span of time', () => {
  const spans: readonly (readonly [number, string])[] = [
    [0, '0s'],
    [-5, '0s'],
    [12 * second, '12s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [9 * minute + 30 * second, '9m30s'],
    [40 * minute, '40m'],
    [3 * hour + 5 * minute, '3h5m'],
    [30 * hour, '30h'],
    [3 * day, '3d'],
    [3 * day + 4 * hour, '3d4h'],
    [100 * day, '100d'],
    [800 * day, '2y70d'],
  ];
  for (const [ms, text] of spans) {
    it(`of ${ms} ms reads ${text}, as kubectl writes it`, () => assert.equal(age(ms), text));
  }

  it('is read with one unit or several', () => {
    assert.equal(parseSpan('90s'), 90 * second);
    assert.equal(parseSpan('1h30m'), 90 * minute);
    assert.equal(parseSpan('2d'), 2 * day);
    for (const text of ['', '5', 'h', '1h-', '-1h', '1w']) assert.equal(parseSpan(text), undefined);
  });

  it('or a time tells since when', () => {
    const nowMs = Date.parse('2026-11-30T10:14:00Z');
    const since = (text: string): string => new Date(parseSince(text, nowMs) ?? 0).toISOString();
    assert.equal(since('1h'), '2026-11-30T09:14:00.000Z');
    assert.equal(since('2026-11-29'), '2026-11-29T00:00:00.000Z');
    assert.equal(since('2026-11-29 10:14'), '2026-11-29T10:14:00.000Z');
    assert.equal(since('2026-11-29T10:14:00+02:00'), '2026-11-29T08:14:00.000Z');
    for (const text of ['yesterday', '2026-13-01', '10:14'])
      assert.equal(parseSince(text, nowMs), undefined, text);
  });

  it('names the day when it is another one', () => {
    const nowMs = Date.parse('2026-11-30T10:14:00Z');
    assert.equal(moment(nowMs - minute, nowMs), '10:13:00');
    assert.equal(moment(nowMs - day, nowMs), '2026-11-29 10:14:00');
  });
});

const base = { sequence: 1, atMs: 0, causes: [], said: '' };
const heard: Readonly<Record<string, Heard>> = {
  web: { ...base, stream: 'watcher', event: egressIP('prod-web', [], undefined) },
  decided: {
    ...base,
    stream: 'assigner',
    event: { kind: 'EgressIPForgotten', name: 'staging', uid: '', mark: 0, markSerial: 0 },
  },
  worker: { ...base, stream: 'watcher', event: seen(node('worker-1', 1)) },
  probe: { ...base, stream: 'watcher', event: probe('worker-1', true) },
};

function passing(...words: string[]): readonly string[] {
  const filter = parseFilter(words);
  return Object.keys(heard).filter((name) => passes(filter, heard[name] as Heard));
}

describe('a filter of the tail', () => {
  it('lets everything pass when there is none', () => {
    assert.deepEqual(passing(), ['web', 'decided', 'worker', 'probe']);
  });

  it('is a speaker, a kind, or a kind and a name', () => {
    assert.deepEqual(passing('assigner'), ['decided']);
    assert.deepEqual(passing('egressip'), ['web', 'decided']);
    assert.deepEqual(passing('egressip/prod-*'), ['web']);
    assert.deepEqual(passing('eip/prod-we?'), ['web']);
    assert.deepEqual(passing('egressip/prod'), []);
  });

  it('on a node shows its probes as well', () => {
    assert.deepEqual(passing('node/worker-1'), ['worker', 'probe']);
  });

  it('widens with another of its sort and narrows with one of the other sort', () => {
    assert.deepEqual(passing('egressip/prod-*', 'probe'), ['web', 'probe']);
    assert.deepEqual(passing('assigner', 'egressip'), ['decided']);
    assert.deepEqual(passing('watcher', 'assigner', 'egressip'), ['web', 'decided']);
  });

  it('takes a dot in a name as a dot', () => {
    assert.deepEqual(passing('egressip/prod.web'), []);
  });

  it('lets the server sort out what it can', () => {
    assert.equal(subjectRest(parseFilter(['egressip/a.b'])), 'egressip.a_b');
    assert.equal(subjectRest(parseFilter(['egressip/prod-*'])), 'egressip.*');
    assert.equal(subjectRest(parseFilter(['node/worker-1'])), undefined);
    assert.equal(subjectRest(parseFilter(['egressip', 'probe'])), undefined);
    assert.deepEqual(streamsOf(parseFilter(['assigner', 'egressip'])), ['assigner']);
  });

  it('that cannot be read is refused with what was perhaps meant', () => {
    assert.throws(() => parseFilter(['egresip/web']), /no filter\. Did you mean "egressip"\?/);
    assert.throws(() => parseFilter(['asigner']), /Did you mean "assigner"\?/);
    assert.throws(() => parseFilter(['egressip/']), Failure);
    assert.throws(() => parseFilter(['constructor/x']), Failure);
  });
});

describe('a hint', () => {
  it('names the nearest word, and none that is far', () => {
    assert.equal(didYouMean('prod-wbe', ['prod-db', 'prod-web']), ' Did you mean "prod-web"?');
    assert.equal(didYouMean('x', ['prod-web']), '');
  });
});

describe('a line', () => {
  it('shows what would move the cursor instead of doing it', () => {
    assert.equal(printable('a\u001b[2Jb\nc'), 'a\\u001b[2Jb\\u000ac');
  });
});

describe('the server', () => {
  const options = (server: string, env = {}) => logOptionsOf({ server, prefix: 'sluice' }, env);

  it('has its usual port and scheme', () => {
    assert.deepEqual(options('nats.example').servers, ['nats://nats.example:4222']);
    assert.deepEqual(options('nats://a,tls://[::1]:5').servers, ['nats://a:4222', 'tls://[::1]:5']);
  });

  it('may carry a login, but the environment counts more', () => {
    const { servers, user, password } = options('nats://ops:a%40b@n:1');
    assert.deepEqual([servers, user, password], [['nats://n:1'], 'ops', 'a@b']);
    assert.equal(options('nats://ops@n', { NATS_USER: 'eve' }).user, 'eve');
    assert.equal(options('n', { NATS_CREDS: 'f.creds' }).credentials, 'f.creds');
  });

  it('that cannot be read is refused', () => {
    assert.throws(() => options('http://n'), /--server http:\/\/n: nats:\/\/HOST:PORT is needed/);
    assert.throws(() => logOptionsOf({ server: 'n', prefix: 'A' }, {}), /small letters/);
  });
});
