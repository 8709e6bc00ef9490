/** What `sluice verify` found that nothing explains. */
import { Buffer } from 'node:buffer';
import type { Event, Heard, Saying } from '../core/event.ts';
import { topicOf } from '../core/subject.ts';
import { encode } from '../edge/protobuf.ts';

export type FindingKind =
  /** The log says something else than the rules, on the same facts. */
  | 'changed'
  /** The rules conclude nothing of the kind. */
  | 'unexplained'
  /** The rules conclude something that the log does not have. */
  | 'missing'
  /** One of these in a life whose beginning is not on the log: it may have remembered more. */
  | 'unsure'
  /** Events are not on the log any more. */
  | 'gap'
  /** A write that no decision asked for. */
  | 'write'
  /** The cluster has something else than what was decided. */
  | 'status'
  /** AWS was seen to have something else than was judged. */
  | 'aws';

export interface Finding {
  readonly kind: FindingKind;
  /** `assigner 17`, `cluster`. */
  readonly where: string;
  /** In milliseconds since 1970; undefined = now. */
  readonly atMs: number | undefined;
  /** `egressip/web`. */
  readonly object: string;
  /** A sentence. */
  readonly what: string;
}

export function findingOn(kind: FindingKind, heard: Heard, what: string): Finding {
  const { stream, sequence, atMs, event } = heard;
  return { kind, where: `${stream} ${sequence}`, atMs, object: objectOf(event), what };
}

export function objectOf(event: Event): string {
  const { kind, name } = topicOf(event);
  return `${kind}/${name}`;
}

/** Whether two say the same: the events byte for byte as the log stores them, and the sentences. */
export function isSame(a: Saying, b: Saying): boolean {
  return a.said === b.said && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

const bytesOf = ({ event }: Saying): Uint8Array => encode({ event, causes: [], said: '', atMs: 0 });
