/** Requests of one publisher while another leads are seen, in the API server's own record. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditArgs, type Audited, auditedIn } from '../controlplane/audit.ts';
import { outOfTerm, termsOf } from './handover.ts';

const terms = [
  { by: 'left', fromMs: 0 },
  { by: 'right', fromMs: 1_000 },
  { by: 'left', fromMs: 2_000 },
];
const request = (user: string, atMs: number, doneMs = atMs, status = 200): Audited => {
  return { user, atMs, doneMs, verb: 'patch', path: '/e', status };
};
const late = (...requests: readonly Audited[]): readonly Audited[] => outOfTerm(terms, requests);

describe('whose turn a request to the API server was', () => {
  it('is nothing to object to while its sender leads', () => {
    const all = [request('left', 500, 999), request('right', 1_000), request('left', 2_000)];
    assert.deepEqual(late(...all), []);
  });

  it('has passed when it comes after another leads', () => {
    const stale = request('left', 1_001);
    assert.deepEqual(late(stale, request('right', 1_002)), [stale]);
  });

  it('has passed when it is answered only after another leads', () => {
    const slow = request('left', 900, 1_100);
    assert.deepEqual(late(slow), [slow]);
  });

  it('has passed when it is refused, too: it should not have been sent', () => {
    assert.equal(late(request('left', 1_500, 1_500, 422)).length, 1);
  });

  it('has not come before the sender leads', () => {
    assert.equal(late(request('right', 999)).length, 1);
  });
});

describe('what the files say of two publishers', () => {
  let folder = '';
  before(() => (folder = mkdtempSync(join(tmpdir(), 'sluice-handover-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('tells when one that stood by began to lead', () => {
    const logFile = join(folder, 'publisher.log');
    const line = (msg: string, second: number): string =>
      `${JSON.stringify({ level: 'info', time: `1970-01-01T00:00:0${second}.500Z`, msg })}\n`;
    writeFileSync(logFile, line('stands by', 1) + line('leads now', 4) + line('leads now', 9));
    const [first, second] = [4_500, 9_500].map((fromMs) => ({ by: 'left', fromMs }));
    assert.deepEqual(termsOf('left', logFile), [first, second]);
  });

  it('tells who changed what when, as the API server has written it down', () => {
    const event = {
      user: { username: 'left' },
      verb: 'patch',
      requestURI: '/e?fieldManager=sluice',
      requestReceivedTimestamp: '1970-01-01T00:00:01.000250Z',
      stageTimestamp: '1970-01-01T00:00:01.004900Z',
      responseStatus: { code: 422 },
    };
    writeFileSync(join(folder, 'audit.log'), `${JSON.stringify(event)}\n{"user":`);
    const path = '/e?fieldManager=sluice';
    assert.deepEqual(auditedIn({ folder }), [{ ...request('left', 1_000, 1_004, 422), path }]);
  });

  it('is asked of the API server only where somebody is to be told apart', () => {
    assert.deepEqual(auditArgs(folder, []), []);
    assert.equal(auditArgs(folder, ['left']).length, 2);
  });
});
