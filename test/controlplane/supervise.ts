/** Starts a child again that died, as the kubelet would. */
import type { Child } from './child.ts';

/** How long a dead child is left alone before it is started again, in milliseconds. */
const restartAfterMs = 1_000;

/** Reports each death of `child` and starts it again, until `stopping` says that all ends. */
export function supervise(
  child: Child,
  report: (line: string) => void,
  stopping: () => boolean,
): void {
  const startAgain = (): void => {
    if (stopping() || child.pid !== 0) return;
    child.start().then(
      () => report(`the ${child.name} runs again as process ${child.pid}`),
      (error: unknown) => report(`the ${child.name} does not start: ${String(error)}`),
    );
  };
  child.onDeath((how) => {
    const seconds = restartAfterMs / 1000;
    report(`the ${child.name} ended (${how}); it is started again in ${seconds} s`);
    if (how !== 'SIGKILL') report(child.logTail(5));
    setTimeout(startAgain, restartAfterMs);
  });
}
