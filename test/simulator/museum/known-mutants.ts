/** What others have been bitten by, as far as it can be put back here (goal A11 of the design). */
import { type Mutant, patchIn } from './mutants.ts';

const assigner = patchIn('services/assigner');
const aws = patchIn('services/aws-sync');
const edge = patchIn('edge');
const publisher = patchIn('services/publisher');

export const knownMutants: readonly Mutant[] = [
  {
    name: 'a restart forgets who has which address',
    from: 'OVN-Kubernetes: duplicate IP after a restart of the control plane',
    seed: 3,
    needs: 'process killed',
    patches: [assigner('recall.ts', 'if (!world.owners.has(address)) world.settle(', 'void (')],
  },
  {
    name: 'only nodes with the network of the first address are looked at',
    from: 'reliability.md B6.3',
    seed: 141,
    patches: [
      assigner(
        'candidates.ts',
        'const networks = world.pools.networksOf(address);\n  const several',
        'const [first = address] = claim.wants.values();\n' +
          '  const networks = world.pools.networksOf(first);\n  const several',
      ),
    ],
  },
  {
    name: 'a node that once lacked host-cidrs is never good again',
    from: 'OVN-Kubernetes #5966',
    seed: 22,
    patches: [
      assigner(
        'seenode.ts',
        'host.gap = gapOf(readings, hosts);',
        'host.gap ||= gapOf(readings, hosts);',
      ),
    ],
  },
  {
    name: 'room that comes free does not wake who waits for it',
    from: 'reliability.md B6.4',
    world: 'cloud',
    seed: 84,
    patches: [
      assigner('world.ts', 'if (this.cloud) this.stirWaitingFor(', 'void ('),
      assigner('cloud.ts', 'for (const node of left) world.stirWaitingFor(node, cause);', ''),
    ],
  },
  {
    name: 'an object that was replaced is taken for the old one',
    from: 'client-node 2.0.1: no uid is compared',
    seed: 7,
    patches: [
      assigner('fold.ts', 'if (known !== undefined && known !== seen.uid) forget(', 'void ('),
      assigner(
        'fold.ts',
        'readSpec(claim, seen);',
        'readSpec(claim, { ...seen, uid: known ?? seen.uid });',
      ),
    ],
  },
  {
    name: 'a line that cannot be read is passed over',
    from: 'client-node 2.0.1',
    seed: 3,
    needs: 'watch line broken',
    patches: [
      edge(
        'kubernetes/feed.ts',
        "if (event.kind === 'Error' || event.kind === 'Unreadable') {",
        "if (event.kind === 'Unreadable') continue;\n      if (event.kind === 'Error') {",
      ),
    ],
  },
  {
    name: 'what it has just written is not known before it is shown',
    from: 'KEP-5647',
    seed: 34,
    patches: [
      publisher(
        'sense.ts',
        "if (write.wrote.includes('status')) world.setItems(thing, write.items);",
        '',
      ),
      publisher(
        'items.ts',
        'const former = [...(world.formerHolders.get(address) ?? [])];',
        'const former: Thing[] = [];',
      ),
    ],
  },
  {
    name: 'the peer of another cluster is taken for our own',
    from: 'openshift/bgp-cloud-connector',
    world: 'aws',
    needs: 'AWS peer of somebody else',
    seed: 36,
    patches: [
      aws(
        'ledger.ts',
        "if (peer.owner !== '') return 'other';",
        "if (peer.owner !== '') return 'ours';",
      ),
      edge('ec2/apply.ts', 'if (!isOurs) throw foreign(', "if (peer.id === '') throw foreign("),
    ],
  },
  {
    name: 'a check that somebody turned on again stays on',
    from: 'openshift/bgp-cloud-connector',
    world: 'aws',
    needs: 'AWS check turned on by somebody',
    seed: 40,
    patches: [
      aws(
        'checks.ts',
        "if (instance.sourceDestCheck === 'off') return draft.ok(what);",
        "if (instance.sourceDestCheck === 'off' || world.interfaceChanges.has(node.name))\n" +
          '    return draft.ok(what);',
      ),
    ],
  },
];
