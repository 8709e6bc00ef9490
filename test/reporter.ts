/** Prints tests as sentences, then the failures in full, and last `N passed, N failed`. */

interface Suite {
  readonly title: string;
  readonly root: boolean;
}

interface Test {
  readonly title: string;
  readonly duration?: number;
  fullTitle(): string;
}

interface Runner {
  on(event: 'suite' | 'suite end', hear: (suite: Suite) => void): Runner;
  on(event: 'pass' | 'pending', hear: (test: Test) => void): Runner;
  on(event: 'fail', hear: (test: Test, error: unknown) => void): Runner;
  on(event: 'end', hear: () => void): Runner;
}

/** A test that takes longer says how long, in milliseconds. */
const slowMs = 500;
/** How long after the last test the process may still run. */
const lingerMs = 15_000;

/** The reporter of `make test`; mocha makes one per run. */
export default class SentenceReporter {
  private depth = 0;
  private passed = 0;
  private readonly failures: string[] = [];

  constructor(runner: Runner) {
    runner
      .on('suite', (suite) => this.enter(suite))
      .on('suite end', (suite) => {
        if (!suite.root) this.depth -= 1;
      })
      .on('pass', (test) => this.pass(test))
      .on('pending', (test) => this.line(`- ${test.title} (skipped)`))
      .on('fail', (test, error) => this.fail(test, error))
      .on('end', () => this.end());
  }

  private line(text: string): void {
    console.log(`${'  '.repeat(this.depth)}${text}`);
  }

  private enter(suite: Suite): void {
    if (suite.root) return;
    this.line(suite.title);
    this.depth += 1;
  }

  private pass(test: Test): void {
    this.passed += 1;
    const took = test.duration ?? 0;
    this.line(`✓ ${test.title}${took > slowMs ? ` (${Math.round(took)} ms)` : ''}`);
  }

  private fail(test: Test, error: unknown): void {
    const number = this.failures.push(`${test.fullTitle()}\n${explained(error)}`);
    this.line(`✗ ${test.title} (failure ${number} below)`);
  }

  private end(): void {
    this.failures.forEach((failure, index) => console.log(`\n${index + 1}) ${failure}`));
    console.log(`\n${this.passed} passed, ${this.failures.length} failed`);
    // Does not itself keep the process alive: it fires only when something else does.
    setTimeout(() => this.lingering(), lingerMs).unref();
  }

  private lingering(): void {
    const why = process.getActiveResourcesInfo().join(', ');
    console.log(`\nthe tests are over, but something keeps the process alive: ${why}`);
    console.log(`\n${this.passed} passed, ${this.failures.length + 1} failed`);
    process.exit(1);
  }
}

/** The whole story of an error: its stack, then what caused it. */
function explained(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${explained(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
