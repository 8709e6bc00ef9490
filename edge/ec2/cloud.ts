/** AWS behind the cloud's door: Route Servers, their peers, and the instances of nodes. */
import type { Answer, CloudPeer, CloudProvider } from '../../core/cloud-door.ts';
import type { Clock } from '../../core/door.ts';
import { type Connection, type Ec2, openEc2 } from '../ec2.ts';
import { callerIdentity } from '../sts.ts';
import { applyChange } from './apply.ts';
import { Desk } from './desk.ts';
import { discover, listPeers } from './discover.ts';
import { Limiter } from './limiter.ts';

export interface AwsOptions {
  readonly clock: Clock;
  /** In [0, 1): spreads pauses after a refusal. */
  readonly random: () => number;
  /** The environment has something that credentials could come from. */
  readonly environment: boolean;
  /** How to reach AWS other than usual. */
  readonly connection?: Partial<Connection>;
  /** Whether this process may change anything; default: always. */
  readonly mayWrite?: () => boolean;
}

export interface AwsCloud extends CloudProvider {
  close(): void;
}

/** How long a call may take, and how long a connection. */
const REQUEST_MS = 20_000;
const CONNECTION_MS = 5_000;

/** A region in use: its client, its buckets, and what of its subnets is known. */
interface Place {
  readonly limiter: Limiter;
  /** Subnets never change their zone. */
  readonly zones: Map<string, { readonly zone: string; readonly cidr: string }>;
  ec2: Promise<Ec2> | undefined;
}

/** Opens nothing before the first operation: who needs no AWS needs no credentials. */
export function openAwsCloud(options: AwsOptions): AwsCloud {
  const places = new Map<string, Place>();
  const operate = async <T>(
    region: string,
    signal: AbortSignal,
    operation: (desk: Desk, ec2: Ec2, place: Place) => Promise<T>,
  ): Promise<Answer<T>> => {
    const place = placeOf(places, region, options);
    place.ec2 ??= openEc2(connectionOf(region, options));
    const ec2 = await place.ec2;
    const desk = new Desk(place.limiter, options.environment, signal);
    const answer = await desk.answer(() => operation(desk, ec2, place));
    if ('failure' in answer && doubts.has(answer.failure.trouble)) forget(place, ec2);
    return answer;
  };
  return {
    identify: (region, signal) =>
      operate(region, signal, async (desk, { credentials }) => {
        const connection = connectionOf(region, options);
        const same = { ...connection, ...(credentials && { credentials }) };
        await desk.count('GetCallerIdentity', () => callerIdentity(same, signal));
        return null;
      }),
    discover: (region, instances, signal) =>
      operate(region, signal, (desk, ec2, { zones }) => discover(desk, ec2, zones, instances)),
    list: (region, signal) =>
      operate<readonly CloudPeer[]>(region, signal, (desk, ec2) => listPeers(desk, ec2)),
    apply: (region, change, signal) =>
      operate(region, signal, (desk, ec2) => applyChange(desk, ec2, change)),
    close: () => {
      for (const { ec2 } of places.values()) void ec2?.then((open) => open.close());
    },
  };
}

const connectionOf = (region: string, { connection, mayWrite }: AwsOptions): Connection => ({
  mayWrite,
  ...{ requestTimeout: REQUEST_MS, connectionTimeout: CONNECTION_MS },
  ...{ ...connection, region },
});

function placeOf(places: Map<string, Place>, region: string, options: AwsOptions): Place {
  const known = places.get(region);
  if (known !== undefined) return known;
  const limiter = new Limiter(options.clock, options.random);
  const place: Place = { limiter, zones: new Map(), ec2: undefined };
  places.set(region, place);
  return place;
}

/** After these a new client reads its credentials anew: they may have been put right meanwhile. */
const doubts: ReadonlySet<string> = new Set(['identity', 'environment']);

function forget(place: Place, ec2: Ec2): void {
  place.ec2 = undefined;
  ec2.close();
}
