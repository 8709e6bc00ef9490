/** How servers are harmed and repaired while people go on changing the cluster. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../controlplane/child.ts';
import type { NatsMember } from '../controlplane/nats-cluster.ts';
import { eventually } from '../controlplane/wait.ts';
import type { Draw } from '../simulator/draw.ts';
import type { Handover } from './handover.ts';
import { type Site, streams } from './site.ts';

export interface Stage {
  readonly site: Site;
  readonly draw: Draw;
  /** The longest that a server is frozen or away, in milliseconds. */
  readonly longestMs: number;
  /** What befell the one of two publishers that led. */
  readonly handovers: Handover[];
  /** What was seen to be against the rules meanwhile, as sentences. */
  readonly wrong: string[];
}

const all = (children: readonly Child[], how: 'kill' | 'start' | 'stop'): Promise<unknown> =>
  Promise.all(children.map((child) => child[how]()));

export const childrenOf = ({ site }: Stage): Child[] => site.nats.members.map(({ child }) => child);
export const oneOf = ({ site, draw }: Stage): NatsMember => draw.one(site.nats.members);
export const traffic = ({ site, draw }: Stage, steps = 4): Promise<void> =>
  site.traffic.run(draw, steps);

/** From a quarter of the longest time to the whole of it. */
export async function pause({ draw, longestMs }: Stage): Promise<string> {
  const ms = draw.between(longestMs / 4, longestMs);
  await sleep(ms);
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Some servers away while `meanwhile` happens to their files. */
export async function away(
  stage: Stage,
  children: readonly Child[],
  meanwhile: () => Promise<string> | string = () => '',
): Promise<string> {
  await all(children, 'kill');
  const note = await meanwhile();
  await traffic(stage);
  await all(children, 'start');
  return note;
}

export async function frozen(
  stage: Stage,
  children: readonly Child[],
  work = true,
): Promise<string> {
  for (const child of children) child.freeze();
  if (work) await traffic(stage);
  const note = await pause(stage);
  for (const child of children) child.thaw();
  return note;
}

/** The stores as they are now, of servers that stand still meanwhile. */
export function copyNow(stage: Stage, members: readonly NatsMember[]): () => void {
  const children = childrenOf(stage);
  for (const child of children) child.freeze();
  const putBack = stage.site.nats.copy(members, 'older');
  for (const child of children) child.thaw();
  return putBack;
}

/** Says enough that each stream goes on behind the copy, and waits until that has been noted. */
export async function goOn(stage: Stage, noted: boolean): Promise<void> {
  const { site } = stage;
  const lasts = async (): Promise<number[]> =>
    (await Promise.all(streams.map((stream) => site.nats.last(stream)))).map((last) => last ?? 0);
  const before = await lasts();
  const withinMs = 60_000;
  await eventually('all streams have grown', { withinMs }, async () => {
    await traffic(stage);
    return (await lasts()).every((last, index) => last > (before[index] ?? 0));
  });
  if (!noted) return;
  await eventually('the publisher has noted it', { withinMs }, async () => {
    const { marks = {} } = await site.book();
    return (marks['assigner']?.sequence ?? 0) > (before[1] ?? 0);
  });
}

/** An older copy of all stores is put back, with the rooms alive or not. */
export async function restored(
  stage: Stage,
  how: { noted: boolean; rooms: boolean },
): Promise<string> {
  const { site } = stage;
  const putBack = copyNow(stage, site.nats.members);
  await goOn(stage, how.noted);
  if (!how.rooms) await site.killRooms();
  await away(stage, childrenOf(stage), () => {
    putBack();
    return '';
  });
  if (!how.rooms) await site.startRooms();
  return '';
}

/** All stores are gone. */
export async function lost(stage: Stage, rooms: boolean): Promise<string> {
  if (!rooms) await stage.site.killRooms();
  const note = await away(stage, childrenOf(stage), () => {
    for (const { store } of stage.site.nats.members) rmSync(store, { recursive: true });
    return '';
  });
  if (!rooms) await stage.site.startRooms();
  return note;
}

export async function deleted({ site }: Stage, which: readonly string[]): Promise<string> {
  for (const stream of which) await site.nats.ask(`STREAM.DELETE.${stream}`);
  return which.length === 1 ? (which[0] ?? '') : '';
}
