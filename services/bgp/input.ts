/** What bgp senses besides the log, and what it asks for: time, and nothing else. */

export type { Now as Input, Wake as Act } from '../../core/wake.ts';
