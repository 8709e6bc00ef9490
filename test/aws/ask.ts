/** What an action is given to work on. */
import type { Params } from './params.ts';
import type { Account, Key, Region, World } from './state.ts';
import type { XmlObject } from './xml.ts';

export interface Ask {
  readonly world: World;
  readonly account: Account;
  readonly region: Region;
  /** Undefined for the one call that is not signed. */
  readonly key: Key | undefined;
  readonly action: string;
  readonly params: Params;
  readonly nowMs: number;
  /** What this read sees is as old as that. */
  readonly asOfMs: number;
}

/** An action of EC2 or STS. Throws Refusal. */
export interface Action {
  readonly service: 'ec2' | 'sts';
  /** First parts of the parameters that it knows; others are UnknownParameter. */
  readonly takes: readonly string[];
  readonly mutates: boolean;
  readonly run: (ask: Ask) => XmlObject;
}

export const read = (takes: readonly string[], run: Action['run']): Action => ({
  service: 'ec2',
  takes: [...takes, 'Filter', 'MaxResults', 'NextToken', 'DryRun'],
  mutates: false,
  run,
});

export const mutation = (takes: readonly string[], run: Action['run']): Action => ({
  service: 'ec2',
  takes: [...takes, 'DryRun'],
  mutates: true,
  run,
});
