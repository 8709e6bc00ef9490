/** The health ports of simulated nodes: they answer what they were told to. */
import type { Prober, ProbeAnswer, ProbeRequest } from '../../core/door.ts';
import { type Activity, round } from './activity.ts';

export class SimulatedProber implements Prober {
  readonly #activity: Activity;
  readonly #silent = new Set<string>();
  readonly #probed = new Set<string>();
  readonly #forgotten = new Set<string>();

  constructor(activity: Activity) {
    this.#activity = activity;
  }

  /** Whether a node answers from now on; before this is called it does. */
  setReachable(node: string, reachable: boolean): void {
    if (reachable) this.#silent.delete(node);
    else this.#silent.add(node);
  }

  /** The nodes probed since the last `resetProbed`, sorted. */
  get probed(): readonly string[] {
    return [...this.#probed].sort();
  }

  /** The nodes whose connections were dropped since the last `resetProbed`, sorted. */
  get forgotten(): readonly string[] {
    return [...this.#forgotten].sort();
  }

  resetProbed(): void {
    this.#probed.clear();
    this.#forgotten.clear();
  }

  probe(request: ProbeRequest, _signal: AbortSignal): Promise<ProbeAnswer> {
    return this.#activity.during(async () => {
      this.#probed.add(request.node);
      await round();
      return this.#answer(request);
    });
  }

  forget(node: string): void {
    this.#forgotten.add(node);
  }

  #answer({ node, addresses, mode, port, deadlineMs }: ProbeRequest): ProbeAnswer {
    const [address] = addresses;
    if (address === undefined) return { reachable: false, because: 'no management address' };
    const place = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
    if (this.#silent.has(node))
      return { reachable: false, because: `${place} silent for ${deadlineMs} ms` };
    const answered = mode === 'grpc' ? 'answered SERVING' : 'accepted a connection';
    return { reachable: true, because: `port ${port} ${answered}` };
  }
}
