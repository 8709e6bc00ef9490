/** A broken assertion is a bug in this program: the process stops, restarts and replays. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** The end of an exhaustive switch: the compiler proves that it cannot be reached. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

/** The value, which the caller knows to be there; `what` names it should that be wrong. */
export function must<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`assertion failed: ${what} is missing`);
  return value;
}
