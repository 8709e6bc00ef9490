/** At any time: nothing is said that was said last of the same thing (law 2: no news, no word). */
import { isDeepStrictEqual } from 'node:util';
import type { Heard } from '../../../core/event.ts';
import type { Checker } from '../checker.ts';
import { subjectOf } from '../log-server.ts';
import type { Simulation } from '../simulation.ts';

const name = 'anytime-only-news';

export const onlyNews = (): Checker => ({
  name,
  onAppend: (world, { heard }) => {
    if (heard.stream === 'publisher') return;
    const { events } = world.log.stream(heard.stream);
    const last = events.findLast(
      (one: Heard) => one.sequence < heard.sequence && subjectOf(one) === subjectOf(heard),
    );
    if (last === undefined || wasOther(world, heard, last)) return;
    if (isDeepStrictEqual(last.event, heard.event))
      world.fail(name, `${heard.stream} ${heard.sequence} says again: ${heard.said}`);
  },
});

/**
 * It was different for a moment: whoever wrote on the strength of that must hear that it is over.
 */
function wasOther({ server, log }: Simulation, { event }: Heard, last: Heard): boolean {
  const name = nameOf(event);
  if (name === '') return false;
  const saidMs = log.appends.findLast(({ heard }) => heard === last)?.atMs ?? 0;
  return server.history.some(
    ({ object, atMs }) => object.metadata.name === name && atMs > saidMs - 10_000,
  );
}

/** Of what the publisher writes; '' for anything else. */
function nameOf(event: Heard['event']): string {
  switch (event.kind) {
    case 'EgressIPSeen':
      return event.egressIP.name;
    case 'CloudClaimSeen':
      return event.claim.name;
    case 'BgpConfigSeen':
      return event.config.name;
    case 'BgpRoutingSeen':
      return event.routing.name;
    case 'ObjectSeen':
      return event.seen.name;
    default:
      return '';
  }
}
