/** Opens an emulated AWS: `const aws = await openAws()`, then `aws.url`, `aws.world`, `aws.env`. */
import type { Clock } from '../../core/door.ts';
import { openClock } from '../../edge/clock.ts';
import { AwsWorld } from './control.ts';
import { serveAws } from './http.ts';
import type { Manners } from './manners.ts';
import type { Key } from './state.ts';
import { newWorld } from './world.ts';

export interface AwsOptions {
  /** The machine's own unless another is given. */
  readonly clock?: Clock;
  readonly manners?: Partial<Manners>;
  readonly seed?: number;
  readonly port?: number;
}

export interface Aws {
  readonly url: string;
  readonly world: AwsWorld;
  /** A key of the default account, good for ever. */
  readonly key: Key;
  /** As SDK clients take it: `new EC2Client({ ...aws.client })`. */
  readonly client: {
    readonly region: string;
    readonly endpoint: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  /** The same for a process: AWS_ENDPOINT_URL, AWS_REGION and a key. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it. Throws when an invariant was violated. */
  close(): Promise<void>;
}

/** An AWS with one account and nothing in it, on a port of the loopback address. */
export async function openAws(options: AwsOptions = {}): Promise<Aws> {
  const { clock = openClock(), port = 0 } = options;
  const world = new AwsWorld(newWorld(options.seed, options.manners), () => clock.nowMs());
  const key = world.key();
  const server = await serveAws(world, clock, port);
  const region = 'us-east-1';
  const close = async (): Promise<void> => {
    await server.close();
    world.check();
  };
  return {
    url: server.url,
    world,
    key,
    client: {
      region,
      endpoint: server.url,
      credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    },
    env: {
      AWS_ENDPOINT_URL: server.url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: key.id,
      AWS_SECRET_ACCESS_KEY: key.secret,
    },
    close,
  };
}
