/** One event as one line of the tail: when, who, about what, what, and why. */
import type { Heard } from './event.ts';
import { topicOf } from './subject.ts';

const SPEAKER_WIDTH = 9;
const TOPIC_WIDTH = 24;

/**
 * `10:14:02.117  assigner   egressip/prod-web         203.0.113.10 placed on worker-3   ← watcher
 * 4812`. The time is UTC; the causes stand by stream and sequence, as `sluice why` finds them.
 */
export function tailLine(heard: Heard): string {
  const { kind, name } = topicOf(heard.event);
  const head = [
    timeOf(heard.atMs),
    heard.stream.padEnd(SPEAKER_WIDTH),
    `${kind}/${name}`.padEnd(TOPIC_WIDTH),
    heard.said,
  ].join('  ');
  return `${head}${causesOf(heard)}`.trimEnd();
}

/** `10:14:02.117`: the time of day in UTC. */
export function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 23);
}

/** `   ← watcher 4812, 4820`. */
function causesOf({ causes }: Heard): string {
  if (causes.length === 0) return '';
  const streams = [...new Set(causes.map(({ stream }) => stream))];
  const parts = streams.map((stream) => {
    const sequences = causes.filter((cause) => cause.stream === stream);
    return `${stream} ${sequences.map(({ sequence }) => sequence).join(', ')}`;
  });
  return `   ← ${parts.join(', ')}`;
}
