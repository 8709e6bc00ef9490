/** Tries all addresses of a node at once; the first that answers stands for the node. */
import { OVER } from './attempt.ts';

/** The winner's value, or what each address did instead, in the order of the addresses. */
export interface RaceResult<T> {
  readonly won?: T;
  readonly failures: readonly string[];
}

/** Resolves with a value when the address answered, or with what it did instead. Never rejects. */
export type Runner<T> = (address: string, end: AbortSignal) => Promise<T | Failure>;

export interface Failure {
  readonly failure: string;
}

/**
 * Runs until the first value, then ends the other runners; a value that comes too late is given to
 * `discard`. Upstream tries one address after the other, so that a dead first address hides a
 * living second one (`spec/egressip.md` 6.2).
 */
export function race<T extends object>(
  addresses: readonly string[],
  end: AbortSignal,
  run: Runner<T>,
  discard: (value: T) => void,
): Promise<RaceResult<T>> {
  const others = new AbortController();
  const stop = (): void => others.abort(OVER);
  if (end.aborted) stop();
  end.addEventListener('abort', stop);

  return new Promise((resolve) => {
    const failures: string[] = addresses.map(() => '');
    let running = addresses.length;
    let won = false;
    const finish = (result: RaceResult<T>): void => {
      end.removeEventListener('abort', stop);
      resolve(result);
      stop();
    };
    const settle = (index: number, result: T | Failure): void => {
      running -= 1;
      if ('failure' in result) failures[index] = result.failure;
      else if (won) return discard(result);
      else {
        won = true;
        return finish({ won: result, failures });
      }
      if (running === 0 && !won) finish({ failures });
    };
    addresses.forEach((address, index) => {
      void run(address, others.signal).then((result) => settle(index, result));
    });
    if (running === 0) finish({ failures });
  });
}
