/**
 * Known bugs, of upstream, of others and of our own: each is put back into the code by a patch of
 * its text while it is loaded. No shipped file contains any of them.
 */
import type { Rate } from '../faults.ts';
import type { Step } from '../plan.ts';

export interface Patch {
  /** From the root of the project. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly find: string;
  readonly put: string;
}

export interface Mutant {
  readonly name: string;
  /** Where the bug is known from. */
  readonly from: string;
  /** Only such worlds can show it: of the others nothing is tried. */
  readonly world?: 'routed' | 'aws' | 'cloud';
  /** So must this befall the world: a fault, or something that people do. */
  readonly needs?: Step['kind'] | Rate;
  /** It has caught it, and is tried first; whether it still does, the hunt tells. */
  readonly seed?: number;
  readonly patches: readonly Patch[];
}

/** Patches of the files in a folder. */
export const patchIn =
  (folder: string) =>
  (file: string, find: string, put: string): Patch => ({ file: `${folder}/${file}`, find, put });

const assigner = patchIn('services/assigner');
const publisher = patchIn('services/publisher');
const watcher = patchIn('services/watcher');
const edge = patchIn('edge');

export const mutants: readonly Mutant[] = [
  {
    name: 'one address for two EgressIPs',
    from: 'spec/egressip.md 13.21',
    seed: 4,
    patches: [
      assigner(
        'place.ts',
        'if (owner !== undefined && owner !== claim) {',
        'if (owner?.name === "") {',
      ),
    ],
  },
  {
    name: 'two addresses of an object on one node',
    from: 'spec/egressip.md 11.2',
    seed: 3,
    patches: [assigner('candidates.ts', 'if (hosts(claim, host)) return true;', '')],
  },
  {
    name: 'a freed address does not wake who waits for it',
    from: 'spec/egressip.md 13.13',
    seed: 130,
    patches: [assigner('judge.ts', '  world.stirWanters(address, claim.causes[0], claim);\n', '')],
  },
  {
    name: 'a node that becomes good does not wake who waits',
    from: 'reliability.md B6.4',
    seed: 3,
    patches: [
      assigner(
        'nodes.ts',
        'for (const use of touched) for (const claim of use.waiting) world.stir(claim, cause);',
        '',
      ),
    ],
  },
  {
    name: 'a restart without a log moves what is placed',
    from: 'spec/egressip.md 13.4',
    needs: 'all streams lost',
    seed: 25,
    patches: [
      assigner(
        'judge.ts',
        'if (claim.decided === undefined && claim.adopted === undefined) adopt(world, claim);',
        '',
      ),
    ],
  },
  {
    name: 'marks found in the cluster are given away again',
    from: 'spec/egressip.md 13.4b',
    seed: 7,
    patches: [
      assigner('fold.ts', 'if (mark !== undefined) world.marks.reserve(claim.name, mark);', ''),
    ],
  },
  {
    name: 'room on a node is not counted',
    from: 'spec/egressip.md 13.1',
    world: 'cloud',
    seed: 61,
    patches: [
      assigner(
        'host.ts',
        "return this.hasRoomAfter('', address);",
        'return address !== undefined;',
      ),
    ],
  },
  {
    name: 'one node without host-cidrs blocks all assignment',
    from: 'spec/egressip.md 13.3',
    seed: 3,
    patches: [
      assigner(
        'place.ts',
        '  forgetRestless(claim);\n  const open',
        "  for (const host of world.hosts.values()) if (host.exists && host.gap !== '') return;\n" +
          '  forgetRestless(claim);\n  const open',
      ),
    ],
  },
  {
    name: 'the selector is not looked at when homes are judged',
    from: 'spec/egressip.md 9.6',
    seed: 44,
    patches: [
      assigner(
        'verdict.ts',
        "if (claim.use?.selector.matches(host.labels) !== true) return 'does not match';",
        '',
      ),
    ],
  },
  {
    name: 'a node that is not Ready keeps its addresses',
    from: 'spec/egressip.md 4.1',
    seed: 53,
    patches: [assigner('verdict.ts', "if (!host.ready) return 'not ready';", '')],
  },
  {
    name: 'siblings change places on a drained node for ever',
    from: 'found by seed 9 of this simulator',
    seed: 9,
    patches: [
      assigner(
        'place.ts',
        'if (!hosts.some((host) => host !== undefined && kept.has(host.name))) return hosts;',
        'if (kept.size >= 0) return hosts;',
      ),
    ],
  },
  {
    name: 'an address enters a status before it has left the other',
    from: 'spec/egressip.md 11.3',
    seed: 19,
    patches: [
      publisher(
        'items.ts',
        '  const holders = world.holders.get(address);',
        '  const holders = undefined as Set<Thing> | undefined;',
      ),
      publisher(
        'items.ts',
        'const former = [...(world.formerHolders.get(address) ?? [])];',
        'const former: Thing[] = world.cloud && address === "" ? [] : [];',
      ),
    ],
  },
  {
    name: 'a status names a node before the cloud has confirmed it',
    from: 'spec/egressip.md 11.8',
    world: 'cloud',
    seed: 17,
    patches: [
      publisher(
        'items.ts',
        "if (seen.owner !== thing.name || seen.assigned !== 'True') return false;",
        'if (seen.owner !== thing.name) return false;',
      ),
      publisher(
        'items.ts',
        'return seen.node === node && seen.statusNode === node;',
        'return seen.node === node;',
      ),
      publisher(
        'look.ts',
        "    property(status, 'node') === node &&\n    property(assigned, 'status') === 'True'",
        '    assigned !== null',
      ),
    ],
  },
  {
    name: 'a claim is moved while a status still has its address',
    from: 'spec/egressip.md 5.5',
    world: 'cloud',
    seed: 14,
    patches: [
      publisher('claim-step.ts', '  if (world.holders.has(claim.address)) return undefined;\n', ''),
      publisher('claim-requests.ts', "names.delete('');", 'names.clear();'),
    ],
  },
  {
    name: 'claims whose owner is gone stay in the cloud',
    from: 'spec/egressip.md 13.14',
    world: 'cloud',
    seed: 2,
    patches: [
      publisher(
        'claim-step.ts',
        'isOrphan(world, claim, seen) ?',
        "isOrphan(world, claim, seen) && seen.node === '' ?",
      ),
    ],
  },
  {
    name: 'what somebody else wrote is not restored',
    from: 'field reports: stale status',
    seed: 25,
    needs: 'status meddled with',
    patches: [
      publisher(
        'fold.ts',
        '  world.setItems(thing, seen.items);\n  world.toWrite.add(thing);',
        '  const own = thing.items.length > 0 ? thing.items : seen.items;\n' +
          '  world.setItems(thing, own);\n  world.toWrite.add(thing);',
      ),
    ],
  },
  {
    name: 'a failed write is not tried again',
    from: 'spec/egressip.md 13.9',
    seed: 28,
    patches: [
      publisher(
        'sense.ts',
        '  world.toWrite.add(thing);\n  const before',
        "  if (done.result === 'done') world.toWrite.add(thing);\n  const before",
      ),
    ],
  },
  {
    name: 'a notice on an object that no fact shows yet is forgotten',
    from: 'found by seed 175 of this simulator',
    patches: [
      publisher(
        'tell.ts',
        'if (at < 0) return undefined;',
        'if (at < 0) return void thing.untold.splice(0);',
      ),
    ],
  },
  {
    name: 'what vanished between two lists is never told',
    from: 'kubernetes #76624',
    seed: 72,
    patches: [
      watcher('shelf.ts', 'for (const name of lost) this.#bury(name);', 'lost.length = 0;'),
    ],
  },
  {
    name: 'only the first page of a list is read',
    from: 'reliability.md A7',
    seed: 1,
    patches: [
      edge('kubernetes/list.ts', "if (next === '') return", "if (next !== 'never') return"),
    ],
  },
  {
    name: 'one list that fails ends the reflector',
    from: 'client-node 2.0.1',
    seed: 17,
    patches: [
      edge(
        'kubernetes/reflector.ts',
        '  what.onTrouble(`${collection} cannot be listed: ${listing.answer.message}`);\n',
        '  await new Promise(() => undefined);\n',
      ),
    ],
  },
  {
    name: 'a watch that is too old goes on from where it is',
    from: 'etcd #20221',
    seed: 3,
    patches: [
      edge(
        'kubernetes/reflector.ts',
        "  position.version = undefined;\n  return ending.kind === 'Error'",
        '  position.version = String(Number(position.version) + 3);\n' +
          "  return ending.kind === 'Error'",
      ),
    ],
  },
  {
    name: 'it speaks before it has heard all',
    from: 'KEP-5647',
    seed: 7,
    patches: [edge('life.ts', 'if (this.#behind.size > 0) continue;', '')],
  },
  {
    name: 'it goes on though somebody else speaks as it',
    from: 'cilium #42920',
    needs: 'rival process',
    seed: 746,
    patches: [
      edge(
        'life.ts',
        'if (this.#spoken) throw new StaleWriter(`somebody else speaks as ${heard.stream}`);',
        '',
      ),
      // The log refuses who did not hear the last word: then it speaks behind that word.
      edge(
        'life.ts',
        'const sequences = await this.#doors.log.speak(stream, says, this.#last, this.#signal);',
        'const { log } = this.#doors;\n' +
          '    const sequences = await log.speak(stream, says, this.#last, this.#signal)\n' +
          '      .catch((error) => {\n' +
          '        const at = / is at (\\d+)/.exec(error.message);\n' +
          '        if (at === null) throw error;\n' +
          '        this.#last = Number(at[1]);\n' +
          '        return log.speak(stream, says, this.#last, this.#signal);\n' +
          '      });',
      ),
    ],
  },
  {
    name: 'a frozen writer goes on when it wakes up',
    from: 'reliability.md A8, kubernetes #23731',
    needs: 'rival process',
    seed: 254,
    patches: [
      edge('lease.ts', 'return this.leads && ago < LIFE_MS - MARGIN_MS;', 'return ago >= 0;'),
    ],
  },
  {
    name: 'an older copy of the log is believed',
    from: 'found by make chaos, docs/adr/0031',
    needs: 'log tail lost',
    seed: 129,
    patches: [
      edge(
        'record.ts',
        "    if (because === '') return this.#rollbacks;\n",
        '    if (because.length >= 0) return this.#rollbacks;\n',
      ),
    ],
  },
];
