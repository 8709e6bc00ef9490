/** The scenarios of the Sieve plans: a world at rest, and what happens to it then. */
import { EGRESSIPS, NODES } from '../../../edge/simulated/admission.ts';
import { nodeIn } from '../deeds.ts';
import { egressIPSpec, type NodeTraits, type Selecting } from '../objects.ts';
import type { Shape } from '../plan.ts';
import { roomsOf } from '../rooms.ts';
import type { Simulation } from '../simulation.ts';

export type Act = (world: Simulation) => void;

export interface Scenario {
  readonly name: string;
  readonly shape?: Partial<Shape>;
  /** What there is in the beginning. */
  readonly given: readonly Act[];
  /** What happens, five seconds apart. */
  readonly when: readonly Act[];
}

const usual: NodeTraits = {
  zone: 'red',
  assignable: true,
  secondary: false,
  capacity: 10,
  drained: false,
  broken: false,
  ready: 'True',
  beat: 1,
};

const node =
  (name: string, traits: Partial<NodeTraits> = {}): Act =>
  (world) =>
    world.server.set(NODES, name, nodeIn(world, name, { ...usual, ...traits }));

const egressIP =
  (name: string, addresses: readonly string[], selecting: Selecting = 'all'): Act =>
  ({ server }) =>
    server.set(EGRESSIPS, name, {
      ...server.get(EGRESSIPS, name),
      spec: egressIPSpec(addresses, selecting),
    });

const gone =
  (collection: string, name: string): Act =>
  ({ server }) =>
    void server.serve(
      { method: 'DELETE', path: `${collection}/${name}`, contentType: '', body: undefined },
      'user',
    );

const answers =
  (name: string, reachable: boolean): Act =>
  ({ ports }) =>
    ports.setReachable(name, reachable);

const twoNodes = [node('n1'), node('n2', { zone: 'blue' })];
const [a, b, c] = ['10.0.0.101', '10.0.0.102', '10.0.0.103'] as const;

export const scenarios: readonly Scenario[] = [
  {
    name: 'an EgressIP is created, and another one',
    given: twoNodes,
    when: [egressIP('e1', [a, b]), egressIP('e2', [c])],
  },
  {
    name: 'an EgressIP is deleted and the next one gets its address',
    given: [...twoNodes, egressIP('e1', [a])],
    when: [egressIP('e2', [a, b]), gone(EGRESSIPS, 'e1')],
  },
  {
    name: 'an EgressIP is replaced by another of the same name',
    given: [...twoNodes, egressIP('e1', [a])],
    when: [(world) => (gone(EGRESSIPS, 'e1')(world), egressIP('e1', [b])(world))],
  },
  {
    name: 'addresses of the spec change',
    given: [...twoNodes, egressIP('e1', [a, b])],
    when: [egressIP('e1', [a, c]), egressIP('e1', [c])],
  },
  {
    name: 'the selector changes, and back',
    given: [...twoNodes, egressIP('e1', [a], 'red')],
    when: [egressIP('e1', [a], 'blue'), egressIP('e1', [a], 'none'), egressIP('e1', [a], 'red')],
  },
  {
    name: 'an address changes hands between two that live',
    given: [...twoNodes, egressIP('e1', [a]), egressIP('e2', [b])],
    when: [egressIP('e1', [c]), egressIP('e2', [a])],
  },
  {
    name: 'nodes are added for who waits',
    given: [egressIP('e1', [a, b])],
    when: [node('n1'), node('n2')],
  },
  {
    name: 'a node loses its label, and gets it back',
    given: [...twoNodes, egressIP('e1', [a], 'red')],
    when: [node('n1', { zone: 'blue' }), node('n1')],
  },
  {
    name: 'a node is not ready for a while',
    given: [...twoNodes, egressIP('e1', [a, b])],
    when: [node('n1', { ready: 'False' }), node('n1')],
  },
  {
    name: 'a node is replaced by another of the same name',
    given: [...twoNodes, egressIP('e1', [a], 'red')],
    when: [(world) => (gone(NODES, 'n1')(world), node('n1')(world)), gone(NODES, 'n2')],
  },
  {
    name: 'a node does not answer for a while',
    shape: { probing: 'grpc' },
    given: [node('n1'), node('n2'), node('n3'), egressIP('e1', [a, b])],
    when: [answers('n1', false), () => undefined, () => undefined, answers('n1', true)],
  },
  {
    name: 'a node is drained',
    given: [...twoNodes, egressIP('e1', [a])],
    when: [node('n1', { drained: true }), node('n2', { drained: true }), node('n1')],
  },
  {
    name: 'all rooms are started again in the middle of a move',
    given: [...twoNodes, egressIP('e1', [a, b])],
    when: [
      gone(NODES, 'n1'),
      ({ house, shape }) => roomsOf(shape).forEach((name) => house.kill(name)),
      node('n1'),
    ],
  },
  {
    name: 'the whole log is lost',
    given: [...twoNodes, egressIP('e1', [a, b])],
    when: [({ log }) => log.lose(), egressIP('e1', [a, b, c])],
  },
  {
    name: 'on a cloud an EgressIP is created and its node goes',
    shape: { cloud: true },
    given: twoNodes,
    when: [egressIP('e1', [a]), gone(NODES, 'n1')],
  },
  {
    name: 'on a cloud an address changes hands',
    shape: { cloud: true, statusSubresource: true },
    given: [...twoNodes, egressIP('e1', [a])],
    when: [egressIP('e2', [a]), gone(EGRESSIPS, 'e1')],
  },
];
