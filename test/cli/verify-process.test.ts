/** `sluice verify` and `sluice history` as a person runs them, on a real nats-server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Fact } from '../../core/fact.ts';
import type { Saying } from '../../core/event.ts';
import { must } from '../../core/assert.ts';
import { openClock } from '../../edge/clock.ts';
import { openLog } from '../../edge/nats.ts';
import type { NatsLog } from '../../edge/nats/log.ts';
import type { Read } from '../../edge/nats/read.ts';
import { live } from '../../edge/run.ts';
import { freshVitals } from '../../edge/vitality.ts';
import { wakePerform } from '../../edge/wake.ts';
import { assigner } from '../../services/assigner/room.ts';
import { type NatsServer, startNatsServer } from '../edge/nats-server.ts';
import { finish, type Ran, start } from './process.ts';
import { egressIP, node, probe, seen, synced, where } from './scene.ts';

const never = new AbortController().signal;

/** An assigner with a connection of its own; returns how to kill it. */
async function assignerAt(url: string): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const log = await openLog({ servers: [url], name: 'assigner' });
  const perform = wakePerform(openClock());
  const doors = { log, clock: openClock(), perform, paceMs: 15 };
  const ended = live(assigner({ excluded: undefined }), doors, freshVitals(), stop.signal);
  return async () => {
    stop.abort();
    await ended.catch(() => undefined);
    await log.close();
  };
}

describe('sluice verify and history on a real log', function () {
  this.timeout(60_000);
  let nats: NatsServer;
  let log: NatsLog;
  let kill: () => Promise<void>;
  let last = 0;
  const decisions: Read[] = [];
  const stop = new AbortController();
  const heard = new EventTarget();

  const run = (...args: string[]): Promise<Ran> => finish(start(args, { NATS_URL: nats.url }));

  async function tell(...facts: readonly Fact[]): Promise<void> {
    const says = facts.map((event): Saying => ({ event, causes: [], said: event.kind }));
    last = must((await log.speak('watcher', says, last, never)).at(-1), 'a sequence');
  }

  /** Resolves when the assigner has said so many things. */
  async function decided(count: number): Promise<void> {
    while (decisions.length < count) await once(heard as never, 'decision');
  }

  async function follow(): Promise<void> {
    const all = { streams: ['assigner'], from: 'all', follow: true } as const;
    for await (const read of log.read(all, stop.signal)) {
      decisions.push(read);
      heard.dispatchEvent(new Event('decision'));
    }
  }

  before(async () => {
    nats = await startNatsServer();
    log = await openLog({ servers: [nats.url], name: 'test' });
    kill = await assignerAt(nats.url);
    const nodes = [seen(node('worker-1', 1)), seen(node('worker-2', 2))];
    await tell(synced('grpc'), ...nodes, probe('worker-1', true), probe('worker-2', true));
    void follow();
    await tell(egressIP('prod-web', ['203.0.113.100'], where({})));
    await decided(1);
    await tell(probe('worker-1', false));
    await decided(2);
    await kill();
    await tell(probe('worker-1', true), probe('worker-2', false));
    kill = await assignerAt(nats.url);
    await decided(3);
  });

  after(async () => {
    stop.abort();
    await kill?.();
    await log?.close();
    await nats?.stop();
  });

  it('verify explains every decision, over the death of the room', async () => {
    const { code, out, err } = await run('verify');
    assert.equal(err, '');
    assert.match(out, /^assigner +3 decisions replayed since .* \(assigner 1\), 2 lives$/m);
    assert.equal(code, 0, out);
  });

  it('history tells the life, each event with what led to it', async () => {
    const { code, out } = await run('history', 'egressip/prod-web');
    assert.match(out, /assigner +egressip\/prod-web +203\.0\.113\.100 moves worker-1 → worker-2/);
    assert.match(out, /^ {4}← watcher 7 +[\d:.]+ {2}probe\/worker-1 {2}ReachabilitySeen$/m);
    assert.equal(code, 0);
  });

  it('history --at answers for then', async () => {
    const at = new Date(must(decisions[0], 'a decision').atMs + 1).toISOString();
    const { code, out } = await run('history', 'egressip/prod-web', '--at', at);
    assert.match(out, /^203\.0\.113\.100 of prod-web is on worker-1 since /m);
    assert.equal(code, 0);
  });

  it('fails for an object that nobody spoke of, and for a time that is none', async () => {
    const { code, err } = await run('history', 'egressip/prod-wen');
    assert.equal(code, 1);
    assert.match(
      err,
      /^sluice: nothing was ever said of egressip\/prod-wen\. Did you mean "prod-w/,
    );
    assert.equal((await run('verify', '--since', 'yesterday')).code, 64);
  });

  it('verify finds what somebody else said in the name of the assigner', async () => {
    await kill();
    kill = async () => undefined;
    const { event, said, heard: marks = [], sequence } = must(decisions.at(-1), 'a decision');
    await log.speak('assigner', [{ event, said, causes: [], heard: marks }], sequence, never);
    const { code, out } = await run('verify');
    assert.match(out, /^assigner 4 .* egressip\/prod-web +unexplained +says /m);
    assert.equal(code, 1);
  });
});
