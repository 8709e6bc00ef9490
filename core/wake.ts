/** Rooms have no clock: they ask to be woken, and learn how late it is. */

/** The room wants to think again at that time, in milliseconds since 1970. */
export interface Wake {
  readonly kind: 'Wake';
  readonly atMs: number;
}

/** It is that late now. */
export interface Now {
  readonly kind: 'Now';
  readonly nowMs: number;
}
