/** Known bugs of routing by BGP, of the seed's weak points and of our own. */
import { type Mutant, patchIn } from './mutants.ts';

const bgp = patchIn('services/bgp');
const aws = patchIn('services/aws-sync');
const publisher = patchIn('services/publisher');
const watcher = patchIn('services/watcher');

/** The publisher looks, too, whether something is left: what `bgp` forgets is caught there. */
const heedless = publisher('resource-step.ts', ' && !routing.leaves(thing)', '');

export const routingMutants: readonly Mutant[] = [
  {
    name: 'a loser writes the network that another one holds',
    from: 'spec/bgp-operator.md W-02',
    world: 'routed',
    patches: [
      bgp('routing.ts', 'if (holder !== undefined && holder.name !== name)', 'if (name === "")'),
    ],
  },
  {
    name: 'the finalizer goes while the network is still there',
    from: 'spec/bgp-operator.md W-70',
    world: 'routed',
    seed: 5,
    patches: [
      bgp(
        'farewell.ts',
        'judged: [leaving(name, ours.deleting, ours.finalizers)], want, left: true',
        'judged: [leaving(name, ours.deleting, ours.finalizers)], want, left: false',
      ),
      heedless,
    ],
  },
  {
    name: 'what all share outlives the last who needs it',
    from: 'spec/bgp-operator.md W-71',
    world: 'routed',
    patches: [
      bgp('route-advertisements.ts', 'return there ? absent(', 'return there && live ? absent('),
    ],
  },
  {
    name: 'the config ends before the FRRConfigurations have gone',
    from: 'spec/bgp-operator.md W-73',
    world: 'routed',
    seed: 5,
    needs: 'routing taken down',
    patches: [bgp('farewell.ts', 'if (left.length > 0) {', 'if (left.length < 0) {'), heedless],
  },
  {
    name: 'the config ends before the peers have gone',
    from: 'spec/bgp-operator.md W-74',
    world: 'aws',
    seed: 42,
    needs: 'routing taken down',
    patches: [
      bgp('farewell.ts', 'if (released) return undefined;', 'if (true) return undefined;'),
      publisher(
        'resource-step.ts',
        'return currentJudged === undefined ? seen?.aws !== true : currentJudged.released;',
        'return currentJudged === undefined || seen?.aws !== undefined;',
      ),
    ],
  },
  {
    name: 'a create of which no answer came is sent again',
    from: 'spec/frr-ovn-aws-facts.md 1.2',
    world: 'aws',
    seed: 95,
    needs: 'AWS reply lost after the change',
    patches: [
      aws(
        'ledger.ts',
        'return region.listedMs >= seenMs ? 0 : Infinity;',
        "return entry.result === 'unknown' || region.listedMs >= seenMs ? 0 : Infinity;",
      ),
    ],
  },
  {
    name: 'a listing that is late is believed',
    from: 'spec/frr-ovn-aws-facts.md 1.2',
    world: 'aws',
    patches: [aws('input.ts', 'lagMs: 30_000', 'lagMs: 0')],
  },
  {
    name: 'a peer that nobody wants stays for ever',
    from: 'spec/bgp-operator.md W-48',
    world: 'aws',
    patches: [
      aws(
        'unwanted-peers.ts',
        'if (dueMs > world.nowMs) return draft.at(dueMs);',
        'if (dueMs > 0) return;',
      ),
    ],
  },
  {
    name: 'what came and went unseen is believed to be there',
    from: 'our own, seed 87',
    world: 'routed',
    needs: 'every routing deleted',
    seed: 21,
    patches: [
      publisher('managed-step.ts', 'seen.uid === doomed && heard', 'seen.uid === "" && heard'),
      publisher('routing-sense.ts', '  expectShown(world, managed, done.atMs);\n', ''),
      watcher(
        'shelf.ts',
        'if (this.kind.written === true && known',
        'if (this.listed === undefined && known',
      ),
    ],
  },
];
