/** Finally: every decision is explained by facts, as long as no part of the log was lost. */
import type { Checker } from '../checker.ts';

export const explained = (): Checker => ({
  name: 'finally-explained',
  finally: (world) => {
    if (world.log.losses > 0) return [];
    return world.log.lasts('assigner').flatMap(({ event, causes, sequence }) => {
      if (event.kind !== 'EgressIPDecided' || causes.length > 0) return [];
      // Time alone moves an address that the cloud could not assign in time.
      if (event.cloud) return [];
      return [`assigner ${sequence} on ${event.name} has no cause`];
    });
  },
});
