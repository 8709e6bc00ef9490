/** The BGPSessionStates of a cluster, as the real exporter of frr-k8s writes them. */
import type { ControlPlane } from '../../controlplane/controlplane.ts';
import { Watched, type Seen } from '../../cluster/watched.ts';
import { sessionStates } from '../../frrk8s/objects.ts';

/** `status` is missing for a moment after an object was born. */
export interface BGPSessionState extends Seen {
  readonly status?: {
    readonly node?: string;
    readonly peer?: string;
    readonly bgpStatus?: string;
    readonly bfdStatus?: string;
  };
}

export class Sessions extends Watched<BGPSessionState> {
  constructor(plane: ControlPlane) {
    super(plane, sessionStates);
  }

  /**
   * What there is, a line per session, sorted: `worker-1 10.0.1.47 Established N/A`. Objects
   * without status are left out, and duplicates, of which one is always about to be removed.
   */
  lines(): string[] {
    const known = [...this.objects.values()].flatMap(({ status }) =>
      status?.node === undefined
        ? []
        : [`${status.node} ${status.peer} ${status.bgpStatus} ${status.bfdStatus}`],
    );
    return [...new Set(known)].sort();
  }

  /** Resolves as soon as the lines are these, in any order; throws with what they are instead. */
  async are(wanted: readonly (string | RegExp)[], withinMs = 60_000): Promise<void> {
    const fits = (line: string, want: string | RegExp): boolean =>
      typeof want === 'string' ? line === want : want.test(line);
    await this.until(`the sessions are\n${wanted.join('\n')}`, withinMs, (lines) => {
      const all = lines.length === wanted.length;
      return all && wanted.every((want) => lines.some((line) => fits(line, want)));
    });
  }

  /** Resolves as soon as there is a line for `session` such as `worker-1 10.0.1.47 Established`. */
  async has(session: string, withinMs = 60_000): Promise<void> {
    await this.until(`there is ${session}`, withinMs, (lines) =>
      lines.some((line) => `${line} `.startsWith(`${session} `)),
    );
  }

  async until(
    what: string,
    withinMs: number,
    isSo: (lines: readonly string[]) => boolean,
  ): Promise<void> {
    if (isSo(this.lines())) return;
    let end = (): void => {};
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        end = this.onChange(() => void (isSo(this.lines()) && resolve()));
        const late = (): void =>
          reject(new Error(`"${what}" is not so; there is\n${this.lines().join('\n')}`));
        timer = setTimeout(late, withinMs);
      });
    } finally {
      clearTimeout(timer);
      end();
    }
  }
}
