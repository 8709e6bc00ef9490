/** Whether every write to an object of BGP routing was asked for by the decision that it names. */
import type { BgpDecision } from '../core/bgp-decision.ts';
import type { Heard } from '../core/event.ts';
import { type Finding, findingOn, objectOf } from './verify-finding.ts';

type ObjectDecided = Extract<BgpDecision, { kind: 'ObjectDecided' }>;

/** So many decisions of each object are remembered. */
const REMEMBERED = 256;

export class RoutingWrites {
  readonly findings: Finding[] = [];
  /** Writes that were compared. */
  count = 0;
  #decided = 0;
  #from = Number.POSITIVE_INFINITY;
  #published = 0;
  /** Of each object, what it was to be, by sequence. */
  readonly #decisions = new Map<string, Map<number, ObjectDecided['want']>>();
  readonly #waiting: Heard[] = [];

  hear(heard: Heard): void {
    const { stream, sequence, event } = heard;
    if (stream === 'bgp' && sequence > this.#decided) {
      this.#decided = sequence;
      this.#from = Math.min(this.#from, sequence);
      if (event.kind === 'ObjectDecided') this.#learn(objectOf(event), sequence, event.want);
    }
    if (stream === 'publisher' && sequence > this.#published) {
      this.#published = sequence;
      this.#waiting.push(heard);
    }
    // The history takes from the speakers in turns: an outcome may stand there before its cause.
    while (this.#waiting[0] !== undefined && decisionOf(this.#waiting[0]) <= this.#decided)
      this.#compare(this.#waiting.shift());
  }

  end(): void {
    for (const heard of this.#waiting.splice(0)) this.#compare(heard);
  }

  #learn(object: string, sequence: number, want: ObjectDecided['want']): void {
    const known = this.#decisions.get(object) ?? new Map<number, ObjectDecided['want']>();
    this.#decisions.set(object, known.set(sequence, want));
    const [oldest = 0] = known.keys();
    if (known.size > REMEMBERED) known.delete(oldest);
  }

  /** An outcome names the last decision; the write may have begun for one before. */
  #compare(heard: Heard | undefined): void {
    const event = heard?.event;
    if (heard === undefined || event?.kind !== 'ObjectPublished') return;
    const { wrote, shadow, decision } = event;
    // Of what was decided before the log begins nobody can tell.
    if (wrote === '' || shadow || (decision > 0 && decision < this.#from)) return;
    this.count++;
    const own = this.#decisions.get(objectOf(event));
    const asking = wrote === 'delete' ? 'absent' : 'present';
    const isAsked = own?.entries().some(([at, want]) => at <= decision && want === asking);
    if (own?.has(decision) === true && isAsked === true) return;
    const why = decision === 0 ? 'it names no decision' : `bgp ${decision} did not decide it`;
    this.findings.push(findingOn('write', heard, `the ${wrote} was carried out, but ${why}`));
  }
}

const decisionOf = ({ event }: Heard): number =>
  event.kind === 'ObjectPublished' ? event.decision : 0;
