/** Which kinds the server serves, and when that is news. */
import type { Fact } from '../../core/fact.ts';
import { count } from '../../core/say.ts';
import type { Thing } from './kinds.ts';
import { LOOKS, type News, type Shelf } from './shelf.ts';

/** A kind that was told served counts as gone only when it was missed more than once. */
export function servedNews(shelf: Shelf<Thing>, told: Fact | undefined): News | undefined {
  const { kind, listed, missed } = shelf;
  const before = told?.kind === 'KindSeen' ? told.served : undefined;
  if (!listed && missed === 0) return undefined;
  const served = missed === 0;
  if (served === before || (before === true && missed < LOOKS)) return undefined;
  const said = served
    ? `is served, ${count(shelf.things.size, 'object')}`
    : `is not served${before === true ? ' any more' : ''}`;
  return { event: { kind: 'KindSeen', plural: kind.plural, served }, said };
}
