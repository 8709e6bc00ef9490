/** What the publisher says of BGP routing: outcomes, and a sentence for people. */
import type { BgpOutcome } from '../../core/bgp-outcome.ts';
import type { Cause, Saying } from '../../core/event.ts';
import { list } from '../../core/say.ts';
import type { Managed, ManagedStep } from './managed.ts';
import type { Differing } from './managed-compare.ts';
import type { ResourceThing, WantedStatus } from './resource.ts';

const causesOf = (sequence: number): readonly Cause[] =>
  sequence === 0 ? [] : [{ stream: 'bgp', sequence }];

interface Written {
  readonly wrote?: ManagedStep['verb'] | '';
  readonly shadow?: boolean;
}

/** The object as it stands with us now: with its trouble, if it has one. */
export function objectPublished(managed: Managed, written: Written, said: string): Saying {
  const { object, name, seen, wanted, failing, failure, acceptedNow, before } = managed;
  const decision = wanted?.sequence ?? 0;
  const event: BgpOutcome = {
    kind: 'ObjectPublished',
    ...{ object, name, uid: seen?.uid ?? '', decision },
    ...{ wrote: written.wrote ?? '', failing, failure, accepted: acceptedNow, before },
    ...{ foreign: managed.foreign ?? '', shadow: written.shadow === true },
  };
  return { event, causes: causesOf(decision), said };
}

const past = { create: 'created', update: 'updated', delete: 'deleted' };

export function objectWords({ verb, wanted }: ManagedStep, differ: readonly Differing[]): string {
  const { because } = wanted.decision;
  const what = verb === 'update' ? ` (${list(differ.map(({ path }) => path))})` : '';
  return `${past[verb]}${what}${because === '' ? '' : `: ${because}`}`;
}

export function failureWords({ failing, failure }: Managed, { verb }: ManagedStep): string {
  const slow = failing === 'denied' || failing === 'invalid';
  const next = slow ? 'it is tried again when something changes, and each minute' : 'tried again';
  return `could not ${verb} it (${failing}): ${failure}; ${next}`;
}

interface Published {
  readonly wrote: string;
  readonly failure?: string;
  readonly shadow?: boolean;
  readonly status?: WantedStatus | undefined;
}

export function resourcePublished(thing: ResourceThing, what: Published, said: string): Saying {
  const { kind: resource, name, uid, told, toldAws, decided, judged, written } = thing;
  const status = what.status ?? written;
  const event: BgpOutcome = {
    kind: 'ResourcePublished',
    ...{ resource, name, uid, told, toldAws },
    phase: status?.phase ?? '',
    conditions: (status?.conditions ?? []).map(({ type, status: is, reason, message }) => ({
      ...{ type, status: is, reason, message },
    })),
    ...{ wrote: what.wrote, failure: what.failure ?? '', shadow: what.shadow === true },
  };
  const aws: readonly Cause[] =
    judged === undefined ? [] : [{ stream: 'aws-sync', sequence: judged.sequence }];
  return { event, causes: [...causesOf(decided?.sequence ?? 0), ...aws], said };
}

/** `Ready: 4 conditions` is no news; what is not True is. */
export function statusWords({ phase, conditions }: WantedStatus): string {
  const others = conditions.filter(({ status }) => status !== 'True');
  const named = list(others.map(({ type, status, reason }) => `${type} ${status}/${reason}`));
  return named === '' ? phase : `${phase}, ${named}`;
}
