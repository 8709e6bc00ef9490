/** The body of a message on the log: one envelope around one event (package `protobufjs`). */
import { sluice } from '../proto/gen/events.js';
import type { Event, Heard } from '../core/event.ts';

/** What the body carries; where it stands on the log is the message's own affair. */
export type Said = Pick<Heard, 'event' | 'causes' | 'said' | 'atMs' | 'heard' | 'quiet'>;

type Arm = NonNullable<sluice.v1.Envelope['event']>;

/** An envelope as the generated code reads it: at most one arm is there, and `event` names it. */
type Opened = Omit<Said, 'event'> & { event?: Arm } & Partial<Record<Arm, object>>;

const { Envelope } = sluice.v1;

/** What a reader is given where the wire is silent: the defaults of proto3, never undefined. */
const whole = { defaults: true, arrays: true, objects: true, oneofs: true, longs: Number };

/** `EgressIPSeen` -> `egressIPSeen`. Does not compile while a kind has no arm in the envelope. */
function armOf<Kind extends Event['kind']>(kind: Kind): Uncapitalize<Kind> & Arm {
  return `${kind.charAt(0).toLowerCase()}${kind.slice(1)}` as Uncapitalize<Kind> & Arm;
}

/** The event with the sentence, the causes and the time (ms since 1970) as protobuf bytes. */
export function encode({ event, causes, said, atMs, heard, quiet }: Said): Uint8Array {
  const envelope: object = { causes, said, atMs, heard, quiet, [armOf(event.kind)]: event };
  return Envelope.encode(envelope).finish();
}

/**
 * What `encode` was given. Undefined when the bytes are no envelope, when a newer writer put a kind
 * of event into it that is not known here, or when the thing that the event is about is missing.
 */
export function decode(bytes: Uint8Array): Said | undefined {
  const opened = open(bytes);
  const content = opened?.event && opened[opened.event];
  if (!opened?.event || !content || Object.values(content).includes(null)) return undefined;
  const kind = `${opened.event.charAt(0).toUpperCase()}${opened.event.slice(1)}`;
  const { causes, said, atMs, heard = [], quiet = [] } = opened;
  return {
    event: { kind, ...content } as Event,
    causes,
    said,
    atMs,
    // Only where it is told: most readers have no use for it.
    ...(heard.length > 0 && { heard }),
    ...(quiet.length > 0 && { quiet }),
  };
}

function open(bytes: Uint8Array): Opened | undefined {
  try {
    return Envelope.toObject(Envelope.decode(bytes), whole) as Opened;
  } catch {
    return undefined;
  }
}
