/** What is known of one node's health server, and how it is judged (`spec/egressip.md` 6.2). */
import type { ProbeAnswer, ProbeRequest } from '../../core/door.ts';
import { sleep } from '../clock.ts';
import type { Attempt } from './attempt.ts';
import { endpointOf, Silent, whatFailed, type ProbeTls } from './connect.ts';
import { race, type Failure } from './race.ts';
import { openSession, type Session } from './session.ts';

/** A restarting server refuses for a moment; within one attempt it is dialled again and again. */
const REDIAL_PAUSE_MS = 100;

/** A connection as far as a peer needs it. */
export type Connection = Pick<Session, 'check' | 'closed' | 'destroy'>;

/** How a connection comes to be: over the network, or in a play. */
export type Opener = (...args: Parameters<typeof openSession>) => Promise<Connection>;

interface Line {
  readonly address: string;
  readonly port: number;
  readonly session: Connection;
}

export class Peer {
  readonly #tls: ProbeTls | undefined;
  readonly #open: Opener;
  /** The connection of the last attempt; it may have broken since. */
  #line: Line | undefined;
  /** A check has failed since the last one that was answered: the next failure counts. */
  #failed = false;

  constructor(tls: ProbeTls | undefined, open: Opener = openSession) {
    this.#tls = tls;
    this.#open = open;
  }

  /** The next attempt checks; otherwise it dials. */
  get connected(): boolean {
    return this.#line !== undefined;
  }

  /**
   * One attempt. Not connected: dials, and a connection alone counts as reachable. Connected:
   * checks; the first failure closes the connection and is tolerated (a server may restart), the
   * second is not. A cancelled attempt changes nothing. Never throws.
   */
  async probe(request: ProbeRequest, attempt: Attempt): Promise<ProbeAnswer> {
    if (!this.#leadsTo(request)) this.close();
    try {
      return await (this.#line === undefined
        ? this.#greet(request, attempt)
        : this.#check(request, attempt));
    } catch (error) {
      return { reachable: false, because: whatFailed(error) };
    }
  }

  /** Closes the connection; the next attempt dials. */
  close(): void {
    this.#line?.session.destroy();
    this.#line = undefined;
  }

  #leadsTo(request: ProbeRequest): boolean {
    if (this.#line === undefined) return true;
    return this.#line.port === request.port && request.addresses.includes(this.#line.address);
  }

  async #greet(request: ProbeRequest, attempt: Attempt): Promise<ProbeAnswer> {
    const { address, port } = await this.#dial(request, attempt);
    const because = `${endpointOf(address, port)} accepted a connection`;
    return { reachable: true, because, ...(this.#failed ? { doubtful: true } : {}) };
  }

  async #check(request: ProbeRequest, attempt: Attempt): Promise<ProbeAnswer> {
    try {
      const status = await (await this.#session(request, attempt)).check(attempt.end);
      this.#failed = false;
      const because = `port ${request.port} answered ${status}`;
      return { reachable: status === 'SERVING', because };
    } catch (error) {
      if (attempt.cancelled) throw error;
      return this.#judge(request, error);
    }
  }

  /** The open connection, or a new one in its place: that it broke is not yet a failed check. */
  async #session(request: ProbeRequest, attempt: Attempt): Promise<Connection> {
    const open = this.#line?.session;
    if (open !== undefined && !open.closed) return open;
    open?.destroy();
    return (await this.#dial(request, attempt)).session;
  }

  #judge(request: ProbeRequest, error: unknown): ProbeAnswer {
    const { deadlineMs, port } = request;
    const what = error instanceof Silent ? `silent for ${deadlineMs} ms` : whatFailed(error);
    const failed = `port ${port} failed a check (${what})`;
    this.close();
    if (this.#failed) return { reachable: false, because: failed };
    this.#failed = true;
    return { reachable: true, because: `${failed}, tolerated once`, doubtful: true };
  }

  /** Dials all addresses and keeps the first connection. @throws when none came to be. */
  async #dial(request: ProbeRequest, attempt: Attempt): Promise<Line> {
    const { won, failures } = await race<Line>(
      request.addresses,
      attempt.end,
      (address, end) => this.#redial(address, request, end),
      (late) => late.session.destroy(),
    );
    if (won === undefined) throw new Error(failures.join(', '));
    this.#line = won;
    // Who forgot the node meanwhile found no connection to close.
    if (attempt.cancelled) this.close();
    return won;
  }

  async #redial(address: string, request: ProbeRequest, end: AbortSignal): Promise<Line | Failure> {
    const { port, deadlineMs } = request;
    let failure = `silent for ${deadlineMs} ms`;
    while (!end.aborted) {
      try {
        return { address, port, session: await this.#open(address, port, this.#tls, end) };
      } catch (error) {
        if (!(error instanceof Silent)) failure = `failed (${whatFailed(error)})`;
      }
      await sleep(REDIAL_PAUSE_MS, end);
    }
    return { failure: `${endpointOf(address, port)} ${failure}` };
  }
}
