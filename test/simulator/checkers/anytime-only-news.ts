/** At any time: nothing is said that was said last of the same thing (law 2: no news, no word). */
import { isDeepStrictEqual } from 'node:util';
import type { Heard } from '../../../core/event.ts';
import type { Checker } from '../checker.ts';
import { subjectOf } from '../log-server.ts';
import type { Simulation } from '../simulation.ts';
import { windowMs } from '../window.ts';

const name = 'anytime-only-news';

export const onlyNews = (): Checker => ({
  name,
  onAppend: (world, { heard, bornMs }) => {
    if (heard.stream === 'publisher') return;
    const { events } = world.log.stream(heard.stream);
    const last = events.findLast(
      (one: Heard) => one.sequence < heard.sequence && subjectOf(one) === subjectOf(heard),
    );
    if (last === undefined || wasOther(world, heard, last)) return;
    // Another life does not know what became of an intent, and tells that it tries again.
    if (heard.event.kind.endsWith('Intended') && bornMs > saidMs(world, last)) return;
    if (isDeepStrictEqual(last.event, heard.event))
      world.fail(name, `${heard.stream} ${heard.sequence} says again: ${heard.said}`);
  },
});

/**
 * It was different for a moment: whoever wrote on the strength of that must hear that it is over.
 */
function wasOther(world: Simulation, { event }: Heard, last: Heard): boolean {
  const { server, plan } = world;
  const name = nameOf(event);
  if (name === '') return false;
  const sinceMs = saidMs(world, last) - windowMs(plan);
  return server.history.some(({ object, atMs }) => object.metadata.name === name && atMs > sinceMs);
}

const saidMs = ({ log }: Simulation, said: Heard): number =>
  log.appends.findLast(({ heard }) => heard === said)?.atMs ?? 0;

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
