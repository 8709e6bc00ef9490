/** One call and what came of it, as the log of the emulator keeps it. */

export interface Entry {
  readonly atMs: number;
  readonly account: string;
  readonly region: string;
  readonly keyId: string;
  readonly action: string;
  readonly params: Readonly<Record<string, string>>;
  /** The error code that was decided; '' for success, also where the reply was lost. */
  readonly code: string;
  /** HTTP status; 0 where no reply was sent. */
  readonly status: number;
  /** Whether the world changed: a mutation that took effect, whatever the client was told. */
  readonly applied: boolean;
  readonly userAgent: string;
  /** As the SDK counts its sends of one command: 1 at first. */
  readonly attempt: number;
}
