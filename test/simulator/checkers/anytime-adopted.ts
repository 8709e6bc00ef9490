/** At any time: who finds addresses placed and knows of no decision takes them over, silently. */
import type { Checker } from '../checker.ts';
import { subjectOf } from '../log-server.ts';

const name = 'anytime-adopted';

export const adopted = (): Checker => ({
  name,
  onAppend: (world, { heard }) => {
    const { event, sequence } = heard;
    if (heard.stream !== 'assigner' || event.kind !== 'EgressIPDecided' || event.cloud) return;
    const { events } = world.log.stream('assigner');
    const subject = subjectOf(heard);
    if (events.some((one) => one.sequence < sequence && subjectOf(one) === subject)) return;
    // What was told before the picture was complete is known to whoever decides.
    const told = world.log.lasts('watcher');
    const synced = told.findLast((one) => one.event.kind === 'Synced')?.sequence ?? 0;
    for (const { event: fact, sequence: at } of told) {
      if (fact.kind !== 'EgressIPSeen' || at > synced) continue;
      if (fact.egressIP.name !== event.name || fact.egressIP.uid !== event.uid) continue;
      for (const { egressIP, node } of fact.egressIP.items) {
        const stays = event.placements.some((p) => p.address === egressIP && p.node === node);
        const isNews = event.notices.some(
          ({ reason, note }) => reason === 'Assigned' && note.startsWith(`${egressIP} `),
        );
        if (stays && isNews) world.fail(name, `${egressIP} of ${event.name} is announced anew`);
      }
    }
  },
});
