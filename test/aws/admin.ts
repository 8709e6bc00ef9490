/** The control surface over HTTP, for an emulator that is a process of its own: JSON in and out. */
import { isObject, listOf, parseJson, property, textOf } from '../../core/json.ts';
import type { AwsWorld } from './control.ts';
import { ACCOUNT } from './principals.ts';
import { topology, type TopologySize } from './topology.ts';

/** What may be done by name: POST /do {"do":"deny","with":["CreateTags"],"region":"us-east-1"}. */
const worldVerbs = [
  'key',
  'expireKeys',
  'role',
  'token',
  'deny',
  'allow',
  'fault',
  'clearFaults',
  'clearLog',
  'ours',
  'plan',
  'rest',
  'stir',
] as const;

const regionVerbs = [
  'subnet',
  'routeServer',
  'endpoint',
  'peer',
  'instance',
  'terminate',
  'replace',
  'setServer',
  'setEndpoint',
  'setPeer',
  'setInstance',
  'setInterface',
  'sourceDestCheck',
  'forget',
  'session',
  'speaker',
  'routes',
  'doom',
  'drain',
  'livePeers',
] as const;

export interface AdminAnswer {
  readonly status: number;
  readonly json: unknown;
}

/**
 * GET /state?region=… (what there is), /calls, /counts, /violations; POST /do (one verb), /manners
 * (a change of them). 404 for another path, 400 with a message for a wrong body.
 */
export function admin(aws: AwsWorld, method: string, path: string, body: string): AdminAnswer {
  const url = new URL(path, 'http://localhost');
  switch (`${method} ${url.pathname}`) {
    case 'GET /state':
      return ok(stateOf(aws, url.searchParams));
    case 'GET /calls':
      return ok(aws.calls(url.searchParams.get('action') ?? undefined));
    case 'GET /counts':
      return ok(aws.counts());
    case 'GET /violations':
      return ok(aws.violations());
    case 'POST /manners':
      return ok(Object.assign(aws.manners, parseJson(body)));
    case 'POST /do':
      return act(aws, parseJson(body));
    default:
      return { status: 404, json: { message: `${method} ${url.pathname} is nothing here` } };
  }
}

const ok = (json: unknown): AdminAnswer => ({ status: 200, json: json ?? {} });

function stateOf(aws: AwsWorld, params: URLSearchParams): unknown {
  const region = aws.region(params.get('region') ?? '', params.get('account') ?? ACCOUNT);
  const { servers, endpoints, peers, instances, interfaces } = region;
  return { servers, endpoints, peers, instances, interfaces };
}

function act(aws: AwsWorld, request: unknown): AdminAnswer {
  if (!isObject(request)) return { status: 400, json: { message: 'the body is no JSON object' } };
  const verb = textOf(property(request, 'do'));
  const given = listOf(property(request, 'with'));
  const account = textOf(property(request, 'account')) || ACCOUNT;
  const region = aws.region(textOf(property(request, 'region')) || 'us-east-1', account);
  if (verb === 'topology') return ok(topology(region, given[0] as TopologySize | undefined));
  const target: unknown = isOf(worldVerbs, verb)
    ? aws
    : isOf(regionVerbs, verb)
      ? region
      : undefined;
  if (target === undefined) return { status: 400, json: { message: `"${verb}" is no verb here` } };
  try {
    const method = (target as Record<string, (...given: readonly unknown[]) => unknown>)[verb];
    return ok(method?.call(target, ...given));
  } catch (error) {
    return { status: 400, json: { message: error instanceof Error ? error.message : '' } };
  }
}

const isOf = (verbs: readonly string[], verb: string): boolean => verbs.includes(verb);
