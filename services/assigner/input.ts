/** What the assigner senses besides the log, and what it asks for: time, and nothing else. */
import type { Selector } from '../../core/selector.ts';

export type { Now as Input, Wake as Act } from '../../core/wake.ts';

export interface Settings {
  /** Nodes that never host (`--no-hostsubnet-nodes`), or undefined. */
  readonly excluded: Selector | undefined;
}
