/** Which objects a rehearsal has spoken of so far: a name that was never defined is a slip. */
import { CLOUD_CLAIMS, EGRESSIPS, INFRASTRUCTURES, NODES } from '../../edge/simulated/admission.ts';
import { type Speaker, speakers } from '../../core/event.ts';
import { nearest, type Place } from './place.ts';
import type { Reference } from './script.ts';

const collections = {
  node: NODES,
  egressip: EGRESSIPS,
  cloudprivateipconfig: CLOUD_CLAIMS,
  infrastructure: INFRASTRUCTURES,
};

export function reference(kind: Reference['kind'], name: string): Reference {
  return { kind, collection: collections[kind], name };
}

export class Names {
  readonly #known = {
    node: new Set<string>(),
    egressip: new Set<string>(),
    cloudprivateipconfig: new Set<string>(),
    infrastructure: new Set<string>(),
  };

  /** How many nodes there are: each has a number of its own. */
  get nodes(): number {
    return this.#known.node.size;
  }

  define(kind: Reference['kind'], name: string): Reference {
    this.#known[kind].add(name);
    return reference(kind, name);
  }

  /** A name that must have been defined above; `place` is where it stands. */
  defined(kind: Reference['kind'], name: string, fail: (message: string) => never): Reference {
    if (this.#known[kind].has(name)) return reference(kind, name);
    return fail(`${kind} "${name}" is not defined above${nearest(name, [...this.#known[kind]])}`);
  }

  /** `node/worker-1`, `egressip/web`, or a bare name of the usual kind. */
  refer(text: string, usual: Reference['kind'], fail: (message: string) => never): Reference {
    const slash = text.indexOf('/');
    if (slash < 0) return this.defined(usual, text, fail);
    const kind = text.slice(0, slash).toLowerCase().replace(/s$/, '');
    if (kind === 'node' || kind === 'egressip')
      return this.defined(kind, text.slice(slash + 1), fail);
    // The rooms make these: they need not be defined by the script.
    if (kind === 'cloudprivateipconfig') return reference(kind, text.slice(slash + 1));
    return fail(`"${text}" is neither node/NAME nor egressip/NAME`);
  }
}

/** `assigner`, a list of rooms, or `all`. */
export function roomsAt(place: Place): readonly Speaker[] {
  if (place.value === 'all' || place.value === 'log') return speakers;
  return place.items().map((item) => {
    const name = item.text('a room');
    const known = speakers.find((speaker) => speaker === name);
    return known ?? item.fail(`there is no room "${name}"${nearest(name, [...speakers, 'all'])}`);
  });
}
