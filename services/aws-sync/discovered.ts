/** The condition AWSEndpointsDiscovered: whether AWS could be read, and what was found there. */
import type { AwsScope } from '../../core/bgp-fact.ts';
import type { Condition } from '../../core/bgp-decision.ts';
import type { Failure } from '../../core/cloud-door.ts';
import { count, list } from '../../core/say.ts';
import type { Plan } from './plan.ts';
import type { Region } from './region.ts';
import { missingServers } from './scope.ts';
import type { World } from './world.ts';

const TYPE = 'AWSEndpointsDiscovered';

/** Troubles that may be over in a moment: they are told late, so that no status flaps. */
const patient: ReadonlySet<string> = new Set(['throttled', 'network', 'server']);

/** What is wrong with a region and is to be told now; or when it will have to be. */
export function troubleOf(
  world: World,
  region: Region,
): { readonly failure: Failure | undefined; readonly nextMs: number } {
  const { failure, picturedMs, firstMs } = region;
  if (failure === undefined) return { failure: undefined, nextMs: Infinity };
  if (!patient.has(failure.trouble)) return { failure, nextMs: Infinity };
  const nextMs = (picturedMs || firstMs) + world.settings.times.patienceMs;
  return nextMs <= world.nowMs ? { failure, nextMs: Infinity } : { failure: undefined, nextMs };
}

/** The reason and the message of a condition for a failure to read. */
export function failureWords(failure: Failure): {
  readonly reason: string;
  readonly message: string;
} {
  const { trouble, action, code, message } = failure;
  switch (trouble) {
    case 'environment':
      return {
        reason: 'AWSCredentialsInvalid',
        message:
          'there are no AWS credentials: annotate the ServiceAccount with ' +
          'eks.amazonaws.com/role-arn, then restart aws-sync: they are injected into new pods only',
      };
    case 'identity':
      return {
        reason: 'AWSCredentialsInvalid',
        message: `AWS refuses the credentials, ${code}: ${message}`,
      };
    case 'permission':
      return { reason: 'Unauthorized', message: `${action} is not allowed` };
    case 'throttled':
      return { reason: 'AWSDiscoveryFailed', message: `AWS throttles ${action}` };
    default:
      return { reason: 'AWSDiscoveryFailed', message: `${action}, ${code}: ${message}` };
  }
}

export function discovered(
  world: World,
  scope: AwsScope,
  region: Region,
  plan: Plan | undefined,
): Condition {
  const { failure } = troubleOf(world, region);
  if (failure !== undefined) return { type: TYPE, status: 'False', ...failureWords(failure) };
  if (plan === undefined || region.picturedMs === 0)
    return {
      ...{ type: TYPE, status: 'Unknown', reason: 'Discovering' },
      message: `${scope.region} was not read yet`,
    };
  const missing = missingServers(scope, region);
  if (missing.length > 0)
    return {
      ...{ type: TYPE, status: 'False', reason: 'AWSDiscoveryFailed' },
      message:
        `not found in ${scope.region}: ${list(missing, 10)}; ` +
        'is it the region, and the account, of the Route Server?',
    };
  return found(scope, region, plan);
}

function found(scope: AwsScope, region: Region, plan: Plan): Condition {
  const own = [...region.endpoints.values()].filter(
    ({ server, state }) => scope.routeServerIDs.includes(server) && state !== 'deleted',
  );
  const good = own.filter(
    ({ id, state, subnet }) =>
      state === 'available' && region.served.has(id) && region.subnets.has(subnet),
  );
  const bad = own.filter((endpoint) => !good.includes(endpoint)).map(endpointWords);
  const zones = new Set(plan.groups.map(({ zone }) => zone)).size;
  const servers = [...region.servers.values()].filter(({ id }) =>
    scope.routeServerIDs.includes(id),
  );
  const persistent = servers.filter(({ persistRoutes }) => persistRoutes).map(({ id }) => id);
  const parts = [
    `${count(scope.routeServerIDs.length, 'Route Server')}, ` +
      `${count(good.length, 'endpoint')} in ${count(zones, 'zone')}`,
    ...bad.toSorted().slice(0, 5),
    ...persistent.toSorted().map((id) => `${id} persists routes, also those to dead nodes`),
  ];
  const isTrue = good.length > 0;
  const reason = isTrue ? 'Discovered' : 'AWSDiscoveryFailed';
  return { type: TYPE, status: isTrue ? 'True' : 'False', reason, message: parts.join('; ') };
}

function endpointWords({
  id,
  state,
  because,
}: {
  id: string;
  state: string;
  because: string;
}): string {
  const is = state === 'available' ? 'in no zone that is known' : state;
  return `${id} is ${is}${because === '' ? '' : ` (${because})`}`;
}
