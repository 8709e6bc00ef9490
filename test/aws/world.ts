/** A new AWS, and where things stand in it. Deterministic; knows no clock. */
import { seeded } from '../every.ts';
import { defaults, type Manners } from './manners.ts';
import type { Thing } from './model.ts';
import { Refusal } from './refusal.ts';
import { Shelf } from './shelf.ts';
import type { Account, Region, World } from './state.ts';

export function newWorld(seed = 1, manners: Partial<Manners> = {}): World {
  return {
    manners: { ...defaults, ...manners },
    accounts: new Map(),
    keys: new Map(),
    regions: new Map(),
    faults: [],
    log: [],
    watch: {
      violations: [],
      listings: new Map(),
      ours: new Set(),
      plan: undefined,
      rest: undefined,
    },
    begun: false,
    random: seeded(seed),
  };
}

export function accountOf(world: World, id: string): Account {
  const known = world.accounts.get(id);
  if (known !== undefined) return known;
  const account: Account = { id, denied: new Set(), roles: new Map(), providers: new Map() };
  world.accounts.set(id, account);
  return account;
}

/** A region that nobody has filled is there all the same, and empty. */
export function regionOf(world: World, account: string, name: string): Region {
  const place = `${account}/${name}`;
  const known = world.regions.get(place);
  if (known !== undefined) return known;
  const region: Region = {
    account,
    name,
    disabled: false,
    servers: new Shelf(),
    endpoints: new Shelf(),
    peers: new Shelf(),
    subnets: new Shelf(),
    instances: new Shelf(),
    interfaces: new Shelf(),
    plans: [],
    buckets: new Map(),
    tokens: new Map(),
    speakers: new Map(),
    doomed: new Map(),
  };
  world.regions.set(place, region);
  return region;
}

/** The shelf on which a thing with this id stands; throws InvalidID for an unknown prefix. */
export function shelfOf(region: Region, id: string): Shelf<Thing> {
  const shelves: Readonly<Record<string, unknown>> = {
    rs: region.servers,
    rse: region.endpoints,
    rsp: region.peers,
    subnet: region.subnets,
    i: region.instances,
    eni: region.interfaces,
  };
  const prefix = id.slice(0, Math.max(0, id.lastIndexOf('-')));
  const shelf = Object.hasOwn(shelves, prefix) ? shelves[prefix] : undefined;
  if (shelf === undefined) throw new Refusal('InvalidID', `The ID '${id}' is not valid`);
  return shelf as Shelf<Thing>;
}

/** A new id in EC2's form: `rsp-` and 17 hexadecimal digits. */
export function newId(world: World, prefix: string): string {
  const digit = (): string => Math.floor(world.random.next() * 16).toString(16);
  return `${prefix}-0${Array.from({ length: 16 }, digit).join('')}`;
}
