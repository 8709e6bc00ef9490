/** Two publishers beside each other; who leads is harmed in mid-request, again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { speaks } from '../cluster/replicas-house.ts';
import { auditedIn } from '../controlplane/audit.ts';
import { eventually } from '../controlplane/wait.ts';
import { type Draw, draw } from '../simulator/draw.ts';
import { type Came, judgeHandovers } from './handover-judge.ts';
import type { Stage } from './harm.ts';
import { RoomLogs } from './room-logs.ts';
import type { Site } from './site.ts';
import { openTwin, rolesOf, type Twin, twins as users } from './twin.ts';
import { Work } from './work.ts';

export interface Harm {
  readonly how: 'frozen' | 'terminated' | 'killed';
  /** Whether answers of the API server are held back, so that more requests are under way. */
  readonly slow: boolean;
}

/** How often the leader is harmed in a round. */
const harms = 2;
/** A lease lives 3 s: after so long a freeze another must have led, however slow the machine. */
const surelyMs = 20_000;

/** The site's own publisher makes room for two, and is back at the end. */
export async function twoPublishers(stage: Stage, harm: Harm): Promise<string> {
  const { site } = stage;
  const alone = site.rooms.filter(({ name }) => name === 'publisher');
  await Promise.all(alone.map((room) => room.stop()));
  const twins: Twin[] = [];
  const begunMs = Date.now();
  try {
    for (const user of users) twins.push(await openTwin(site, user, harm.slow));
    const logs = new RoomLogs(twins.map(({ room }) => room));
    const came: Came[] = [];
    for (let nth = 0; nth < harms; nth++) came.push(await harmLeader(stage, harm, twins));
    stage.wrong.push(...logs.voided().map((because) => `the log was made void: ${because}`));
    await Promise.all(twins.map((twin) => twin.stop()));
    return judgeHandovers(stage, came, twins, begunMs);
  } finally {
    await Promise.all(twins.map((twin) => twin.stop()));
    await Promise.all(alone.map((room) => room.start()));
  }
}

async function harmLeader(stage: Stage, harm: Harm, twins: readonly Twin[]): Promise<Came> {
  const { site } = stage;
  const chance = draw(stage.draw.between(0, 1e9), 'two publishers');
  const { old, next } = await rolesOf(twins);
  const work = new Work(site, chance);
  try {
    await sentMore(site, old.user);
    await sleep(chance.between(0, 300));
    const inFlight = old.unanswered();
    const atMs = Date.now();
    if (harm.how === 'frozen') old.room.freeze();
    if (harm.how === 'killed') await old.room.kill();
    if (harm.how === 'terminated') await old.room.stop();
    work.pauseMs = 150;
    const frozenMs = harm.how === 'frozen' ? await frozenFor(stage, chance, old, next) : 0;
    if (harm.how !== 'frozen') await old.room.start();
    await rolesOf(twins);
    await sleep(chance.between(0, 1_500));
    return { old: old.user, atMs, frozenMs, inFlight };
  } finally {
    await work.end();
  }
}

/**
 * Each tenth of the time is as likely on the scale of logarithms: from 1 s to six times longest.
 */
async function frozenFor(stage: Stage, chance: Draw, old: Twin, next: Twin): Promise<number> {
  const beganMs = Date.now();
  const ms = 1_000 * ((6 * stage.longestMs) / 1_000) ** chance.next();
  await sleep(ms);
  if (ms > surelyMs && !(await speaks(next.room)))
    stage.wrong.push(`nobody took over in ${ms} ms:\n${next.room.logTail()}`);
  old.room.thaw();
  return Date.now() - beganMs;
}

/** Waits until the leader has been at work for a while: it has sent some requests. */
async function sentMore(site: Site, user: string): Promise<void> {
  const count = (): number => auditedIn(site.plane).filter((one) => one.user === user).length;
  const before = count();
  const waiting = { withinMs: 60_000, everyMs: 100 };
  await eventually(`${user} is at work`, waiting, () => count() > before + 10);
}
