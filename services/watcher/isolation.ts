/**
 * Whether it is the prober that is cut off, and not the nodes: when most of them fall silent
 * together although Kubernetes has them Ready, the likelier explanation is our own network.
 */
import { count } from '../../core/say.ts';
import type { Member } from './member.ts';
import type { Settings } from './input.ts';

/** In percent, where the settings say nothing. */
const USUAL_SHARE = 50;

/** Of two nodes, both may well fail. */
const LEAST_NODES = 3;

export class Isolation {
  /** While it is, no node is newly told unreachable. */
  isolated = false;
  because = '';

  /** Looks at all nodes; true when the prober is no longer isolated, and all begins anew. */
  judge(members: Iterable<Member>, slot: number, settings: Settings): boolean {
    const { failing, probed, unknown } = tally(members, slot, windowSlots(settings));
    const share = settings.isolationShare ?? USUAL_SHARE;
    const doubtful = failing >= LEAST_NODES && failing * 100 > share * probed;
    if (doubtful === this.isolated) return false;
    // After a restart nothing has been seen yet that would end what was told before.
    if (this.isolated && unknown) return false;
    this.isolated = doubtful;
    this.because = doubtful
      ? `${failing} of ${count(probed, 'probed node')} fell silent together`
      : `${probed - failing} of ${count(probed, 'probed node')} answer`;
    return !doubtful;
  }
}

interface Tally {
  readonly failing: number;
  readonly probed: number;
  /** A node was not probed yet since this life began. */
  readonly unknown: boolean;
}

/** Nodes that were lost long before are counted nowhere. */
function tally(members: Iterable<Member>, slot: number, window: number): Tally {
  let failing = 0;
  let probed = 0;
  let unknown = false;
  for (const member of members) {
    unknown ||= !member.answered;
    if (member.reachable === false && slot - member.lostSlot > window) continue;
    probed++;
    if (member.reachable === false || member.failing > 0) failing++;
  }
  return { failing, probed, unknown };
}

/** One interval and one deadline: in that time every node was probed, and has answered or not. */
function windowSlots({ slots = 1, intervalMs, deadlineMs }: Settings): number {
  return slots + Math.ceil((deadlineMs * slots) / intervalMs);
}
