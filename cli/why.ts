/** `sluice why`: for each address of an EgressIP, why it is where it is; and how BGP stands. */
import { explain } from '../services/assigner/explain.ts';
import type { Settings } from '../services/assigner/input.ts';
import { chainOf, type Link } from './causes.ts';
import { exit } from './failure.ts';
import type { Home } from './homes.ts';
import { readToEnd, type Readable } from './read.ts';
import { Standing } from './status-report.ts';
import { troublesSince } from './steady.ts';
import type { Terminal } from './terminal.ts';
import { bgpAskOf, whyBgp } from './why-bgp.ts';
import { type Question, questionsOf } from './why-target.ts';
import { type Answer, recordOf, textOf } from './why-text.ts';

export interface WhyAsk {
  readonly target: string;
  readonly address: string | undefined;
  readonly output: 'text' | 'json';
  /** Every node has its row, however many there are. */
  readonly all: boolean;
  readonly settings: Settings;
}

/** So many events that led to it are shown. */
const CAUSES = 6;

/** Exit code 0 when all that is asked about is well, else 1. Throws Failure when unknown. */
export async function why(log: Readable, ask: WhyAsk, terminal: Terminal): Promise<number> {
  const bgp = bgpAskOf(ask.target, ask.output);
  return bgp === undefined ? whyEgressIP(log, ask, terminal) : whyBgp(log, bgp, terminal);
}

/** Exit code 0 when all addresses asked about have a node, else 1. Throws Failure when unknown. */
async function whyEgressIP(log: Readable, ask: WhyAsk, terminal: Terminal): Promise<number> {
  const standing = new Standing(ask.settings);
  const streams = ['watcher', 'assigner'] as const;
  const last = { streams, from: 'last-per-subject' } as const;
  for await (const read of readToEnd(log, last, terminal.signal)) standing.picture.hear(read);
  const questions = questionsOf(standing.picture.world, ask.target, ask.address);
  const answers: Answer[] = [];
  for (const question of questions)
    answers.push(...(await answersTo(log, standing, question, terminal.signal)));
  if (ask.output === 'json') terminal.out(`${JSON.stringify(answers.map(recordOf), null, 2)}\n`);
  else terminal.out(textsOf(answers, questions, ask.all, terminal.nowMs()));
  return answers.every(({ state }) => state.kind === 'placed') ? exit.fine : exit.notFine;
}

async function answersTo(
  log: Readable,
  standing: Standing,
  { claim, addresses }: Question,
  signal: AbortSignal,
): Promise<readonly Answer[]> {
  // The object's own past tells since when, and by which decision.
  const filter = `egressip.${claim.name.replaceAll('.', '_')}`;
  const past = { streams: ['assigner'], filter, from: 'all' } as const;
  for await (const read of readToEnd(log, past, signal)) standing.homes.hear(read);
  const answers: Answer[] = [];
  for (const address of addresses) {
    const home = standing.homes.of(claim.name, address);
    const causes = await causesOf(log, standing, home, signal);
    const explanation = explain(standing.picture, claim, address);
    const since = await troublesSince(log, explanation.nodes, signal);
    answers.push({ egressIP: claim.name, home, causes, since, ...explanation });
  }
  return answers;
}

/** The decision that brought the address where it is, those before it, and what led to each. */
async function causesOf(
  log: Readable,
  { picture }: Standing,
  home: Home | undefined,
  signal: AbortSignal,
): Promise<readonly Link[]> {
  const links: Link[] = [];
  for (let one = home; one !== undefined && links.length < CAUSES; one = one.before)
    links.push(...(await chainOf(log, one.heard, picture, CAUSES - links.length - 1, signal)));
  return links;
}

function textsOf(
  answers: readonly Answer[],
  questions: readonly Question[],
  all: boolean,
  nowMs: number,
): string {
  const silent = questions.filter(({ addresses }) => addresses.length === 0);
  const lines = silent.map(({ claim }) => `${claim.name} asks for no address.\n`);
  return [...lines, ...answers.map((answer) => textOf(answer, all, nowMs))].join('\n');
}
