/** Pages of a listing: opaque tokens, MaxResults within its bounds, empty pages in between. */
import type { Ask } from './ask.ts';
import { list, text } from './params.ts';
import { invalidValue, Refusal, unknownId } from './refusal.ts';
import { newId } from './world.ts';
import { filtered, type Facets } from './filter.ts';
import type { Thing } from './model.ts';
import type { Shelf } from './shelf.ts';

export interface Listing<T> {
  readonly shelf: Shelf<T & Thing>;
  /** Of its ids: `rsp`. */
  readonly prefix: string;
  /** The parameter that names single ids: `RouteServerPeerId`. */
  readonly idParam: string;
  readonly facetsOf: (item: T) => Facets;
  readonly filterNames: readonly string[];
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextToken: string | undefined;
}

/** One page of what the reader sees; throws what EC2 refuses about ids, filters and tokens. */
export function page<T extends Thing>(ask: Ask, listing: Listing<T>): Page<T> {
  const { params, asOfMs } = ask;
  const size = sizeOf(ask, listing.idParam);
  const token = text(params, 'NextToken');
  const seen = (id: string): T | undefined => listing.shelf.at(id, asOfMs);
  if (token !== '') {
    const { rest, empty } = redeem(ask, token);
    const here = empty ? 0 : size;
    const items = rest.slice(0, here).map(seen);
    const nextToken = tokenFor(ask, rest.slice(here), here > 0);
    return { items: items.filter((item) => item !== undefined), nextToken };
  }
  const items = inOrder(ask, selected(ask, listing, seen));
  const rest = items.slice(size).map(({ id }) => id);
  return { items: items.slice(0, size), nextToken: tokenFor(ask, rest, true) };
}

function selected<T extends Thing>(
  { world, params, asOfMs }: Ask,
  listing: Listing<T>,
  seen: (id: string) => T | undefined,
): T[] {
  const ids = [...new Set(list(params, listing.idParam))];
  const absent = ids.filter((id) => seen(id) === undefined);
  // One bad id fails the whole call (facts 1.2).
  if (absent.length > 0) throw unknownId(listing.prefix, absent);
  const all = listing.shelf.allAt(asOfMs);
  const named = ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id));
  const { unknownFilters } = world.manners;
  return filtered(named, params, unknownFilters, listing.facetsOf, listing.filterNames);
}

function sizeOf({ world, params }: Ask, idParam: string): number {
  const asked = params.get('MaxResults');
  if (asked === undefined) return world.manners.pageSize;
  const size = Number(asked);
  if (!Number.isInteger(size) || size < 5 || size > 1_000)
    throw invalidValue('maxResults', asked, 'Expecting a value between 5 and 1000.');
  if (list(params, idParam).length > 0)
    throw new Refusal(
      'InvalidParameterCombination',
      `The parameter ${idParam} cannot be used with the parameter maxResults`,
    );
  return Math.min(size, world.manners.pageSize);
}

/** Clients must not rely on an order, so there is none. */
function inOrder<T>({ world }: Ask, items: T[]): T[] {
  if (!world.manners.shuffle) return items;
  const drawn = items.map((item) => ({ item, at: world.random.next() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

/** What must be the same on each page of one listing. */
function requestOf({ action, params }: Ask): string {
  const rest = [...params].filter(([name]) => name !== 'NextToken' && name !== 'MaxResults');
  return `${action} ${JSON.stringify(rest)}`;
}

function tokenFor(ask: Ask, rest: readonly string[], filled: boolean): string | undefined {
  if (rest.length === 0) return undefined;
  const { world, region, nowMs } = ask;
  forgetExpired(ask);
  const token = Buffer.from(newId(world, 'page')).toString('base64');
  const empty = world.manners.emptyPages && filled;
  const dueMs = nowMs + world.manners.tokenMs;
  region.tokens.set(token, { request: requestOf(ask), rest, empty, dueMs });
  return token;
}

/** Tokens expire in the order in which they were given. */
function forgetExpired({ region, nowMs }: Ask): void {
  for (const [token, { dueMs }] of region.tokens) {
    if (dueMs > nowMs) return;
    region.tokens.delete(token);
  }
}

/** A token may be used again, as a retry does, until it expires. */
function redeem(ask: Ask, token: string): { rest: readonly string[]; empty: boolean } {
  const known = ask.region.tokens.get(token);
  if (known === undefined || known.dueMs <= ask.nowMs || known.request !== requestOf(ask))
    throw new Refusal('InvalidNextToken', 'The specified token is invalid or has expired.');
  return known;
}
