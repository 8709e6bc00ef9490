/**
 * Whether each object is told as what it is: the invalid ones as invalid, and why, no other one.
 */
import type { KubeObject } from '../../../core/door.ts';
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import { CONFIGS, NETWORKS, ROUTINGS } from '../../../edge/simulated/kinds.ts';
import { isLive, metaOf, networkOf, oursOf, specOf, statusOf } from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';
import { egressIPWords } from './reported-egressip.ts';
import type { Told } from './end.ts';
import { wrongFields, wrongRouting } from './invalid.ts';
import { overlap, rangeOf } from './reading.ts';

/** A sentence for each object that is told wrongly, or not at all. */
export function misreported(world: Simulation): readonly string[] {
  const { server } = world;
  return [
    ...[CONFIGS, ROUTINGS].flatMap((kind) => server.list(kind)).flatMap(untold),
    ...server.list(CONFIGS).filter(isLive).flatMap(configWords),
    ...server.list(ROUTINGS).filter(isLive).flatMap(routingWords),
    ...claimWords(world),
    ...server.list(EGRESSIPS).flatMap((one) => egressIPWords(world, one)),
  ];
}

const conditionsOf = (object: KubeObject): readonly Told[] => statusOf(object).conditions ?? [];

const of = (object: KubeObject, type: string): Partial<Told> =>
  conditionsOf(object).find((one) => one.type === type) ?? {};

/** Nothing speaks of an earlier generation. */
function untold(object: KubeObject): readonly string[] {
  const { name, generation } = metaOf(object);
  const { phase, observedGeneration } = statusOf(object);
  if (phase === undefined) return [`${name} is not told of`];
  const told = [{ type: 'the phase', observedGeneration }, ...conditionsOf(object)];
  return told
    .filter((one) => one.observedGeneration !== generation)
    .map((one) => `${name}: ${one.type} is of ${one.observedGeneration}, not of ${generation}`);
}

function configWords(config: KubeObject): readonly string[] {
  const { name } = config.metadata;
  if (name !== 'cluster') {
    const { reason } = of(config, 'NetworkOperatorPatched');
    const { finalizers = [] } = metaOf(config);
    return reason === 'InvalidName' && finalizers.length === 0 ? [] : [`${name} is no cluster`];
  }
  const wrong = wrongFields(config);
  const { reason = '', message = '' } = of(config, 'FRRConfigurationApplied');
  if (wrong.length === 0) return reason === 'InvalidSpec' ? [`cluster is fine: ${message}`] : [];
  const isNamed = reason === 'InvalidSpec' && wrong.some((field) => message.includes(field));
  return isNamed ? [] : [`cluster is wrong in ${wrong.join()}: ${reason} ${message}`];
}

function routingWords(routing: KubeObject): readonly string[] {
  const { name } = routing.metadata;
  const wrong = wrongRouting(routing);
  const { reason = '', message = '' } = of(routing, 'CUDNCreated');
  const told = reason === 'InvalidName' || reason === 'InvalidSubnet' ? reason : '';
  return told === wrong ? [] : [`${name} is ${wrong || 'fine'}, but told: ${reason} ${message}`];
}

const isLater = (a: KubeObject, b: KubeObject): boolean => ageOf(a) > ageOf(b);
const ageOf = ({ metadata }: KubeObject): string =>
  `${metaOf({ metadata }).creationTimestamp} ${metadata.name}`;

/** Of several that want a network one has it, and nobody has the addresses of another one. */
function claimWords(world: Simulation): readonly string[] {
  const live = world.server.list(ROUTINGS).filter(isLive);
  const isDuplicate = (one: KubeObject): boolean =>
    of(one, 'CUDNCreated').reason === 'DuplicateNetwork';
  const valid = live.filter((one) => wrongRouting(one) === '');
  const lost = live.filter(isDuplicate).filter((one) => {
    const rivals = world.server.list(ROUTINGS).filter((other) => other !== one);
    return !rivals.some((other) => networkOf(other) === networkOf(one) && !isDuplicate(other));
  });
  const both = valid.filter((one) => {
    const rival = valid.find((other) => isLater(one, other) && networkOf(other) === networkOf(one));
    return rival !== undefined && !isDuplicate(one) && !isDuplicate(rival);
  });
  return [
    ...lost.map(({ metadata }) => `${metadata.name} lost its network to nobody`),
    ...both.map(({ metadata }) => `${metadata.name} has a network that an older one has`),
    ...overlapWords(world, valid),
  ];
}

const rangesOf = (object: KubeObject) => {
  const { network = {} } = specOf(object);
  const subnets = (network.layer2?.subnets ?? network.subnets ?? []) as readonly string[];
  return subnets.map(rangeOf).filter((range) => range !== undefined);
};

const meet = (a: KubeObject, b: KubeObject): boolean =>
  rangesOf(a).some((one) => rangesOf(b).some((other) => overlap(one, other)));

function overlapWords(world: Simulation, valid: readonly KubeObject[]): readonly string[] {
  const networks = oursOf(world, NETWORKS);
  const twice = networks.filter((one) =>
    networks.some((other) => other.metadata.name < one.metadata.name && meet(one, other)),
  );
  const alone = valid.filter(
    (one) =>
      of(one, 'CUDNCreated').reason === 'SubnetOverlap' &&
      ![...valid, ...networks].some((other) => other !== one && meet(one, other)),
  );
  return [
    ...twice.map(({ metadata }) => `${metadata.name} overlaps another network of ours`),
    ...alone.map(({ metadata }) => `${metadata.name} overlaps nobody`),
  ];
}
