/** Holds an expectation against what is there. */
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import { list } from '../../core/say.ts';
import { claimDifference, claimOf } from './claim.ts';
import type { Check, Wanted } from './script.ts';
import type { Since } from './since.ts';
import type { Item, Stage } from './stage.ts';

export interface Finding {
  /** What was expected, as one line. */
  readonly what: string;
  /** What is there instead; undefined when all is as expected. */
  readonly instead: string | undefined;
}

export function examine(check: Check, stage: Stage, since: Since): Finding {
  switch (check.of) {
    case 'status':
      return examineStatus(check.name, check.items, stage.items(check.name));
    case 'event':
      return examineEvent(check, since);
    case 'writes':
      return compare(`writes ${check.count}`, check.count, since.writes);
    case 'probed':
      return compare(
        `probed ${list(check.nodes, 10) || 'none'}`,
        check.nodes.join(', '),
        since.probed.join(', '),
      );
    case 'mark': {
      const mark = stage.annotation(check.name, EGRESSIP_MARK);
      const got = check.mark === 'set' ? (mark === '' ? 'none' : 'set') : mark || 'none';
      return compare(`mark of ${check.name} ${check.mark}`, check.mark, got);
    }
    case 'claim': {
      const { claim } = check;
      const instead = claimDifference(claim, claimOf(stage.world, claim.address));
      return { what: `claim of ${claim.address} on ${claim.node}`, instead };
    }
    case 'said': {
      const found = since.said.some((said) => said.includes(check.text));
      return { what: `said "${check.text}"`, instead: found ? undefined : 'nobody said so' };
    }
  }
}

function compare(what: string, want: string | number, got: string | number): Finding {
  return { what, instead: want === got ? undefined : `got ${got === '' ? 'none' : got}` };
}

function examineStatus(name: string, wanted: readonly Wanted[], items: readonly Item[]): Finding {
  const words = wanted.map(({ address, nodes }) => `${address} ${wordOf(nodes)}`);
  const what = `status of ${name}: ${words.join(', ') || 'empty'}`;
  const present = wanted.filter(({ nodes }) => nodes !== 'none');
  const fits =
    items.length === present.length &&
    present.every(({ address, nodes }) => {
      const node = items.find(({ egressIP }) => egressIP === address)?.node;
      return node !== undefined && (nodes === 'any' || nodes.includes(node));
    });
  const got = items.map(({ egressIP, node }) => `${egressIP} on ${node}`).join(', ');
  return { what, instead: fits ? undefined : `got ${got || 'empty'}` };
}

function wordOf(nodes: Wanted['nodes']): string {
  if (nodes === 'any') return 'on any node';
  return nodes === 'none' ? 'on no node' : `on ${nodes.join(' or ')}`;
}

function examineEvent(check: Extract<Check, { of: 'event' }>, since: Since): Finding {
  const { on, reason, note } = check;
  const own = since.events.filter((event) => event.kind === on.kind && event.name === on.name);
  const told = own.map((event) => `${event.reason}: ${event.note}`).join(' | ');
  const head = `event on ${on.kind}/${on.name}:`;
  if (reason === undefined)
    return { what: `${head} none`, instead: own.length === 0 ? undefined : `got ${told}` };
  const found = own.some((event) => event.reason === reason && event.note.includes(note));
  return {
    what: `${head} ${reason}${note === '' ? '' : ` with "${note}"`}`,
    instead: found ? undefined : `got ${told || 'none'}`,
  };
}
