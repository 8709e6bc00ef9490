/** What bgp senses besides the log, and what it asks for: time, and nothing else. */

/** The room wants to think again at that time, in milliseconds since 1970. */
export interface Act {
  readonly kind: 'Wake';
  readonly atMs: number;
}

/** It is that late now. */
export interface Input {
  readonly kind: 'Now';
  readonly nowMs: number;
}
