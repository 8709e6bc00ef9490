/** The faults that happen at a time: what each does to the simulated world. */
import { isObject, property } from '../../core/json.ts';
import { CLOUD_CLAIMS, EGRESSIPS } from '../../edge/simulated/admission.ts';
import type { Draw } from './draw.ts';
import type { Blow } from './faults.ts';
import { addresses, nodeNames } from './objects.ts';
import { roomsOf } from './rooms.ts';
import { routingBlowsOf } from './routing/fate.ts';
import type { Simulation } from './simulation.ts';

const blowsOf: Readonly<Record<Blow, (world: Simulation, chance: Draw) => string>> = {
  ...routingBlowsOf,
  'process killed': (world, chance) => world.house.kill(chance.one(roomsOf(world.shape))),
  'process terminated': (world, chance) => world.house.terminate(chance.one(roomsOf(world.shape))),
  'process paused': (world, chance) =>
    world.house.pause(chance.one(roomsOf(world.shape)), chance.between(1, 120) * 1_000),
  'clock jumps': (world, chance) =>
    world.house.jump(chance.one(roomsOf(world.shape)), chance.between(-300, 300) * 1_000),
  'rival process': (world, chance) =>
    world.house.rival(chance.one(roomsOf(world.shape)), chance.between(1, 90) * 1_000),
  'API server away': ({ server, scheduler, house }, chance) => {
    const ms = chance.between(1, 60) * 1_000;
    server.awayUntilMs = scheduler.nowMs + ms;
    house.cutWatches();
    return `${ms} ms`;
  },
  'API server in the past': ({ server, scheduler }, chance) => {
    const ms = chance.between(5, 60) * 1_000;
    server.frozen = { version: server.version, untilMs: scheduler.nowMs + ms };
    return `${ms} ms at ${server.version}`;
  },
  'history compacted': ({ server, house }) => {
    server.compacted = server.version;
    house.cutWatches();
    return String(server.compacted);
  },
  'kind not served': ({ server, scheduler, house }, chance) => {
    server.setServed(EGRESSIPS, false);
    house.cutWatches();
    const ms = chance.between(1, 20) * 1_000;
    scheduler.after(ms, undefined, 'served', () => server.setServed(EGRESSIPS, true));
    return `${ms} ms`;
  },
  'status subresource changes': ({ server }) => {
    server.statusSubresource = !server.statusSubresource;
    return String(server.statusSubresource);
  },
  'log away': ({ log, scheduler }, chance) => {
    const ms = chance.between(1, 60) * 1_000;
    log.awayUntilMs = scheduler.nowMs + ms;
    return `${ms} ms`;
  },
  'log tail lost': ({ log, shape }, chance) => {
    const speaker = chance.one(roomsOf(shape));
    return `${log.loseTail(speaker, chance.between(1, 8))} of ${speaker}`;
  },
  'stream lost': ({ log, shape }, chance) => {
    const speaker = chance.one(roomsOf(shape));
    log.lose([speaker]);
    return speaker;
  },
  'all streams lost': ({ log }) => {
    log.lose();
    return 'all';
  },
  'reader starts anew': (world, chance) =>
    world.house.cutReadings(chance.one(roomsOf(world.shape))),
  'prober cut off': ({ ports, scheduler }, chance) => {
    const ms = chance.between(5, 60) * 1_000;
    ports.cutOffUntilMs = scheduler.nowMs + ms;
    return `${ms} ms`;
  },
  'status meddled with': ({ server, meddled, scheduler }, chance) => {
    const objects = server.list(EGRESSIPS);
    if (objects.length === 0) return '';
    const object = chance.one(objects);
    const items = chance.chance(0.3)
      ? []
      : [{ egressIP: chance.one(addresses), node: chance.one(nodeNames) }];
    server.set(EGRESSIPS, object.metadata.name, { ...object, status: { items } }, 'meddler');
    meddled.set(object.metadata.name, scheduler.nowMs);
    for (const { egressIP } of items) meddled.set(egressIP, scheduler.nowMs);
    return `${object.metadata.name} ${JSON.stringify(items)}`;
  },
  'cloud claim deleted by somebody': ({ server, meddled, scheduler }, chance) => {
    const claims = server.list(CLOUD_CLAIMS);
    if (claims.length === 0) return '';
    const { name } = chance.one(claims).metadata;
    const path = `${CLOUD_CLAIMS}/${name}`;
    server.serve({ method: 'DELETE', path, contentType: '', body: undefined }, 'meddler');
    meddled.set(name, scheduler.nowMs);
    return name;
  },
  'cloud drifts': ({ server, meddled, scheduler }, chance) => {
    const claims = server.list(CLOUD_CLAIMS);
    if (claims.length === 0) return '';
    const claim = chance.one(claims);
    const conditions = [
      { type: 'Assigned', status: 'False', message: 'somebody detached it', reason: 'Drift' },
    ];
    const status = isObject(claim['status']) ? claim['status'] : {};
    const node = property(status, 'node');
    const drifted = { ...claim, status: { ...(node === undefined ? {} : { node }), conditions } };
    server.set(CLOUD_CLAIMS, claim.metadata.name, drifted, 'cloud');
    meddled.set(claim.metadata.name, scheduler.nowMs);
    return claim.metadata.name;
  },
};

/** Returns what happened, in a few words; '' = there was nothing to happen to. */
export const strike = (blow: Blow, world: Simulation, chance: Draw): string =>
  blowsOf[blow](world, chance);
