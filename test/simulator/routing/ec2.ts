/** The SDK's EC2 client, played over the emulator's pure core: the shipped door calls it. */
import { isObject, type JsonObject } from '../../../core/json.ts';
import type { Ec2 } from '../../../edge/ec2.ts';
import { type Answer, step } from '../../aws/step.ts';
import type { Key, World } from '../../aws/state.ts';

/** Names of the SDK's inputs that the Query protocol has otherwise. */
const singular: Readonly<Record<string, string>> = {
  Filters: 'Filter',
  Values: 'Value',
  RouteServerPeerIds: 'RouteServerPeerId',
  TagSpecifications: 'TagSpecification',
  Tags: 'Tag',
  Resources: 'ResourceId',
};

/** Nested input as the flat parameters of the Query protocol. */
export function flat(input: object, prefix = ''): readonly (readonly [string, string])[] {
  return Object.entries(input as JsonObject).flatMap(([key, value]) => {
    const name = `${prefix}${singular[key] ?? key}`;
    if (Array.isArray(value))
      return (value as readonly unknown[]).flatMap((one, index) => {
        const at = `${name}.${index + 1}`;
        return isObject(one) ? flat(one, `${at}.`) : [[at, String(one)] as const];
      });
    return isObject(value) ? flat(value, `${name}.`) : [[name, String(value)] as const];
  });
}

/** Names of elements that the SDK has otherwise; the rest begins with a capital. */
const renamed: Readonly<Record<string, string>> = {
  instanceState: 'State',
  instancesSet: 'Instances',
};

/** The body of an answer as the SDK hands it out. */
export function shaped(value: unknown): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(shaped);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(
    entries.map(([key, one]) => {
      const capital = key.charAt(0).toUpperCase() + key.slice(1);
      return [renamed[key] ?? capital.replace(/Set$/, 's'), shaped(one)];
    }),
  );
}

const errorOf = ({ code, message, status }: Answer): Error =>
  Object.assign(new Error(message), { name: code, $metadata: { httpStatusCode: status } });

const socketError = (code: string): Error =>
  Object.assign(new Error(`the connection failed: ${code}`), { code });

export interface Wire {
  readonly world: World;
  readonly key: () => Key;
  readonly nowMs: () => number;
  /** On the way there, and back; when it was sent. */
  go(what: string): Promise<number>;
  back(what: string, extraMs?: number): Promise<void>;
  onAnswer(answer: Answer, sentMs: number): void;
}

const VERSIONS = { ec2: '2016-11-15', sts: '2011-06-15' } as const;

/** One call over the wire. Rejects as the SDK does. */
export async function call(
  wire: Wire,
  service: 'ec2' | 'sts',
  action: string,
  input: object,
  region: string,
): Promise<unknown> {
  const sentMs = await wire.go(action);
  const { id: keyId, sessionToken } = wire.key();
  const given = [['Action', action], ['Version', VERSIONS[service]], ...flat(input)] as const;
  const params = new Map<string, string>(given);
  const rest = { keyId, sessionToken, userAgent: '', attempt: 1 };
  const answer = step(wire.world, { service, region, params, ...rest }, wire.nowMs());
  wire.onAnswer(answer, sentMs);
  const hangMs = answer.delivery === 'hang' ? 20_000 : answer.afterMs;
  await wire.back(`${action} → ${answer.code || 'ok'}`, hangMs);
  if (answer.delivery === 'hang') throw Object.assign(new Error(''), { name: 'TimeoutError' });
  if (answer.delivery === 'cut') throw socketError('ECONNRESET');
  if (answer.code !== '') throw errorOf(answer);
  return shaped(answer.body);
}

export const ec2Of = (wire: Wire, region: string): Ec2 => ({
  call: async (action, input, signal) => {
    signal.throwIfAborted();
    return await call(wire, 'ec2', action, input, region);
  },
  credentials: undefined,
  close: () => undefined,
});
