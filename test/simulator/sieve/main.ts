/**
 * `make sieve`: all plans of all scenarios. SCENARIO= only those whose name begins so; PLAN='crash
 * at write 12' one plan, a line per event. Exit 1 when one ends otherwise than if nothing had gone
 * wrong, or when there are fewer plans than there were.
 */
import { must } from '../../../core/assert.ts';
import { play, type Run } from './play.ts';
import { allPlansOf, allScenarios, LEAST_PLANS, nameOf, plansOf, told, wrongIn } from './sieve.ts';
import { onThreads } from '../threads.ts';
import type { Order } from './worker.ts';

/** A run makes and drops so much that a small nursery would be swept all the time. */
const nursery = { maxYoungGenerationSizeMb: 96, maxOldGenerationSizeMb: 2_048 };

const { SCENARIO = '', PLAN = '' } = process.env;
const chosen = allScenarios.flatMap(({ name }, at) => (name.startsWith(SCENARIO) ? [at] : []));
process.exit((PLAN === '' ? await many() : await one()) ? 0 : 1);

/** The first of the scenarios chosen, with a line per event; `PLAN=none` disturbs nothing. */
async function one(): Promise<boolean> {
  const scenario = must(allScenarios[chosen[0] ?? -1], `a scenario that begins "${SCENARIO}"`);
  const print = (line: string): void => console.log(line.slice(0, 400));
  const reference = await play(scenario, undefined, PLAN === 'none' ? print : undefined);
  if (PLAN === 'none') return reference.failure === undefined;
  const aim = must(
    allPlansOf(reference).find((each) => nameOf(each) === PLAN),
    `a plan "${PLAN}" of "${scenario.name}"`,
  );
  const why = wrongIn(await play(scenario, { aim, end: reference.end }, print), reference);
  console.log(why === '' ? 'ends as if nothing had gone wrong' : `WRONG ${why}`);
  return why === '';
}

interface Account {
  readonly reference: Run;
  /** Those that cannot matter included. */
  readonly all: number;
  readonly plans: number;
  left: number;
  ms: number;
  wrong: number;
}

type Accounts = ReadonlyMap<number, Account>;

async function many(): Promise<boolean> {
  const begunMs = performance.now();
  const accounts = await learn();
  const orders = [...accounts].flatMap(([scenario, { reference }]): readonly Order[] =>
    plansOf(reference).map((aim) => ({ scenario, disturbance: { aim, end: reference.end } })),
  );
  await playAll(orders, (run, { scenario, disturbance }, ms) => {
    const account = must(accounts.get(scenario), 'the account of a scenario');
    account.left--;
    account.ms += ms;
    const why = wrongIn(run, account.reference);
    if (why !== '') tell(scenario, account, `${nameOf(must(disturbance, 'a plan').aim)}: ${why}`);
    if (account.left === 0) report(scenario, account);
  });
  const wrong = sumOf(accounts, (account) => account.wrong);
  const all = sumOf(accounts, (account) => account.all);
  const seconds = Math.round((performance.now() - begunMs) / 1_000);
  const played = `${orders.length} of ${all} plans, ${accounts.size} scenarios`;
  console.log(`${played}, ${seconds} s, ${wrong} wrong; the other plans cannot matter`);
  const isFewer = SCENARIO === '' && all < LEAST_PLANS;
  if (isFewer) console.log(`FAILED there were at least ${LEAST_PLANS} plans`);
  return wrong === 0 && !isFewer && orders.length > 0;
}

function playAll(
  orders: readonly Order[],
  onRun: (run: Run, order: Order, ms: number) => void,
): Promise<void> {
  return onThreads(new URL('./worker.ts', import.meta.url), orders, onRun, nursery);
}

function sumOf(accounts: Accounts, of: (account: Account) => number): number {
  return [...accounts.values()].reduce((sum, account) => sum + of(account), 0);
}

/** Each scenario without anything that goes wrong. */
async function learn(): Promise<Accounts> {
  const accounts = new Map<number, Account>();
  const orders = chosen.map((scenario): Order => ({ scenario, disturbance: undefined }));
  await playAll(orders, (reference, { scenario }) => {
    const failed = told(reference);
    const all = allPlansOf(reference).length;
    const plans = plansOf(reference).length;
    const account = { reference, all, plans, left: plans, ms: 0, wrong: 0 };
    accounts.set(scenario, account);
    if (failed !== '') tell(scenario, account, `undisturbed: ${failed}`);
  });
  return new Map([...accounts].sort(([a], [b]) => a - b));
}

function tell(scenario: number, account: Account, why: string): void {
  account.wrong++;
  console.log(`WRONG ${allScenarios[scenario]?.name}: ${why}`);
}

function report(scenario: number, { all, plans, ms, wrong }: Account): void {
  const seconds = (ms / 1_000).toFixed(0);
  const name = allScenarios[scenario]?.name;
  console.log(`${plans} of ${all} plans, ${seconds} s, ${wrong} wrong: ${name}`);
}
