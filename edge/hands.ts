/** Does what a room asks for; what came of it is sensed. */
import type { Inbox } from './inbox.ts';
import type { Doors } from './run.ts';
import type { Vitals } from './vitality.ts';

/** Begins an act and returns; a failure of the hands themselves ends the life. */
export function handsOf<Input, Act, Other>(
  name: string,
  { perform }: Doors<Input, Act>,
  vitals: Vitals,
  inbox: Inbox<Other | readonly Input[]>,
  signal: AbortSignal,
): (act: Act) => void {
  return (act) => {
    if (perform === undefined) throw new Error(`${name} has no hands`);
    vitals.acting++;
    const done = perform(act, signal).then(
      (input) => inbox.put([input]),
      (error: unknown) => inbox.fail(error),
    );
    void done.finally(() => vitals.acting--);
  };
}
