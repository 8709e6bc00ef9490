/** The scenarios of routing by BGP, with named neighbours and with those that AWS offers. */
import { NODES } from '../../../edge/simulated/admission.ts';
import { CONFIGS, NAMESPACES, ROUTINGS } from '../../../edge/simulated/kinds.ts';
import { nodeIn } from '../deeds.ts';
import type { NodeTraits } from '../objects.ts';
import { roomsOf } from '../rooms.ts';
import { remove } from '../routing/deeds.ts';
import { configSpec, namespaceObject, routingSpec } from '../routing/objects.ts';
import type { Act, Scenario } from './scenarios.ts';

const usual: NodeTraits = {
  zone: 'red',
  assignable: false,
  secondary: false,
  capacity: 10,
  drained: false,
  broken: false,
  ready: 'True',
  beat: 1,
};

/** `beat` 6 makes it no router. */
const node =
  (name: string, beat = 1): Act =>
  (world) =>
    world.server.set(NODES, name, {
      ...world.server.get(NODES, name),
      ...nodeIn(world, name, { ...usual, beat }),
    });

const config =
  (localASN = 65_001, zones: readonly string[] = ['a', 'b'], bfd = false): Act =>
  ({ server, field, shape }) =>
    server.set(CONFIGS, 'cluster', {
      ...server.get(CONFIGS, 'cluster'),
      spec: configSpec(
        { localASN, bfd, zones },
        shape.routing === 'aws' && field ? [field.made.server.id] : undefined,
      ),
    });

const routing =
  (name: string, network: string, subnet = '10.150.0.0/16'): Act =>
  ({ server }) =>
    server.set(ROUTINGS, name, { spec: routingSpec(network, subnet) });

const gone =
  (collection: string, name: string): Act =>
  ({ server }) =>
    void remove(server, collection, name);

const wait: Act = () => undefined;
const waits = (count: number): readonly Act[] => Array.from({ length: count }, () => wait);
const nodes = [node('n1'), node('n2')];
const named = { routing: 'named' } as const;
const aws = { routing: 'aws', cloud: true } as const;

export const routingScenarios: readonly Scenario[] = [
  {
    name: 'a network is routed by BGP',
    shape: named,
    given: [...nodes, config()],
    when: [routing('r1', 'blue'), ...waits(2)],
  },
  {
    name: 'all that is routed by BGP is deleted, the config first',
    shape: named,
    given: [...nodes, config(), routing('r1', 'blue')],
    when: [gone(CONFIGS, 'cluster'), gone(ROUTINGS, 'r1'), ...waits(4)],
  },
  {
    name: 'another ASN and BFD are asked for',
    shape: named,
    given: [...nodes, config(), routing('r1', 'blue')],
    when: [config(65_010, ['a', 'b'], true), ...waits(4)],
  },
  {
    name: 'two claim one network, and the elder leaves',
    shape: named,
    given: [...nodes, config(), routing('r1', 'blue')],
    when: [routing('r2', 'blue', '10.160.0.0/16'), gone(ROUTINGS, 'r1'), ...waits(4)],
  },
  {
    name: 'a zone is left out, and comes back',
    shape: named,
    given: [...nodes, config(), routing('r1', 'blue')],
    when: [config(65_001, ['a']), wait, config(), ...waits(2)],
  },
  {
    name: 'the namespace of a network comes late',
    shape: named,
    given: [...nodes, config(), gone(NAMESPACES, 'in-blue'), routing('r1', 'blue')],
    when: [
      ({ server }) => server.set(NAMESPACES, 'in-blue', namespaceObject('in-blue', 'blue')),
      ...waits(2),
    ],
  },
  {
    name: 'in AWS a router joins and another leaves',
    shape: aws,
    given: [node('n1'), config(), routing('r1', 'blue')],
    when: [node('n2'), ...waits(3), gone(NODES, 'n2'), ...waits(3)],
  },
  {
    name: 'in AWS another ASN is asked for',
    shape: aws,
    given: [node('n1'), config(), routing('r1', 'blue')],
    when: [config(65_010), ...waits(6)],
  },
  {
    name: 'in AWS everything is deleted',
    shape: aws,
    given: [node('n1'), config(), routing('r1', 'blue')],
    when: [gone(ROUTINGS, 'r1'), gone(CONFIGS, 'cluster'), ...waits(6)],
  },
  {
    name: 'in AWS all rooms are started again, and somebody deletes a peer',
    shape: aws,
    given: [node('n1'), config()],
    when: [
      ({ house, shape }) => roomsOf(shape).forEach((name) => house.kill(name)),
      ({ field }) => {
        const peer = field?.region.peers.find(({ state }) => state === 'available');
        if (peer !== undefined) field?.region.setPeer(peer.id, { state: 'deleting' });
      },
      ...waits(4),
    ],
  },
];
