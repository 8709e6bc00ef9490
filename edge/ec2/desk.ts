/** Where all calls to one region go through: each waits for its turn and is counted. */
import type { Answer, Call, Failure } from '../../core/cloud-door.ts';
import { StaleWriter } from '../../core/door.ts';
import { listOf, property, textOf } from '../../core/json.ts';
import type { Action, Ec2 } from '../ec2.ts';
import { failureOf } from './failure.ts';
import type { Limiter } from './limiter.ts';

/** A listing of so many pages is none: the token does not move on. */
const MOST_PAGES = 1000;

/** A call failed; it ends the operation that it belongs to. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** What an operation has cost so far. */
export class Desk {
  readonly calls: Call[] = [];
  heldUpMs = 0;
  readonly #limiter: Limiter;
  readonly #environment: boolean;
  readonly #signal: AbortSignal;

  /** `environment`: there is something in it that credentials could come from. */
  constructor(limiter: Limiter, environment: boolean, signal: AbortSignal) {
    this.#limiter = limiter;
    this.#environment = environment;
    this.#signal = signal;
  }

  /** @throws CallFailed */
  async call(ec2: Ec2, action: Action, input: object): Promise<unknown> {
    return this.count(action, () => ec2.call(action, input, this.#signal));
  }

  /** @throws CallFailed */
  async count<T>(action: string, make: () => Promise<T>): Promise<T> {
    this.heldUpMs += await this.#limiter.take(action, this.#signal);
    try {
      const answer = await make();
      this.calls.push({ action, code: '' });
      this.#limiter.accepted();
      return answer;
    } catch (error) {
      if (error instanceof StaleWriter) throw error;
      const failure = failureOf(error, action, this.#environment);
      this.calls.push({ action, code: failure.code });
      if (failure.trouble === 'throttled') this.#limiter.refused(action);
      throw new CallFailed(failure);
    }
  }

  /**
   * Every item of a listing: a page may be empty and have a successor all the same, and '' is no
   * token (facts 1.2). A page that fails leaves no listing at all.
   * @throws CallFailed
   */
  async all(ec2: Ec2, action: Action, input: object, set: string): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    let NextToken = '';
    for (let page = 0; page < MOST_PAGES; page++) {
      const asked = NextToken === '' ? input : { ...input, NextToken };
      const answer = await this.call(ec2, action, asked);
      items.push(...listOf(property(answer, set)));
      NextToken = textOf(property(answer, 'NextToken'));
      if (NextToken === '') return items;
    }
    const message = `${action} has no end: ${MOST_PAGES} pages and still a token`;
    throw new CallFailed({ trouble: 'server', action: `ec2:${action}`, code: 'NoEnd', message });
  }

  /** The answer of an operation; whatever is thrown besides CallFailed is a bug and goes on. */
  async answer<T>(operate: () => Promise<T>): Promise<Answer<T>> {
    try {
      const value = await operate();
      return { calls: this.calls, heldUpMs: this.heldUpMs, value };
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      return { calls: this.calls, heldUpMs: this.heldUpMs, failure: error.failure };
    }
  }
}
