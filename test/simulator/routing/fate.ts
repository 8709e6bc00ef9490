/** The faults of BGP and AWS that happen at a time: what each does to the simulated world. */
import type { KubeObject } from '../../../core/door.ts';
import type { JsonObject } from '../../../core/json.ts';
import {
  ADVERTISEMENTS,
  FRR_CONFIGURATIONS,
  FRR_PODS,
  NETWORKS,
} from '../../../edge/simulated/kinds.ts';
import type { Draw } from '../draw.ts';
import type { RoutingBlow } from '../faults.ts';
import { nodeNames } from '../objects.ts';
import type { Simulation } from '../simulation.ts';
import { remove } from './deeds.ts';
import type { Field } from './field.ts';
import { frrPod, neighborsOf, OWN_LABEL, podName, zoneLetters } from './objects.ts';

type Strike = (world: Simulation, field: Field, chance: Draw) => string;

/** Something is so for a while. */
function forAWhile(world: Simulation, chance: Draw, end: () => void, most = 90): string {
  const ms = chance.between(1, most) * 1_000;
  world.scheduler.after(ms, undefined, 'over', end);
  return `${ms} ms`;
}

/** Objects of ours, whose they are by their label. */
function ours({ server }: Simulation): readonly (readonly [string, KubeObject])[] {
  return [FRR_CONFIGURATIONS, NETWORKS, ADVERTISEMENTS].flatMap((collection) =>
    server
      .list(collection)
      .filter(({ metadata }) => JSON.stringify(metadata).includes(OWN_LABEL))
      .map((object) => [collection, object] as const),
  );
}

/** One of ours, as somebody leaves it. */
function meddle(
  world: Simulation,
  chance: Draw,
  change: (object: KubeObject) => JsonObject,
): string {
  const all = ours(world);
  if (all.length === 0) return '';
  const [collection, object] = chance.one(all);
  const { name } = object.metadata;
  world.meddled.set(name, world.scheduler.nowMs);
  world.server.set(collection, name, change(object), 'meddler');
  return name;
}

const strikes: Readonly<Record<RoutingBlow, Strike>> = {
  'webhook away': ({ scheduler }, field, chance) => {
    const ms = chance.between(5, 90) * 1_000;
    field.webhookDownUntilMs = scheduler.nowMs + ms;
    return `${ms} ms`;
  },
  'BGP neighbour down': (world, field, chance) => {
    const named = neighborsOf(chance.one(zoneLetters));
    const offered = field.made.endpoints.map(({ address }) => address);
    const peer = chance.one(world.shape.routing === 'aws' ? offered : named);
    field.deaf.add(peer);
    field.stir();
    return `${peer} for ${forAWhile(world, chance, () => (field.deaf.delete(peer), field.stir()))}`;
  },
  'BGP heard one way only': (world, field, chance) => {
    const node = chance.one(nodeNames);
    field.deaf.add(node);
    field.stir();
    return `${node} for ${forAWhile(world, chance, () => (field.deaf.delete(node), field.stir()))}`;
  },
  'OVN-Kubernetes asleep': ({ scheduler }, field, chance) => {
    const ms = chance.between(5, 120) * 1_000;
    field.asleepUntilMs = scheduler.nowMs + ms;
    return `${ms} ms`;
  },
  'network held by pods': (world, field, chance) => {
    const { ovnk } = field;
    const networks = world.server.list(NETWORKS);
    if (networks.length === 0) return '';
    const { name } = chance.one(networks).metadata;
    ovnk.held.add(name);
    const over = (): void => (ovnk.held.delete(name), field.stir());
    return `${name} for ${forAWhile(world, chance, over)}`;
  },
  'FRR not ready': (world, _field, chance) => {
    const node = chance.one(nodeNames);
    const { server } = world;
    if (server.get(FRR_PODS, podName(node)) === undefined) return '';
    const set = (ready: boolean): void => {
      const known = server.get(FRR_PODS, podName(node));
      if (known !== undefined) server.set(FRR_PODS, podName(node), { ...known, ...podPart(ready) });
    };
    set(false);
    return `${node} for ${forAWhile(world, chance, () => set(true))}`;
  },
  'object changed by somebody': (world, _field, chance) =>
    meddle(world, chance, (object) => {
      const text = JSON.stringify(object);
      return JSON.parse(text.replaceAll('"10s"', '"7s"').replace('"all"', '"filtered"')) as never;
    }),
  'object deleted by somebody': (world, _field, chance) => {
    const all = ours(world);
    if (all.length === 0) return '';
    const [collection, { metadata }] = chance.one(all);
    world.meddled.set(metadata.name, world.scheduler.nowMs);
    return remove(world.server, collection, metadata.name);
  },
  'label taken away by somebody': (world, _field, chance) =>
    meddle(world, chance, (object) => {
      const { labels: _, ...metadata } = object.metadata as unknown as JsonObject;
      return { ...object, metadata };
    }),
  'AWS peer deleted by somebody': (world, { region }, chance) => {
    const live = region.peers.filter(({ state }) => state === 'available');
    if (live.length === 0) return '';
    const { id, address } = chance.one(live);
    world.meddled.set(address, world.scheduler.nowMs);
    region.setPeer(id, { state: 'deleting' });
    return `${id} of ${address}`;
  },
  'AWS peer of somebody else': (_world, { region, made }, chance) => {
    const endpoint = chance.one(made.endpoints).id;
    const own = chance.chance(0.5) ? chance.one(made.nodes).address : '10.0.1.99';
    const live = region.peers.filter(({ state }) => state !== 'deleted');
    if (live.some((one) => one.endpointId === endpoint && one.address === own)) return '';
    const tags = chance.chance(0.7) ? { 'managed-by': 'terraform' } : {};
    return `${region.peer(endpoint, own, { tags, asn: 65_001 }).id} of ${own}`;
  },
  'AWS check turned on by somebody': (_world, field, chance) => {
    const machine = field.machines.get(chance.one(nodeNames));
    if (machine === undefined) return '';
    field.region.sourceDestCheck(machine.id, true);
    return machine.id;
  },
  'AWS endpoint fails': (world, { region, made }, chance) => {
    const { id } = chance.one(made.endpoints);
    region.setEndpoint(id, { state: 'failing', failureReason: 'ordered' });
    const over = (): void => void region.setEndpoint(id, { state: 'available' });
    return `${id} for ${forAWhile(world, chance, over)}`;
  },
  'AWS credentials expire': (world, { aws }, chance) => {
    const fault = { action: '*', kind: 'expired', times: Infinity } as const;
    aws.fault(fault);
    const over = (): void => aws.clearFaults();
    return forAWhile(world, chance, over);
  },
  'AWS permission missing': (world, { aws }, chance) => {
    const action = chance.one([
      ...['CreateRouteServerPeer', 'DeleteRouteServerPeer', 'CreateTags'],
      ...['DescribeInstances', 'ModifyNetworkInterfaceAttribute'],
    ]);
    const code = 'UnauthorizedOperation';
    aws.fault({ action, kind: 'error', code, status: 403, times: Infinity });
    const over = (): void => aws.clearFaults();
    return `${action} for ${forAWhile(world, chance, over)}`;
  },
  'AWS peer doomed': (world, { region }, chance) => {
    const address = world.field?.machines.get(chance.one(nodeNames))?.address ?? '';
    region.doom(address, 'ordered');
    const over = (): void => region.doom(address, undefined);
    return `${address} for ${forAWhile(world, chance, over)}`;
  },
};

const podPart = (ready: boolean): JsonObject => ({ status: frrPod('', ready)['status'] });

const struck =
  (strike: Strike) =>
  (world: Simulation, chance: Draw): string =>
    world.field === undefined ? '' : strike(world, world.field, chance);

export const routingBlowsOf = Object.fromEntries(
  Object.entries(strikes).map(([blow, strike]) => [blow, struck(strike)]),
) as unknown as Readonly<Record<RoutingBlow, (world: Simulation, chance: Draw) => string>>;
