/** What the publisher counts of BGP routing for Prometheus. */
import type { Failing } from '../../core/bgp-outcome.ts';
import type { Reading } from '../../core/room.ts';

/** A count for each pair of labels. */
class Pairs {
  readonly #counts = new Map<string, number>();

  add(kind: string, what: string): void {
    const key = `${kind} ${what}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  *read(name: string, help: string, label: string): Generator<Reading> {
    for (const [key, value] of this.#counts) {
      const [kind = '', what = ''] = key.split(' ');
      yield { kind: 'counter', name, help, value, labels: { kind, [label]: what } };
    }
  }
}

export class RoutingTally {
  readonly #writes = new Pairs();
  readonly #refusals = new Pairs();
  readonly #restored = new Pairs();

  /** `verb` = create, update, delete, finalizer or status. */
  wrote(kind: string, verb: string): void {
    this.#writes.add(kind, verb);
  }

  failed(kind: string, failing: Failing): void {
    this.#refusals.add(kind, failing);
  }

  restored(kind: string, verb: string): void {
    this.#restored.add(kind, verb);
  }

  *readings(): Generator<Reading> {
    const written = 'Writes for BGP routing that the API server accepted.';
    yield* this.#writes.read('routing_writes_total', written, 'verb');
    const failed = 'Writes for BGP routing that failed, by why.';
    yield* this.#refusals.read('routing_write_failures_total', failed, 'why');
    const restored = 'How often what somebody had undone was restored.';
    yield* this.#restored.read('routing_drift_restored_total', restored, 'verb');
  }
}
