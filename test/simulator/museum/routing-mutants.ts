/** Known bugs of routing by BGP, of the seed's weak points and of our own. */
import type { Mutant, Patch } from './mutants.ts';

const patch =
  (folder: string) =>
  (file: string, find: string, put: string): Patch => ({ file: `${folder}/${file}`, find, put });

const bgp = patch('services/bgp');
const aws = patch('services/aws-sync');
const publisher = patch('services/publisher');
const watcher = patch('services/watcher');

export const routingMutants: readonly Mutant[] = [
  {
    name: 'a loser writes the network that another one holds',
    from: 'spec/bgp-operator.md W-02',
    patches: [
      bgp('routing.ts', 'if (holder !== undefined && holder.name !== name)', 'if (name === "")'),
    ],
  },
  {
    name: 'the finalizer goes while the network is still there',
    from: 'spec/bgp-operator.md W-70',
    patches: [
      bgp(
        'farewell.ts',
        'judged: [leaving(name, ours.deleting, ours.finalizers)], want, left: true',
        'judged: [leaving(name, ours.deleting, ours.finalizers)], want, left: false',
      ),
    ],
  },
  {
    name: 'what all share outlives the last who needs it',
    from: 'spec/bgp-operator.md W-71',
    patches: [
      bgp('route-advertisements.ts', 'return there ? absent(', 'return there && live ? absent('),
    ],
  },
  {
    name: 'the config ends before the FRRConfigurations have gone',
    from: 'spec/bgp-operator.md W-73',
    patches: [bgp('farewell.ts', 'if (left.length > 0) {', 'if (left.length < 0) {')],
  },
  {
    name: 'the config ends before the peers have gone',
    from: 'spec/bgp-operator.md W-74',
    patches: [bgp('farewell.ts', 'if (released) return undefined;', 'if (true) return undefined;')],
  },
  {
    name: 'a create of which no answer came is sent again',
    from: 'spec/frr-ovn-aws-facts.md 1.2',
    patches: [aws('sense.ts', "new Set(['network', 'server'])", 'new Set<string>()')],
  },
  {
    name: 'a listing that is late is believed',
    from: 'spec/frr-ovn-aws-facts.md 1.2',
    patches: [aws('input.ts', 'lagMs: 30_000', 'lagMs: 0')],
  },
  {
    name: 'a peer that nobody wants stays for ever',
    from: 'spec/bgp-operator.md W-48',
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
    patches: [
      publisher('managed-step.ts', 'seen.uid === doomed && heard', 'seen.uid === "" && heard'),
      watcher(
        'shelf.ts',
        'if (this.kind.written === true && known',
        'if (this.listed === undefined && known',
      ),
    ],
  },
];
