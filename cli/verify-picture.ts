/** The log as the publisher knows it, and when something was last said of each object. */
import { cloudName } from '../core/cloudname.ts';
import { parseAddress } from '../core/address.ts';
import { type Heard, speakers } from '../core/event.ts';
import type { Fact } from '../core/fact.ts';
import { topicOf } from '../core/subject.ts';
import type { Difference } from '../services/publisher/difference.ts';
import { publisher } from '../services/publisher/room.ts';
import { isFact } from '../services/watcher/world.ts';
import { readToEnd, type Readable } from './read.ts';
import { factsOf, type Listed } from './verify-listed.ts';

const room = publisher({ mode: 'shadow' });

export class Picture {
  readonly world = room.fresh();
  /** The last event of each speaker on each object. */
  readonly heard: Heard[] = [];
  /** Objects that are not ours to write yet: `egressip/web`. */
  readonly shadow = new Set<string>();
  /** The publisher writes nothing at all. */
  shadowed = false;
  readonly #told = new Map<string, Fact>();
  readonly #latestMs = new Map<string, number>();
  readonly #failures = new Map<string, string>();

  hear(heard: Heard): void {
    const { event, atMs, stream } = heard;
    const { kind, name } = topicOf(event);
    const topic = `${kind}/${name}`;
    room.fold(this.world, heard);
    this.heard.push(heard);
    this.#latestMs.set(topic, Math.max(atMs, this.#latestMs.get(topic) ?? 0));
    if (stream === 'watcher' && isFact(event)) this.#told.set(topic, event);
    if (stream !== 'publisher') return;
    this.shadowed = 'shadow' in event && event.shadow;
    if (this.shadowed) this.shadow.add(topic);
    if ('failure' in event) this.#failures.set(topic, event.failure);
  }

  /** From now on the cluster is as it was listed. */
  see(listed: readonly Listed[]): void {
    const [stream, sequence] = ['watcher', Number.MAX_SAFE_INTEGER] as const;
    for (const event of factsOf(listed, this.#told))
      room.fold(this.world, { stream, sequence, atMs: 0, causes: [], said: '', event });
  }

  /** Why the publisher could not write it last, in its words; '' = it could. */
  failureOn = (topic: string): string => this.#failures.get(topic) ?? '';

  /** When something was last said that bears on the difference, in milliseconds since 1970. */
  latestMs(difference: Difference): number {
    return Math.max(...this.#topicsOf(difference).map((topic) => this.#latestMs.get(topic) ?? 0));
  }

  /** An address goes the way over its claim, and a status tells of what its owner's objects do. */
  #topicsOf({ kind, name, what }: Difference): readonly string[] {
    const own = `${kind}/${name}`;
    const address = parseAddress(what);
    if (kind === 'egressip')
      return address === undefined ? [own] : [own, `cloudprivateipconfig/${cloudName(address)}`];
    if (kind === 'cloudprivateipconfig') {
      const claim = this.world.claims.known(what);
      return [own, `egressip/${claim?.seen?.owner}`, `egressip/${claim?.asker?.name}`];
    }
    const { managed } = this.world.routing;
    const owned = [...managed].filter(({ wanted }) => wanted?.decision.owner === own);
    return [own, ...owned.map(({ object, name: of }) => `${object.toLowerCase()}/${of}`)];
  }
}

/** Everything that was said last, and on top of it the cluster itself where it could be read. */
export async function pictureOf(
  log: Readable,
  listed: readonly Listed[] | undefined,
  signal: AbortSignal,
): Promise<Picture> {
  const picture = new Picture();
  const last = { streams: speakers, from: 'last-per-subject' } as const;
  for await (const read of readToEnd(log, last, signal)) picture.hear(read);
  if (listed !== undefined) picture.see(listed);
  return picture;
}
