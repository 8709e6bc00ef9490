/** The headers of a message: the log reads as prose without any decoder, and as CloudEvents. */
import type { Saying, Speaker } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import type { Headers } from './wire.ts';

/**
 * `Said` is the sentence as one line of ASCII; the rest are CloudEvents attributes, binary mode, in
 * lower case because NATS compares names by case. `ce-id` is this message's identity: a writer that
 * got no answer finds its own words by it.
 */
export function headersOf(speaker: Speaker, saying: Saying, id: string, atMs: number): Headers {
  return {
    Said: asciiLine(saying.said),
    'ce-specversion': '1.0',
    'ce-id': id,
    'ce-source': `/sluice/${speaker}`,
    'ce-type': saying.event.kind,
    'ce-subject': percentEncoded(topicOf(saying.event).name),
    'ce-time': new Date(atMs).toISOString(),
  };
}

/** Line ends, control characters and what is not ASCII as `\u....`: a header ends at its line. */
export function asciiLine(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** CloudEvents NATS binding 3.1.3: outside printable ASCII, and space, '"' and '%', as `%XX`. */
function percentEncoded(text: string): string {
  return text.replace(/[^\x21\x23\x24\x26-\x7e]+/gu, encodeURIComponent);
}
