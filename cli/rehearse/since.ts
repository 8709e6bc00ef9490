/** What happened in a rehearsal since it was looked last. */
import type { Heard } from '../../core/event.ts';
import { property, textOf } from '../../core/json.ts';
import { EVENTS } from '../../edge/simulated/admission.ts';
import type { Served } from '../../edge/simulated/cluster.ts';

export interface RecordedEvent {
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
  readonly note: string;
}

/** What happened since the last expectation. */
export interface Since {
  readonly said: readonly string[];
  readonly events: readonly RecordedEvent[];
  /** Requests that change objects, accepted or not; Kubernetes Events do not count. */
  readonly writes: number;
  readonly probed: readonly string[];
}

export function sinceOf(
  heard: readonly Heard[],
  requests: readonly Served[],
  probed: readonly string[],
): Since {
  return {
    said: heard.map(({ said }) => said),
    events: requests.filter(({ answer }) => answer.status === 201).flatMap(eventOf),
    writes: requests.filter(isWrite).length,
    probed,
  };
}

const isWrite = ({ request }: Served): boolean =>
  request.method !== 'GET' && !request.path.startsWith(EVENTS);

function eventOf({ request }: Served): readonly RecordedEvent[] {
  if (!request.path.startsWith(EVENTS)) return [];
  const text = (...path: readonly string[]): string =>
    textOf(path.reduce<unknown>((value, key) => property(value, key), request.body));
  return [
    {
      kind: text('regarding', 'kind').toLowerCase(),
      name: text('regarding', 'name'),
      reason: text('reason'),
      note: text('note'),
    },
  ];
}
