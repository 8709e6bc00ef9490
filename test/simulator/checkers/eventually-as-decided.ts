/** Eventually: each status is what was decided last, and so is each claim in the cloud. */
import { CLOUD_CLAIMS, EGRESSIPS } from '../../../edge/simulated/admission.ts';
import type { Checker } from '../checker.ts';
import type { Simulation } from '../simulation.ts';
import { readClaim, readEgressIP } from '../truth.ts';

export const asDecided = (): Checker => ({
  name: 'eventually-as-decided',
  eventually: judge,
  finally: judge,
});

const textOf = (pairs: readonly (readonly [string, string])[]): string =>
  pairs
    .map(([address, node]) => `${address}@${node}`)
    .sort()
    .join(' ');

function judge(world: Simulation): readonly string[] {
  const decided = new Map<string, { uid: string; homes: string; mark: number }>();
  for (const { event } of world.log.lasts('assigner')) {
    if (event.kind !== 'EgressIPDecided') continue;
    const homes = textOf(event.placements.map(({ address, node }) => [address, node]));
    decided.set(event.name, { uid: event.uid, homes, mark: event.mark });
  }
  const objects = world.server.list(EGRESSIPS).map(readEgressIP);
  const wrong = objects.flatMap(({ name, uid, items, mark }) => {
    const wanted = decided.get(name);
    const has = textOf(items.map(({ egressIP, node }) => [egressIP, node]));
    if (wanted?.uid !== uid) return [`${name} was not decided on`];
    if (mark === '') return [`${name} has no mark`];
    return wanted.homes === has ? [] : [`${name} has ${has}, decided was ${wanted.homes}`];
  });
  const leaked = [...decided.keys()].filter((name) => !objects.some((one) => one.name === name));
  return [
    ...wrong,
    ...leaked.map((name) => `${name} is gone and still decided on`),
    ...(world.shape.cloud ? judgeCloud(world) : []),
  ];
}

function judgeCloud(world: Simulation): readonly string[] {
  const claims = world.server.list(CLOUD_CLAIMS).map(readClaim);
  const held = textOf(claims.map(({ name, statusNode }) => [name, statusNode]));
  const items = textOf(
    world.server
      .list(EGRESSIPS)
      .flatMap((one) => readEgressIP(one).items)
      .map(({ egressIP, node }) => [egressIP, node]),
  );
  const inCloud = textOf([...world.cloud.addresses]);
  return [
    ...(held === items ? [] : [`the claims are ${held}, the statuses ${items}`]),
    ...(held === inCloud ? [] : [`the claims are ${held}, the cloud has ${inCloud}`]),
  ];
}
