/** The door to the health ports of nodes; who is probed, and what follows, is not its matter. */
import type { ProbeAnswer, Prober, ProbeRequest } from '../core/door.ts';
import { Attempt, Callers } from './probe/attempt.ts';
import type { ProbeTls } from './probe/connect.ts';
import { Pace } from './probe/pace.ts';
import { Peer } from './probe/peer.ts';
import { probeTcp } from './probe/tcp.ts';

export interface ProberOptions {
  /** Talk TLS to the health servers; without it the connections are plain. */
  readonly tls?: ProbeTls | undefined;
}

const cancelled: ProbeAnswer = { reachable: false, because: 'the probe was cancelled' };
const nowhere: ProbeAnswer = { reachable: false, because: 'no management address is known' };

/**
 * All probes run at once, and a deadline counts from when its probe starts. Memory: one connection
 * for each node probed by gRPC and not forgotten since.
 */
export function openProber(options: ProberOptions = {}): Prober & { close(): void } {
  return new NodeProber(options.tls);
}

interface Running {
  readonly addresses: readonly string[];
  readonly attempt: Attempt;
  readonly answer: Promise<ProbeAnswer>;
}

/** Invariant: a node has at most one attempt running; who asks meanwhile gets the same answer. */
class NodeProber implements Prober {
  readonly #tls: ProbeTls | undefined;
  readonly #pace = new Pace();
  readonly #callers = new Callers();
  readonly #peers = new Map<string, Peer>();
  readonly #running = new Map<string, Running>();
  #closed = false;

  constructor(tls: ProbeTls | undefined) {
    this.#tls = tls;
  }

  probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeAnswer> {
    const { node, addresses, deadlineMs } = request;
    if (deadlineMs <= 0) return Promise.resolve({ reachable: true, because: 'probing is off' });
    if (addresses.length === 0) return Promise.resolve(nowhere);
    const running = this.#running.get(node);
    if (running?.addresses.join() === addresses.join()) return running.answer;
    // Another node of the same name, or it has moved: what the old one answers is of no use.
    if (running !== undefined) this.forget(node);
    const attempt = new Attempt();
    this.#callers.hold(signal, attempt);
    // Whoever has to be dialled may be dead and will take its whole deadline: that goes first.
    const dials = this.#peers.get(node)?.connected !== true;
    const answer = this.#pace
      .run(() => this.#ask(request, attempt), dials)
      .finally(() => {
        attempt.finish();
        this.#callers.release(signal, attempt);
        if (this.#running.get(node)?.attempt === attempt) this.#running.delete(node);
      });
    this.#running.set(node, { addresses, attempt, answer });
    return answer;
  }

  forget(node: string): void {
    this.#running.get(node)?.attempt.cancel();
    this.#running.delete(node);
    this.#peers.get(node)?.close();
    this.#peers.delete(node);
  }

  /** Cancels what runs and drops all connections; what is asked later is answered as cancelled. */
  close(): void {
    this.#closed = true;
    for (const node of [...this.#running.keys(), ...this.#peers.keys()]) this.forget(node);
  }

  async #ask(request: ProbeRequest, attempt: Attempt): Promise<ProbeAnswer> {
    if (this.#closed || attempt.cancelled) return cancelled;
    attempt.begin(request.deadlineMs);
    const answer = await (request.mode === 'tcp'
      ? probeTcp(request, attempt.end)
      : this.#peerOf(request.node).probe(request, attempt));
    return attempt.cancelled ? cancelled : answer;
  }

  #peerOf(node: string): Peer {
    const peer = this.#peers.get(node) ?? new Peer(this.#tls);
    this.#peers.set(node, peer);
    return peer;
  }
}
