/** An emulated AWS with a clock in the hand and SDK clients, for one test. */
import { EC2Client } from '@aws-sdk/client-ec2';
import { STSClient } from '@aws-sdk/client-sts';
import { HandClock } from './hand-clock.ts';
import { type Aws, type AwsOptions, openAws } from './open.ts';
import type { RegionControl } from './region.ts';

export interface Stage {
  readonly aws: Aws;
  readonly clock: HandClock;
  /** us-east-1 of the default account. */
  readonly region: RegionControl;
  /** Tries once: what the emulator answers is what the test sees. */
  readonly ec2: EC2Client;
  readonly sts: STSClient;
  /** Another client of the same kind, such as one that retries or is elsewhere. */
  ec2With(config: Readonly<Record<string, unknown>>): EC2Client;
  /** Ends it without asking for violations. */
  close(): Promise<void>;
}

export async function openStage(options: AwsOptions = {}): Promise<Stage> {
  const clock = new HandClock();
  const aws = await openAws({ clock, ...options });
  const clients: { destroy(): void }[] = [];
  const once = { ...aws.client, maxAttempts: 1 };
  const ec2With: Stage['ec2With'] = (config) => {
    const client = new EC2Client({ ...once, ...config });
    clients.push(client);
    return client;
  };
  const sts = new STSClient(once);
  clients.push(sts);
  const close = async (): Promise<void> => {
    for (const client of clients) client.destroy();
    await aws.close().catch(() => {});
  };
  const region = aws.world.region('us-east-1');
  return { aws, clock, region, ec2: ec2With({}), sts, ec2With, close };
}

/** What a call was refused with: code, HTTP status and message; throws when it was not. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ readonly code: string; readonly status: number; readonly message: string }> {
  try {
    await call;
  } catch (error) {
    const failed = error as Error & {
      Code?: string;
      $metadata?: { httpStatusCode?: number };
    };
    return {
      code: failed.Code ?? failed.name,
      status: failed.$metadata?.httpStatusCode ?? 0,
      message: failed.message,
    };
  }
  throw new Error('the call was not refused');
}
