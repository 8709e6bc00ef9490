/** Whether every write to an object of BGP routing was asked for by the decision that it names. */
import type { BgpDecision } from '../core/bgp-decision.ts';
import type { Heard } from '../core/event.ts';
import { type Finding, findingOn, objectOf } from './verify-finding.ts';
import { Outcomes, REMEMBERED } from './verify-outcomes.ts';

type ObjectDecided = Extract<BgpDecision, { kind: 'ObjectDecided' }>;

export class RoutingWrites {
  readonly findings: Finding[] = [];
  /** Writes that were compared. */
  count = 0;
  /** Of each object, what it was to be, by sequence. */
  readonly #decisions = new Map<string, Map<number, ObjectDecided['want']>>();
  readonly #outcomes = new Outcomes('bgp', {
    learn: ({ event, sequence }) => {
      if (event.kind === 'ObjectDecided') this.#learn(objectOf(event), sequence, event.want);
    },
    causeOf: ({ event }) => (event.kind === 'ObjectPublished' ? event.decision : 0),
    compare: (heard) => this.#compare(heard),
  });

  hear(heard: Heard): void {
    this.#outcomes.hear(heard);
  }

  end(): void {
    this.#outcomes.end();
  }

  #learn(object: string, sequence: number, want: ObjectDecided['want']): void {
    const known = this.#decisions.get(object) ?? new Map<number, ObjectDecided['want']>();
    this.#decisions.set(object, known.set(sequence, want));
    const [oldest = 0] = known.keys();
    if (known.size > REMEMBERED) known.delete(oldest);
  }

  /** An outcome names the last decision; the write may have begun for one before. */
  #compare(heard: Heard): void {
    const { event } = heard;
    if (event.kind !== 'ObjectPublished') return;
    const { wrote, shadow, decision } = event;
    if (wrote === '' || shadow || this.#outcomes.isBefore(decision)) return;
    this.count++;
    const own = this.#decisions.get(objectOf(event));
    const asking = wrote === 'delete' ? 'absent' : 'present';
    const isAsked = own?.entries().some(([at, want]) => at <= decision && want === asking);
    if (own?.has(decision) === true && isAsked === true) return;
    const why = decision === 0 ? 'it names no decision' : `bgp ${decision} did not decide it`;
    this.findings.push(findingOn('write', heard, `the ${wrote} was carried out, but ${why}`));
  }
}
